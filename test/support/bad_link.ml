open Weir_link

let wrap seed link =
  let i =
    {
      Impairment.none with
      loss = Steady 0.02;
      duplicate = 0.01;
      reorder = 0.02;
      reorder_ns = 300_000;
      corrupt = 0.005;
      delay_ns = 200_000;
      jitter_ns = 100_000;
    }
  in
  (Impair.wrap ~seed ~outbound:i ~inbound:i link :> Link.t)

type result = { bytes : int; seconds : float }

let gbit_s r = if r.seconds <= 0. then 0. else float_of_int (8 * r.bytes) /. r.seconds /. 1e9
let chunk = 131_072
let pattern = lazy (String.init chunk (fun i -> Char.unsafe_chr (i * 7 land 255)))

(* Strings are sent without a copy. *)
let piece n =
  let all = Lazy.force pattern in
  if n = chunk then all else String.sub all 0 n

let send c ~bytes =
  let flow = Weir_eio.Connection.flow c in
  let rec go left =
    if left > 0 then (
      let n = min left chunk in
      Weir_flow.Flow.write_string flow (piece n);
      go (left - n))
  in
  go bytes;
  Weir_eio.Connection.shutdown c `Send

let sink host c =
  let flow = Weir_eio.Connection.flow c in
  let b = Bytes.create chunk in
  let rec go total =
    match Weir_flow.Flow.read_into flow b ~off:0 ~len:chunk with 0 -> total | n -> go (total + n)
  in
  let first = Weir_flow.Flow.read_into flow b ~off:0 ~len:chunk in
  let began = Weir_eio.Host.now host in
  let bytes = if first = 0 then 0 else go first in
  let seconds = float_of_int (Weir_eio.Host.now host - began) /. 1e9 in
  { bytes; seconds }

let between ~from ~to_ ~to_address ~port ~bytes =
  Eio.Switch.run @@ fun sw ->
  let listener = Weir_eio.Network.listen to_ ~sw ~port ~backlog:1 in
  let receive () =
    let c = Weir_eio.Network.accept listener ~sw in
    let r = sink to_ c in
    Weir_eio.Connection.close c;
    r
  in
  let transmit () =
    let c = Weir_eio.Network.connect from ~sw (Ipaddr.of_string_exn to_address) ~port in
    send c ~bytes;
    c
  in
  let r, c = Eio.Fiber.pair receive transmit in
  Weir_eio.Connection.close c;
  Weir_eio.Network.close_listener listener;
  r

module Outside = Weir_gateway.Outside
open Weir_wire

let decode b = Result.to_option (Dns.decode b ~off:0 ~len:(Bytes.length b))

(* As many failures as anybody waits for. *)
let most_waiting = 16

let fault conditions ~now (m : Dns.t) =
  if m.response then None
  else Option.bind (Run_asked.question m) (Run_conditions.dns_fault conditions ~now:(now ()))

let fate conditions ~now b =
  Option.bind (decode b) (fun m -> Option.map (fun how -> (m, how)) (fault conditions ~now m))

let failure m how = Bytes.of_string (Run_asked.failure m how)

let watched asked conditions ~now (outer : Outside.datagrams) : Outside.datagrams =
  let failures = Eio.Stream.create most_waiting in
  let send b =
    match fate conditions ~now b with
    | None -> outer.send b
    | Some (_, `Timeout) -> ()
    | Some (m, ((`Servfail | `Nxdomain) as how)) ->
        if Eio.Stream.length failures < most_waiting then Eio.Stream.add failures (failure m how)
  in
  let receive () =
    let b = Eio.Fiber.first (fun () -> Eio.Stream.take failures) outer.receive in
    Option.iter (Run_asked.learn asked) (decode b);
    b
  in
  { send; receive }

let datagrams asked conditions ~now outer ~sw to_ =
  let plain = outer ~sw to_ in
  if snd to_ = 53 then watched asked conditions ~now plain else plain

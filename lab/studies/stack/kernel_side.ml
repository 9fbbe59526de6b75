open Weir_lab_harness

(* Unix.read and Unix.write copy through a buffer of this size. *)
let piece = 65_536

let write_all fd bytes =
  let pattern = Load.piece Load.chunk in
  let rec go left =
    if left > 0 then go (left - Unix.single_write_substring fd pattern 0 (min left piece))
  in
  go bytes;
  Unix.shutdown fd SHUTDOWN_SEND

let read_all fd =
  let b = Bytes.create piece in
  let rec go total = match Unix.read fd b 0 piece with 0 -> total | n -> go (total + n) in
  go 0

let with_socket f =
  let fd = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  Fun.protect ~finally:(fun () -> Unix.close fd) (fun () -> f fd)

let serve direction ~offload ~bytes =
  Space.joined ~offload;
  with_socket @@ fun listener ->
  Unix.setsockopt listener SO_REUSEADDR true;
  Unix.bind listener (ADDR_INET (Unix.inet_addr_any, Load.port));
  Unix.listen listener 1;
  Space.ready ();
  let fd, _ = Unix.accept ~cloexec:true listener in
  Fun.protect ~finally:(fun () -> Unix.close fd) @@ fun () ->
  if direction = `Out then write_all fd bytes;
  ignore (read_all fd : int)

let there () = Unix.ADDR_INET (Unix.inet_addr_of_string (Ipaddr.to_string Space.there), Load.port)

let transfer direction ~bytes =
  with_socket @@ fun fd ->
  Unix.connect fd (there ());
  let began = Weir_lab_harness.Clock.wall_ns () in
  if direction = `In then write_all fd bytes;
  let got = read_all fd in
  let ns = Weir_lab_harness.Clock.wall_ns () - began in
  let expected = if direction = `In then 0 else bytes in
  if got <> expected then Child.failed "%d of %d bytes arrived" got expected;
  Reading.make "rate" "Mbit/s" (float (8 * bytes) *. 1e3 /. float ns)

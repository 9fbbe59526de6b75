open Eio.Std

type world = { server : Ask.net; client : Ask.net; at : string; here : string; broadcast : string }
type t = { name : string; world : sw:Switch.t -> Eio_unix.Stdenv.base -> world }

let loopback = "127.0.0.1"

let kernel =
  let world ~sw:_ env =
    let net = Eio.Stdenv.net env in
    { server = net; client = net; at = loopback; here = loopback; broadcast = "127.255.255.255" }
  in
  { name = "the kernel"; world }

let host ~sw env link address =
  let clock = Eio.Stdenv.mono_clock env in
  Weir_eio.unix_net (Weir_eio.host ~sw ~clock ~linger_ns:0 ~link ~address ())

let one, other, broadcast = ("10.0.0.1", "10.0.0.2", "10.0.0.255")

let alone =
  let world ~sw env =
    let link, _ = Weir_link.Memory.pair () in
    let net = host ~sw env link (one ^ "/24") in
    { server = net; client = net; at = one; here = one; broadcast }
  in
  { name = "Weir alone"; world }

let two =
  let world ~sw env =
    let near, far = Weir_link.Memory.pair () in
    let server = host ~sw env near (one ^ "/24") and client = host ~sw env far (other ^ "/24") in
    { server; client; at = one; here = other; broadcast }
  in
  { name = "two of Weir"; world }

(* -- asking -------------------------------------------------------------- *)

let limit = 40.

let answer env subject i (q : Question.t) =
  let clock = Eio.Stdenv.mono_clock env in
  let ask () =
    Switch.run @@ fun sw ->
    let w = subject.world ~sw env in
    q.ask
      {
        Ask.sw;
        server = w.server;
        client = w.client;
        at = Ask.ip w.at;
        here = Ask.ip w.here;
        broadcast = Ask.ip w.broadcast;
        port = 10_000 + (10 * i);
        clock;
        domains = Eio.Stdenv.domain_mgr env;
        patience = (if q.hangs then 2.5 else 20.);
      }
  in
  match Eio.Time.Timeout.(run_exn (seconds clock limit)) ask with
  | s -> s
  | exception Eio.Time.Timeout -> Printf.sprintf "no answer in %g s" limit
  | exception e -> Ask.name e

let answers env subject questions =
  Fiber.List.map (fun (i, q) -> answer env subject i q) (List.mapi (fun i q -> (i, q)) questions)

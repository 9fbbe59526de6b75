open Lwt.Syntax
module Connection = Weir_lwt.Connection
module Network = Weir_lwt.Network
module Host = Weir_lwt.Host

type mode =
  | In_memory of { ipv6 : bool }
  | To of (string * int)
  | From of (string * int)
  | Listen of { port : int; once : bool }

let ok = Weir_lwt.get

let send c ~bytes =
  let rec go left =
    if left = 0 then Lwt.return_unit
    else
      let n = min left Stream.chunk in
      let* () = ok (Connection.write_string c (Stream.piece n)) in
      go (left - n)
  in
  let* () = go bytes in
  Connection.shutdown c `Send;
  Lwt.return_unit

(* The time runs from the first byte. *)
let sink c =
  let b = Bytes.create Stream.chunk and host = Connection.host c in
  let read () = ok (Connection.read c b ~off:0 ~len:Stream.chunk) in
  let rec go total =
    let* n = read () in
    if n = 0 then Lwt.return total else go (total + n)
  in
  let* first = read () in
  let began = Host.now host in
  let* bytes = if first = 0 then Lwt.return 0 else go first in
  Lwt.return { Stream.bytes; seconds = float_of_int (Host.now host - began) /. 1e9 }

let finish c result =
  let* () = Connection.close c in
  Lwt.return result

let listen host ~port =
  match Network.listen host ~port ~backlog:16 with
  | Ok l -> l
  | Error e -> Fail.failed "cannot listen on port %d: %s" port (Fmt.str "%a" Weir_lwt.Error.pp e)

let between ~from ~to_ ~to_address ~port ~bytes =
  let l = listen to_ ~port in
  let receive =
    let* c = ok (Network.accept l) in
    let* r = sink c in
    finish c r
  and transmit =
    let* c = ok (Network.connect from (Ipaddr.of_string_exn to_address) ~port) in
    let* () = send c ~bytes in
    Lwt.return c
  in
  let* r, c = Lwt.both receive transmit in
  let* () = Connection.close c in
  let* () = Network.close_listener l in
  Lwt.return r

let in_memory local peer ~line ~bytes ~ipv6 =
  let server = if ipv6 then Ends.server_ipv6 else Ends.server_ip in
  let client = if ipv6 then Ends.client_ipv6 else Ends.client_ip in
  let* r = between ~from:local ~to_:peer ~to_address:server ~port:5001 ~bytes in
  line "in memory, Lwt, this way" r;
  let* r = between ~from:peer ~to_:local ~to_address:client ~port:5002 ~bytes in
  line "in memory, Lwt, back" r;
  Lwt.return_unit

let receive_all l ~once ~line =
  let rec next () =
    let* c = ok (Network.accept l) in
    let* r = sink c in
    let* () = Connection.close c in
    line "received" r;
    if once then Lwt.return_unit else next ()
  in
  next ()

let measure local ~peer ~address mode ~line ~bytes =
  match (mode, peer) with
  | In_memory { ipv6 }, Some peer -> in_memory local peer ~line ~bytes ~ipv6
  | In_memory _, None -> Fail.usage "over a device, give --to, --from or --listen"
  | To (node, port), _ ->
      let* c = ok (Network.connect_by_name local ~service:(string_of_int port) node) in
      let began = Host.now local in
      let* () = send c ~bytes in
      (* The transfer ends when the peer has all bytes and closes. *)
      let* _ = sink c in
      let seconds = float_of_int (Host.now local - began) /. 1e9 in
      line "sent" { Stream.bytes; seconds };
      Connection.close c
  | From (node, port), _ ->
      let* c = ok (Network.connect_by_name local ~service:(string_of_int port) node) in
      let* r = sink c in
      line "received" r;
      Connection.close c
  | Listen { port; once }, _ ->
      let l = listen local ~port in
      Printf.printf "receiving at %s:%d\n%!" address port;
      Lwt.pick [ receive_all l ~once ~line; Lwt_interrupt.came () ]

let run attach mode ~bytes ~line =
  Ends.with_ends @@ fun at_end ->
  Lwt_main.run
    (let e = Ends.open_ ~now:Weir_lwt.Clock.system.now ~at_end ~role:`Client attach in
     let host ?resolvers ?search ?gateway ?mac link address =
       let config = Link_options.config attach link in
       Weir_lwt.host ~config ?resolvers ?search ?gateway ?mac ?spin_ns:attach.spin_ns ~link ~address
         ()
     in
     let local =
       host ~resolvers:attach.resolvers ~search:attach.search ?gateway:e.gateway ?mac:e.mac e.link
         e.cidr
     in
     let peer = Option.map (fun (link, address) -> host link address) e.peer_end in
     let* e = Serve_lwt.configured e local in
     Option.iter Fail.tell e.note;
     let address = Endpoint.without_network e.cidr in
     let measured =
       let* () = measure local ~peer ~address mode ~line ~bytes in
       Weir_lwt.shutdown local
     and gone = Lwt.bind (Serve_lwt.when_gone e) (fun () -> Ends.gone attach) in
     let* () = Lwt.pick [ measured; gone ] in
     let* () = Host.close local in
     match peer with Some p -> Host.close p | None -> Lwt.return_unit)

open Weir_lab_harness
open Lwt.Syntax
module Host = Weir_lwt.Host
module Connection = Weir_lwt.Connection
module Network = Weir_lwt.Network
module Datagram = Weir_lwt.Datagram

let get = Weir_lwt.get
let host link address = Weir_lwt.host ~link ~address:(Ipaddr.to_string address ^ "/24") ()

let opened what = function
  | Ok v -> v
  | Error e -> Child.failed "%s: %s" what (Fmt.str "%a" Weir_lwt.Error.pp e)

let listen host ~port ~backlog = opened "listening" (Network.listen host ~port ~backlog)

(* -- TCP ----------------------------------------------------------------- *)

let rec write_all c left =
  if left = 0 then Lwt.return_unit
  else
    let n = min left Load.chunk in
    let* () = get (Connection.write_string c (Load.piece n)) in
    write_all c (left - n)

let read_all ?(seen = ignore) c =
  let b = Bytes.create Load.chunk in
  let rec go total =
    seen total;
    let* n = get (Connection.read c b ~off:0 ~len:Load.chunk) in
    if n = 0 then Lwt.return total else go (total + n)
  in
  go 0

let tcp a b ~bytes ~seen =
  let listener = listen b ~port:Load.port ~backlog:1 in
  let meter = Load.begin_ () in
  let receive =
    let* c = get (Network.accept listener) in
    read_all ~seen c
  in
  let send =
    let* c = get (Network.connect a Space.there ~port:Load.port) in
    let* () = write_all c bytes in
    Connection.shutdown c `Send;
    Lwt.return_unit
  in
  let* got, () = Lwt.both receive send in
  if got <> bytes then Child.failed "%d of %d bytes arrived" got bytes;
  Lwt.return (Load.end_ meter ~bytes ~segments:(Host.link_stats a).tx_frames)

(* -- UDP: see {!Eio_side} ------------------------------------------------ *)

let burst = 64
let patience = 1000

let udp a b ~bytes =
  let from = opened "UDP" (Datagram.open_ a ~port:Load.port) in
  let to_ = opened "UDP" (Datagram.open_ b ~port:Load.port) in
  let dst = (Space.there, Load.port) in
  let count = max 1 (bytes / Load.datagram) in
  let sent = ref 0 and received = ref 0 and lost = ref 0 in
  let buf = Bytes.create 2048 and datagram = Bytes.of_string (Load.piece Load.datagram) in
  let rec receive () =
    let* { length; _ } = get (Datagram.recv to_ buf ~off:0 ~len:2048) in
    if length <> Load.datagram then Child.failed "a datagram of %d bytes arrived" length;
    incr received;
    receive ()
  in
  let rec wait turns =
    let missing = !sent - !received - !lost in
    if missing <= 0 then Lwt.return_unit
    else if turns = 0 then begin
      lost := !lost + missing;
      Lwt.return_unit
    end
    else
      let* () = Lwt.pause () in
      wait (turns - 1)
  in
  let rec send_burst n =
    if n = 0 then Lwt.return_unit
    else
      let* () = get (Datagram.send from ~dst datagram ~off:0 ~len:Load.datagram) in
      send_burst (n - 1)
  in
  let rec send left =
    if left = 0 then Lwt.return_unit
    else
      let n = min burst left in
      let* () = send_burst n in
      sent := !sent + n;
      let* () = wait patience in
      send (left - n)
  in
  let metered () =
    let* () = send 1 in
    let meter = Load.begin_ () in
    let* () = send count in
    Lwt.return
      (Load.end_ meter ~bytes:((count - !lost) * Load.datagram) ~segments:count
      @ [ Reading.make "errors" "datagrams" (float !lost) ])
  in
  Lwt.pick [ receive (); metered () ]

let memory (transport : Driver.transport) ~offload ~bytes ~pcap ~seen =
  let left, right = Weir_link.Memory.pair ~offload () in
  Recorded.with_ ~pcap left @@ fun left ->
  Lwt_main.run
    (let a = host left Space.here and b = host right Space.there in
     match transport with Tcp -> tcp a b ~bytes ~seen | Udp -> udp a b ~bytes)

(* -- over a device ---------------------------------------------------------- *)

let bulk direction ~device ~offload ~bytes =
  Lwt_main.run
  @@
  let host = host (Space.open_link ~offload device) Space.there in
  let stats = Host.link_stats host in
  let listener = listen host ~port:Load.port ~backlog:1 in
  Space.ready ();
  let* c = get (Network.accept listener) in
  let meter = Load.begin_ () in
  let* () =
    match direction with
    | `In -> Lwt.return_unit
    | `Out ->
        let* () = write_all c bytes in
        Connection.shutdown c `Send;
        Lwt.return_unit
  in
  let* got = read_all c in
  let segments = match direction with `In -> stats.rx_frames | `Out -> stats.tx_frames in
  let reading = Load.per_segment meter ~segments in
  if direction = `In && got <> bytes then Child.failed "%d of %d bytes arrived" got bytes;
  let* () = Connection.close c in
  let* () = Weir_lwt.shutdown host in
  Lwt.return [ reading ]

let transport c : Weir_http_lwt.Transport.t =
  {
    read = (fun b ~off ~len -> get (Connection.read c b ~off ~len));
    write = (fun b ~off ~len -> get (Connection.write c b ~off ~len));
    write_by = Some (fun ~want f -> get (Connection.write_by c ~want f));
    shutdown_send =
      (fun () ->
        Connection.shutdown c `Send;
        Lwt.return_unit);
  }

let answer server response c =
  Connection.set_nodelay c true;
  Lwt.catch
    (fun () ->
      Weir_http_lwt.Server.serve_connection server (transport c) (fun _ -> Lwt.return response))
    (function
      | Weir_lwt.Error.Error _ | Weir_http_lwt.Time_limits.Timed_out -> Lwt.return_unit
      | e -> Lwt.fail e)

let http ~device ~offload =
  let host = host (Space.open_link ~offload device) Space.there in
  let listener = listen host ~port:Load.http_port ~backlog:1024 in
  let clock = Weir_lwt.Clock.system in
  let timer : Weir_http_lwt.Time_limits.timer =
    { now = clock.now; sleep = Weir_lwt.Clock.sleep clock }
  in
  let server = Weir_http_lwt.Server.create ~timer ~now:Unix.gettimeofday () in
  let response = Weir_http_lwt.Handler.of_response (Weir_http.Response.text Load.page) in
  Space.ready ();
  Lwt_main.run (Network.serve listener (answer server response))

let driver = { Driver.memory; bulk; http }

open Weir_lab_harness
module Host = Weir_eio.Host
module Network = Weir_eio.Network
module Connection = Weir_eio.Connection
module Flow = Weir_flow.Flow

let with_host f =
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  f sw clock (fun link address ->
      Weir_eio.host ~sw ~clock ~link ~address:(Ipaddr.to_string address ^ "/24") ())

(* -- TCP ----------------------------------------------------------------- *)

let write_all flow bytes =
  let rec go left =
    if left > 0 then begin
      let n = min left Load.chunk in
      Flow.write_string flow (Load.piece n);
      go (left - n)
    end
  in
  go bytes

let read_all ?(seen = ignore) flow =
  let b = Bytes.create Load.chunk in
  let rec go total =
    seen total;
    match Flow.read_into flow b ~off:0 ~len:Load.chunk with 0 -> total | n -> go (total + n)
  in
  go 0

let tcp ~sw a b ~bytes ~seen =
  let listener = Network.listen b ~sw ~port:Load.port ~backlog:1 in
  let meter = Load.begin_ () in
  let got, (_ : Connection.t) =
    Eio.Fiber.pair
      (fun () -> read_all ~seen (Connection.flow (Network.accept listener ~sw)))
      (fun () ->
        let c = Network.connect a ~sw Space.there ~port:Load.port in
        write_all (Connection.flow c) bytes;
        Connection.shutdown c `Send;
        c)
  in
  if got <> bytes then Child.failed "%d of %d bytes arrived" got bytes;
  Load.end_ meter ~bytes ~segments:(Host.link_stats a).tx_frames

(* -- UDP ----------------------------------------------------------------- *)

let burst = 64

(* UDP has no flow control, so the sender waits for each burst to arrive. Datagrams that have not
   arrived after this many iterations of the scheduler count as lost. *)
let patience = 1000

let udp_socket host ~sw address =
  Eio.Net.datagram_socket ~sw (Weir_eio.net host)
    (`Udp (Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets address), Load.port))

let udp ~sw a b ~bytes =
  let from = udp_socket a ~sw Space.here and to_ = udp_socket b ~sw Space.there in
  let dst = `Udp (Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets Space.there), Load.port) in
  let datagram = Cstruct.of_string (Load.piece Load.datagram) in
  let count = max 1 (bytes / Load.datagram) in
  let sent = ref 0 and received = ref 0 and lost = ref 0 in
  let rec receive buf =
    let _, n = Eio.Net.recv to_ buf in
    if n <> Load.datagram then Child.failed "a datagram of %d bytes arrived" n;
    incr received;
    receive buf
  in
  let rec wait turns =
    let missing = !sent - !received - !lost in
    if missing > 0 then
      if turns = 0 then lost := !lost + missing
      else begin
        Eio.Fiber.yield ();
        wait (turns - 1)
      end
  in
  let rec send left =
    if left > 0 then begin
      let n = min burst left in
      for _ = 1 to n do
        Eio.Net.send from ~dst [ datagram ]
      done;
      sent := !sent + n;
      wait patience;
      send (left - n)
    end
  in
  let metered () =
    (* The first datagram waits for the neighbour's address, so it is sent alone. *)
    send 1;
    let meter = Load.begin_ () in
    send count;
    Load.end_ meter ~bytes:((count - !lost) * Load.datagram) ~segments:count
    @ [ Reading.make "errors" "datagrams" (float !lost) ]
  in
  Eio.Fiber.first (fun () -> receive (Cstruct.create 2048)) metered

let memory (transport : Driver.transport) ~offload ~bytes ~pcap ~seen =
  with_host @@ fun sw _ host ->
  let left, right = Weir_link.Memory.pair ~offload () in
  Recorded.with_ ~pcap left @@ fun left ->
  let a = host left Space.here and b = host right Space.there in
  match transport with Tcp -> tcp ~sw a b ~bytes ~seen | Udp -> udp ~sw a b ~bytes

(* -- over a device ---------------------------------------------------------- *)

let bulk direction ~device ~offload ~bytes =
  with_host @@ fun sw _ host ->
  let host = host (Space.open_link ~offload device) Space.there in
  let stats = Host.link_stats host in
  let listener = Network.listen host ~sw ~port:Load.port ~backlog:1 in
  Space.ready ();
  let c = Network.accept listener ~sw in
  let flow = Connection.flow c in
  let meter = Load.begin_ () in
  (match direction with
  | `Out ->
      write_all flow bytes;
      Connection.shutdown c `Send
  | `In -> ());
  let got = read_all flow in
  let segments = match direction with `In -> stats.rx_frames | `Out -> stats.tx_frames in
  let reading = Load.per_segment meter ~segments in
  if direction = `In && got <> bytes then Child.failed "%d of %d bytes arrived" got bytes;
  Connection.close c;
  Weir_eio.shutdown host;
  [ reading ]

let answer server limits response c =
  Connection.set_option c Eio.Net.Sockopt.TCP_NODELAY true;
  (try
     Weir_http_eio.Time_limits.with_connection limits ~interrupt:(Connection.set_interrupted c)
     @@ fun timer ->
     Weir_http.Server.serve_connection ~timer server (Connection.flow c) (fun _ -> response)
   with Weir_flow.Flow.Error _ | Weir_http.Server.Timed_out -> ());
  Connection.close c

let http ~device ~offload =
  with_host @@ fun sw clock host ->
  let host = host (Space.open_link ~offload device) Space.there in
  let listener = Network.listen host ~sw ~port:Load.http_port ~backlog:1024 in
  let response = Weir_http.Response.text Load.page in
  let limits = Weir_http_eio.Time_limits.create ~sw ~clock in
  let server = Weir_http.Server.create ~now:Unix.gettimeofday () in
  Space.ready ();
  while true do
    let c = Network.accept listener ~sw in
    Eio.Fiber.fork ~sw (fun () -> answer server limits response c)
  done

let driver = { Driver.memory; bulk; http }

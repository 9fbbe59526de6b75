open Weir_base
open Weir_wire
open Weir_core
open White_box

type family = V4 | V6

let ends = function V4 -> ("10.0.0.1", "10.0.0.2") | V6 -> ("fd00::1", "fd00::2")
let address s = Ip.of_ipaddr (Ipaddr.of_string_exn s)
let peer_iss = 0xffff_ff00 (* numbers wrap early in every script *)

type t = {
  us : Ip.t;
  peer : Ip.t;
  tcp : Tcp.t;
  listener : Tcp.listener;
  resets : Bytes.t Queue.t;
  out : Buffer.t;
  mutable connection : Tcb.t option;
  mutable iss : int;
  mutable last_ts : int;
}

type flag = S | F | R | P | E | W

let tcp t = t.tcp
let trace t = Buffer.contents t.out
let now t = (Tcp.shared t.tcp).now
let last_ts t = t.last_ts
let note t s = Printf.bprintf t.out "\n# %s\n" s

let host ?(family = V4) ?(config = Config.default) ?(backlog = 8) () =
  let us, peer = ends family in
  let us = address us and peer = address peer in
  let most = Int.min (1 lsl 20) in
  let config =
    {
      config with
      pacing = false;
      send_buffer = most config.send_buffer;
      receive_buffer = most config.receive_buffer;
    }
  in
  let resets = Queue.create () in
  let reset ~src ~dst (h : Weir_wire.Tcp.t) =
    let b = Bytes.create 60 in
    let length = Weir_wire.Tcp.length h in
    Weir_wire.Tcp.emit h ~pseudo:(Ip.pseudo_sum ~src ~dst ~protocol:6 ~length) ~data_sum:0 b ~off:0;
    Queue.push (Bytes.sub b 0 length) resets
  in
  let tcp = Tcp.create config (Counters.create ()) (Random.State.make [| 7 |]) ~reply:reset in
  (Tcp.shared tcp).now <- Time.s 1_000;
  match Tcp.listen tcp ~address:(Ip.any_like us) ~port:80 ~backlog ~reuse:true with
  | Error _ -> failwith "listen"
  | Ok listener ->
      let out = Buffer.create 1000 in
      { us; peer; tcp; listener; resets; out; connection = None; iss = -1; last_ts = 0 }

let time t = float_of_int (now t - Time.s 1_000) /. 1e9

let flags (h : Weir_wire.Tcp.t) =
  String.concat ""
    [
      (if h.syn then "S" else "");
      (if h.fin then "F" else "");
      (if h.rst then "R" else "");
      (if h.psh then "P" else "");
      (if h.ack >= 0 then "." else "");
      (if h.ece then "E" else "");
      (if h.cwr then "W" else "");
    ]

let line ?(mark = 0) t arrow (h : Weir_wire.Tcp.t) ~seq0 ~ack0 data =
  let rel x x0 = if x0 < 0 then x else Seq.diff x x0 in
  Printf.bprintf t.out "%8.3f %s %-3s seq %d" (time t) arrow (flags h) (rel h.seq seq0);
  if h.ack >= 0 then Printf.bprintf t.out " ack %d" (rel h.ack ack0);
  Printf.bprintf t.out " win %d" h.window;
  if h.mss >= 0 then Printf.bprintf t.out " mss %d" h.mss;
  if h.window_scale >= 0 then Printf.bprintf t.out " ws %d" h.window_scale;
  if h.ts_val >= 0 then Buffer.add_string t.out " ts";
  if h.sack_permitted then Buffer.add_string t.out " sackOK";
  if h.user_timeout >= 0 then
    Printf.bprintf t.out " uto %d" (Weir_wire.Tcp.user_timeout_seconds h.user_timeout);
  if h.sacks <> [] then (
    Buffer.add_string t.out " sack";
    List.iter (fun (l, r) -> Printf.bprintf t.out " %d-%d" (rel l ack0) (rel r ack0)) h.sacks);
  Buffer.add_string t.out
    (match mark with 0 -> "" | 3 -> " CE" | 2 -> " ECT(0)" | n -> Printf.sprintf " ECN %d" n);
  if data <> "" then
    if String.length data <= 24 then Printf.bprintf t.out " %S" data
    else Printf.bprintf t.out " %d bytes" (String.length data);
  Buffer.add_char t.out '\n'

let show_output ?mark t b len =
  match Weir_wire.Tcp.decode ~pseudo:(-1) b ~off:0 ~len with
  | Error e -> failwith (Fmt.str "the host sent nonsense: %a" Error.pp e)
  | Ok h ->
      if h.syn then t.iss <- h.seq;
      if h.ts_val >= 0 then t.last_ts <- h.ts_val;
      line ?mark t ">" h ~seq0:t.iss ~ack0:peer_iss
        (Bytes.sub_string b h.header_length h.data_length)

let rec output t =
  let b = Bytes.create 2048 in
  match Tcp.next_segment t.tcp b ~off:0 with
  | 0 ->
      Queue.iter (fun b -> show_output t b (Bytes.length b)) t.resets;
      Queue.clear t.resets
  | n ->
      let pseudo = Ip.pseudo_sum ~src:t.us ~dst:t.peer ~protocol:6 ~length:n in
      if Checksum.finish (Checksum.add pseudo (Checksum.sum b ~off:0 ~len:n)) <> 0 then
        failwith "bad checksum sent";
      show_output t b n ~mark:(Tcp.last_ecn t.tcp);
      output t

(* The addresses, and behind them the first word of a header. *)
let marked t mark =
  let p = Packet.between ~source:t.peer ~destination:t.us in
  let at = Bytes.length p.data in
  let word = if Ip.is_v4 t.us then 0x4500 lor mark else 0x6000 lor (mark lsl 4) in
  let data = Bytes.extend p.data 0 2 in
  Bytes.set_uint16_be data at word;
  { p with data; at }

let send t ?(port = 5000) ?(flags = []) ?ack ?(win = 65_535) ?(data = "") ?(mss = -1) ?(ws = -1) ?ts
    ?(sackok = false) ?(sacks = []) ?(mark = 0) ?(uto = -1) seq =
  let has f = List.mem f flags in
  let h =
    {
      Weir_wire.Tcp.base with
      src_port = port;
      dst_port = (match t.connection with Some c -> c.local_port | None -> 80);
      seq = Seq.add peer_iss seq;
      ack = (match ack with None -> -1 | Some a -> Seq.add t.iss a);
      syn = has S;
      fin = has F;
      rst = has R;
      psh = has P;
      ece = has E;
      cwr = has W;
      window = win;
      mss;
      window_scale = ws;
      ts_val = (match ts with Some (v, _) -> v | None -> -1);
      ts_ecr = (match ts with Some (_, -1) -> t.last_ts | Some (_, e) -> e | None -> 0);
      sack_permitted = sackok;
      user_timeout = (if uto < 0 then -1 else Weir_wire.Tcp.user_timeout_of_seconds uto);
      sacks = List.map (fun (l, r) -> (Seq.add t.iss l, Seq.add t.iss r)) sacks;
      data_length = String.length data;
    }
  in
  line ~mark t "<" h ~seq0:peer_iss ~ack0:t.iss data;
  Tcp.input t.tcp (marked t mark) ~mss:1460 h (Bytes.of_string data) ~data:0;
  output t

let icmp t error seq =
  let c = Option.get t.connection in
  Printf.bprintf t.out "%8.3f < %s about seq %d\n" (time t) (Fmt.str "%a" Icmpv4.pp_what error) seq;
  Tcp.unreachable t.tcp ~local:t.us ~local_port:c.local_port ~remote:t.peer
    ~remote_port:c.remote_port ~seq:(Seq.add t.iss seq) ~hard:(Icmp_error.is_hard (V4 error))
    (V4 error);
  output t

let after t ms =
  let until = now t + Time.ms ms in
  let rec go () =
    let at = Tcp.deadline t.tcp in
    if at <= until then (
      (Tcp.shared t.tcp).now <- max at (now t);
      Tcp.tick t.tcp;
      output t;
      go ())
  in
  go ();
  (Tcp.shared t.tcp).now <- until;
  output t

let connection t =
  match t.connection with
  | Some c -> c
  | None -> (
      match Tcp.accept t.listener with
      | Some c ->
          t.connection <- Some c;
          c
      | None -> failwith "nothing to accept")

let connect t =
  match
    Tcp.connect t.tcp ~local:t.us ~local_port:4000 ~remote:t.peer ~remote_port:5000 ~mss:1460
  with
  | Ok c ->
      t.connection <- Some c;
      output t
  | Error _ -> failwith "connect"

let established ?win ?(mss = 1460) ?ws ?(ts = false) ?sackok t =
  let stamp v = if ts then Some (v, -1) else None in
  send t ~flags:[ S ] ?win ~mss ?ws ?sackok ?ts:(if ts then Some (100, 0) else None) 0;
  send t ~ack:1 ?win ?ts:(stamp 101) 1;
  ignore (connection t)

let write t s =
  let n = Tcp.write (connection t) (Bytes.of_string s) ~off:0 ~len:(String.length s) in
  Printf.bprintf t.out "%8.3f write %d of %d\n" (time t) n (String.length s);
  output t

let read t n =
  let b = Bytes.create n in
  let got = Tcp.read (connection t) b ~off:0 ~len:n in
  let s = Bytes.sub_string b 0 got in
  let at_end = got = 0 && Tcb.peer_finished (connection t) in
  Printf.bprintf t.out "%8.3f read %s\n" (time t)
    (if at_end then "end"
     else if got <= 24 then Printf.sprintf "%S" s
     else Printf.sprintf "%d bytes" got);
  output t

(* For its user a connection stays in TIME-WAIT; for the host that ends. *)
let host_state t =
  match (connection t).state with
  | Time_wait when not (Tcp.waits (tcp t) (connection t)) -> Tcb.Closed
  | state -> state

let state t =
  let c = connection t in
  Printf.bprintf t.out "%8.3f state %s%s\n" (time t)
    (Fmt.str "%a" Tcb.pp_state (host_state t))
    (match c.error with None -> "" | Some e -> Fmt.str ", %a" Tcb.pp_error e)

let window t =
  let c = (connection t).congestion in
  Printf.bprintf t.out "%8.3f cwnd %d" (time t) (Congestion.window c);
  if Congestion.ssthresh c < max_int then
    Printf.bprintf t.out " ssthresh %d" (Congestion.ssthresh c);
  Buffer.add_char t.out '\n'

let shutdown t =
  Printf.bprintf t.out "%8.3f shutdown\n" (time t);
  Tcp.shutdown_send (connection t);
  output t

let close t =
  Printf.bprintf t.out "%8.3f close\n" (time t);
  Tcp.close t.tcp (connection t);
  output t

let abort t =
  Printf.bprintf t.out "%8.3f abort\n" (time t);
  Tcp.abort t.tcp (connection t);
  output t

type over_v6 = Same | Own | Never

let case ?(over_v6 = Same) ?config name script =
  let play family name =
    let t = host ~family ?config () in
    script t;
    Weir_test.Suite.expected ~file:("test/core/traces/" ^ name ^ ".expected") (trace t)
  in
  Weir_test.Suite.case name (fun () ->
      play V4 name;
      match over_v6 with Same -> play V6 name | Own -> play V6 (name ^ ".v6") | Never -> ())

open Eio.Std
module Interception = Weir_eio.Interception
module Connection = Weir_eio.Connection

type protocol = Tcp | Udp
type decision = To of Ipaddr.t * int | Refuse | Drop

type ending =
  | Closed
  | Reset_by_client
  | Reset_by_server
  | Refused
  | Unreachable of string
  | Timed_out
  | Denied
  | Abandoned
  | Limited
  | Stopped

let pp_ending f e =
  match e with
  | Closed -> Format.pp_print_string f "closed"
  | Reset_by_client -> Format.pp_print_string f "reset by the client"
  | Reset_by_server -> Format.pp_print_string f "reset by the server"
  | Refused -> Format.pp_print_string f "refused by the server"
  | Unreachable why -> Format.fprintf f "unreachable: %s" why
  | Timed_out -> Format.pp_print_string f "the server did not answer"
  | Denied -> Format.pp_print_string f "denied"
  | Abandoned -> Format.pp_print_string f "the client gave up"
  | Limited -> Format.pp_print_string f "ended by its limit"
  | Stopped -> Format.pp_print_string f "the gateway ended"

type limit = Relay.limit = {
  bytes : int;
  counted : [ `Sent | `Received | `Both ];
  then_ : [ `Reset | `Stall ];
}

type kernel = Relay.kernel = { rtt_ns : int; retransmitted : int }
type info = { client : Weir_flow.Flow.tcp_info; server : kernel option }

type record = {
  protocol : protocol;
  number : int;
  source : Ipaddr.t * int;
  destination : Ipaddr.t * int;
  began_ns : int64;
  mutable connected_ns : int64;
  mutable ended_ns : int64;
  mutable client_closed : bool;
  mutable sent : int;
  mutable received : int;
  mutable ending : ending option;
  mutable info : unit -> info option;
}

let nothing_known () = None
let to_eio (a, port) = (Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets a), port)

type t = {
  clock : Eio.Time.Mono.ty r;
  decide : protocol -> Ipaddr.t * int -> decision;
  began : record -> unit;
  ended : record -> unit;
  limit : record -> limit option;
  connect_timeout_ns : int;
  idle_ns : int -> int;
  mutable next_number : int;
  mutable connections : int;
}

let now t = Mtime.to_uint64_ns (Eio.Time.Mono.now t.clock)
let limit ns = Mtime.Span.of_uint64_ns (Int64.of_int ns)

let begin_record t protocol ~source ~destination =
  let number = t.next_number in
  t.next_number <- number + 1;
  let r =
    {
      protocol;
      number;
      source;
      destination;
      began_ns = now t;
      connected_ns = -1L;
      ended_ns = -1L;
      client_closed = false;
      sent = 0;
      received = 0;
      ending = None;
      info = nothing_known;
    }
  in
  t.began r;
  r

(* Runs [f r], which says how it ended; if the gateway is stopped meanwhile, that is the end. What
   goes wrong with one connection must not end the others. *)
let recorded t protocol ~source ~destination f =
  let r = begin_record t protocol ~source ~destination in
  let finish ending =
    r.ending <- Some ending;
    r.ended_ns <- now t;
    t.ended r
  in
  match f r with
  | ending -> finish ending
  | exception (Eio.Cancel.Cancelled _ as e) ->
      let bt = Printexc.get_raw_backtrace () in
      finish (if r.client_closed then Closed else Stopped);
      Printexc.raise_with_backtrace e bt
  | exception e -> finish (Unreachable (Printexc.to_string e))

(* -- TCP ------------------------------------------------------------------ *)

(* Closing with SO_LINGER 0 sends a RST. *)
let reset socket =
  try Eio.Net.setsockopt socket Eio.Net.Sockopt.SO_LINGER (Some 0) with Eio.Io _ -> ()

(* An attempt that is not answered is no reason to answer the client. *)
let connect t ~net ~sw destination =
  let address, port = to_eio destination in
  let attempt () = Ok (Eio.Net.connect ~sw net (`Tcp (address, port))) in
  match Eio.Time.Timeout.(run_exn (v t.clock (limit t.connect_timeout_ns))) attempt with
  | connected -> connected
  | exception Eio.Time.Timeout -> Error Timed_out
  | exception Eio.Io (Eio.Net.E (Connection_failure (Refused _)), _) -> Error Refused
  | exception Eio.Io (Eio.Net.E (Connection_failure Timeout), _) -> Error Timed_out
  | exception (Eio.Io _ as e) -> Error (Unreachable (Printexc.to_string e))

let no_delay socket =
  try Eio.Net.setsockopt socket Eio.Net.Sockopt.TCP_NODELAY true with Eio.Io _ | Unix.Unix_error _ -> ()

(* What either side sends at once goes on at once. *)
let relay t r ~client ~server =
  no_delay server;
  no_delay (Connection.socket client);
  let info () =
    Some { client = Connection.tcp_info client; server = Relay.kernel_info server }
  in
  r.info <- info;
  let progress : Relay.progress =
    {
      sent = (fun n -> r.sent <- r.sent + n);
      received = (fun n -> r.received <- r.received + n);
      client_closed = (fun () -> r.client_closed <- true);
    }
  in
  let last () =
    let last = info () in
    r.info <- (fun () -> last)
  in
  let outcome =
    Fun.protect ~finally:last @@ fun () ->
    Relay.run ?limit:(t.limit r) ~client ~server progress
  in
  match outcome with
  | Closed -> Closed
  | Reset_by_client ->
      reset server;
      Reset_by_client
  | Reset_by_server ->
      Connection.abort client;
      Reset_by_server
  | Limited ->
      reset server;
      Connection.abort client;
      Limited

let stand_between t r request ~sw server =
  match Interception.accept request ~sw with
  | exception Eio.Io _ ->
      reset server;
      Abandoned
  | client ->
      r.connected_ns <- now t;
      relay t r ~client ~server

let decide_and_relay t ~net request r =
  match t.decide Tcp r.destination with
  | Refuse ->
      Interception.refuse request;
      Denied
  | Drop ->
      Interception.drop request;
      Denied
  | To (address, port) -> (
      Switch.run @@ fun sw ->
      match connect t ~net ~sw (address, port) with
      | Ok server -> stand_between t r request ~sw server
      | Error (Timed_out as e) ->
          Interception.drop request;
          e
      | Error e ->
          Interception.refuse request;
          e)

let request t ~net q =
  t.connections <- t.connections + 1;
  Fun.protect ~finally:(fun () ->
      t.connections <- t.connections - 1;
      Interception.drop q)
  @@ fun () ->
  recorded t Tcp ~source:(Interception.source q) ~destination:(Interception.destination q)
    (decide_and_relay t ~net q)

(* -- UDP ------------------------------------------------------------------ *)

let longest_datagram = 65_507

(* Both directions end when nothing has passed for a while. *)
let carry t r ~idle_ns ~client ~server ~destination =
  let last = ref (now t) and target = `Udp (to_eio destination) in
  let passed () = last := now t in
  (* An error is about an earlier datagram: a closed port that an ICMP message told of, a full
     queue. It is lost, as datagrams are. *)
  let rec each f buffer =
    (try f buffer with Eio.Io _ -> Fiber.yield ());
    each f buffer
  in
  let up buffer =
    let _, n = Eio.Net.recv client buffer in
    passed ();
    Eio.Net.send server ~dst:target [ Cstruct.sub buffer 0 n ];
    r.sent <- r.sent + n
  and down buffer =
    let from, n = Eio.Net.recv server buffer in
    if from = target then (
      passed ();
      Eio.Net.send client [ Cstruct.sub buffer 0 n ];
      r.received <- r.received + n)
  in
  let rec watch () =
    let left = idle_ns - Int64.to_int (Int64.sub (now t) !last) in
    if left > 0 then (
      Eio.Time.Mono.sleep_span t.clock (limit left);
      watch ())
  in
  let buffer () = Cstruct.create longest_datagram in
  Fiber.any [ watch; (fun () -> each up (buffer ())); (fun () -> each down (buffer ())) ];
  Closed

let any_of (address, _) = match address with Ipaddr.V4 _ -> `UdpV4 | V6 _ -> `UdpV6

let flow t ~net ~sw f =
  let client = Interception.socket f in
  let destination = Interception.flow_destination f in
  recorded t Udp ~source:(Interception.flow_source f) ~destination @@ fun r ->
  match t.decide Udp destination with
  | Refuse | Drop -> Denied
  | To (address, port) -> (
      let target = (address, port) in
      match Eio.Net.datagram_socket ~sw net (any_of target) with
      | exception Eio.Io (e, _) -> Unreachable (Fmt.str "%a" Eio.Exn.pp_err e)
      | server ->
          r.connected_ns <- now t;
          carry t r ~idle_ns:(t.idle_ns port) ~client ~server ~destination:target)

(* -- the gateway ---------------------------------------------------------- *)

let to_itself _ (address, port) = To (address, port)
let seconds n = n * 1_000_000_000
let default_idle port = if port = 53 then seconds 10 else seconds 120

let run ~clock ~net ?(decide = to_itself) ?(began = ignore) ?(ended = ignore)
    ?(limit = fun _ -> None) ?(connect_timeout_ns = seconds 120) ?(idle_ns = default_idle) ?(max_connections = 10_000)
    ?max_flows host =
  let t =
    {
      clock :> Eio.Time.Mono.ty r;
      decide;
      began;
      ended;
      limit;
      connect_timeout_ns;
      idle_ns;
      next_number = 0;
      connections = 0;
    }
  in
  Switch.run @@ fun sw ->
  let i = Interception.start host ~sw ?flows:max_flows () in
  let rec requests () =
    let q = Interception.next_request i in
    if t.connections >= max_connections then Interception.drop q
    else Fiber.fork ~sw (fun () -> request t ~net q);
    requests ()
  in
  let rec flows () =
    let fresh, taken = Eio.Promise.create () in
    Fiber.fork ~sw (fun () ->
        Switch.run @@ fun sw ->
        let f = Interception.next_flow i ~sw in
        Eio.Promise.resolve taken ();
        flow t ~net ~sw f);
    Eio.Promise.await fresh;
    flows ()
  in
  Fiber.both requests flows

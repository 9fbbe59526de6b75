open Eio.Std
module Interception = Weir_eio.Interception
module Connection = Weir_eio.Connection
module Outside = Outside

type protocol = Tcp | Udp | Icmp
type reason = Weir_core.Icmp_error.reason = Network | Host | Port | Prohibited | Code of int

type service = {
  stream : [ `Generic | `Unix ] Eio.Net.stream_socket_ty r -> unit;
  datagram : Bytes.t -> Bytes.t option;
}

type decision =
  | To of Ipaddr.t * int
  | Refuse
  | Drop
  | Unreachable_for of reason
  | Serve of service

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
  datagrams : sw:Switch.t -> Ipaddr.t * int -> Outside.datagrams;
  max_connections : int;
  max_flows : int;
  pairs : (int, pair) Hashtbl.t;  (** of datagrams, by number *)
  mutable next_number : int;
  mutable connections : int;
  mutable pings : int;
}

and pair = { mutable last_ns : int64; stop : unit Eio.Promise.u }

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

(* What the client is to be told of an error outside, so that it sees the same one. *)
let reason_of : Unix.error -> reason option = function
  | ENETUNREACH | EADDRNOTAVAIL | EAFNOSUPPORT | ENETDOWN -> Some Network
  | EHOSTUNREACH | EHOSTDOWN -> Some Host
  | EACCES | EPERM -> Some Prohibited
  | _ -> None

(* What becomes of the client, and how it is recorded. An attempt that is not answered is no reason
   to answer the client, nor is a lack of descriptors here. *)
let failure e =
  match Outside.error e with
  | Some ECONNREFUSED -> (`Refuse, Refused)
  | Some ETIMEDOUT -> (`Drop, Timed_out)
  | Some ((EMFILE | ENFILE | ENOBUFS | ENOMEM) as e) -> (`Drop, Unreachable (Unix.error_message e))
  | Some e -> (
      match reason_of e with
      | Some reason -> (`Unreachable reason, Unreachable (Unix.error_message e))
      | None -> (`Refuse, Unreachable (Unix.error_message e)))
  | None -> (`Refuse, Unreachable (Printexc.to_string e))

let connect t ~net ~sw destination =
  let address, port = to_eio destination in
  let attempt () = Ok (Eio.Net.connect ~sw net (`Tcp (address, port))) in
  match Eio.Time.Timeout.(run_exn (v t.clock (limit t.connect_timeout_ns))) attempt with
  | connected -> connected
  | exception Eio.Time.Timeout -> Error (`Drop, Timed_out)
  | exception (Eio.Io _ as e) -> Error (failure e)

let serve_stream t r request ~sw service =
  match Interception.accept request ~sw with
  | exception Eio.Io _ -> Abandoned
  | client -> (
      r.connected_ns <- now t;
      match service.stream (Connection.socket client) with
      | () ->
          r.client_closed <- true;
          Closed
      | exception (Eio.Io _ | End_of_file) -> Reset_by_client)

let no_delay socket =
  try Eio.Net.setsockopt socket Eio.Net.Sockopt.TCP_NODELAY true
  with Eio.Io _ | Unix.Unix_error _ -> ()

(* What either side sends at once goes on at once. [inside] is the program's connection, whoever
   opened it. *)
let relay ?(inward = false) t r ~inside ~outer =
  no_delay outer;
  no_delay (Connection.socket inside);
  let info () = Some { client = Connection.tcp_info inside; server = Relay.kernel_info outer } in
  r.info <- info;
  let out n = r.sent <- r.sent + n and in_ n = r.received <- r.received + n in
  let progress : Relay.progress =
    {
      sent = (if inward then in_ else out);
      received = (if inward then out else in_);
      client_closed = (fun () -> r.client_closed <- true);
    }
  in
  let last () =
    let last = info () in
    r.info <- (fun () -> last)
  in
  let outcome =
    Fun.protect ~finally:last @@ fun () ->
    Relay.run ?limit:(t.limit r) ~client:inside ~server:outer progress
  in
  match outcome with
  | Closed -> Closed
  | Reset_by_client ->
      reset outer;
      if inward then Reset_by_server else Reset_by_client
  | Reset_by_server ->
      Connection.abort inside;
      if inward then Reset_by_client else Reset_by_server
  | Limited ->
      reset outer;
      Connection.abort inside;
      Limited

let stand_between t r request ~sw server =
  match Interception.accept request ~sw with
  | exception Eio.Io _ ->
      reset server;
      Abandoned
  | client ->
      r.connected_ns <- now t;
      relay t r ~inside:client ~outer:server

let decide_and_relay t ~net request r =
  match t.decide Tcp r.destination with
  | Refuse ->
      Interception.refuse request;
      Denied
  | Drop ->
      Interception.drop request;
      Denied
  | Unreachable_for reason ->
      Interception.unreachable request reason;
      Denied
  | Serve service -> Switch.run @@ fun sw -> serve_stream t r request ~sw service
  | To (address, port) -> (
      Switch.run @@ fun sw ->
      match connect t ~net ~sw (address, port) with
      | Ok server -> stand_between t r request ~sw server
      | Error (answer, ending) ->
          (match answer with
          | `Drop -> Interception.drop request
          | `Refuse -> Interception.refuse request
          | `Unreachable reason -> Interception.unreachable request reason);
          ending)

let request t ~net q =
  t.connections <- t.connections + 1;
  Fun.protect ~finally:(fun () ->
      t.connections <- t.connections - 1;
      Interception.drop q)
  @@ fun () ->
  recorded t Tcp ~source:(Interception.source q) ~destination:(Interception.destination q)
    (decide_and_relay t ~net q)

(* -- UDP ------------------------------------------------------------------ *)

(* Systems tell a UDP socket of an error only if a retry cannot help (RFC 1122 §4.1.3.3). The kernel
   outside has just told us, so the client should hear too: network unknown and host prohibited are
   such codes of IPv4's, with the same errno as their soft brothers. *)
let hard client reason =
  match (fst (Interception.flow_destination client), reason) with
  | Ipaddr.V4 _, Network -> Code 6
  | V4 _, Host -> Code 10
  | _ -> reason

(* What a datagram's sender is told if it could not be delivered. Not all that goes wrong is for it. *)
let tell client e =
  match Outside.error e with
  | Some ECONNREFUSED -> Interception.report client Port
  | Some e -> Option.iter (fun r -> Interception.report client (hard client r)) (reason_of e)
  | None -> ()

(* Returns when nothing has passed for a while. *)
let rec watch t p ~idle_ns =
  let left = idle_ns - Int64.to_int (Int64.sub (now t) p.last_ns) in
  if left > 0 then (
    Eio.Time.Mono.sleep_span t.clock (limit left);
    watch t p ~idle_ns)

let carry t r p ~idle_ns ~client (server : Outside.datagrams) =
  let passed () = p.last_ns <- now t in
  (* An error is about one datagram, or an earlier one: it is lost, as datagrams are. *)
  let rec each f =
    (try f ()
     with Eio.Io _ as e ->
       tell client e;
       Fiber.yield ());
    each f
  in
  let up () =
    let b = Interception.receive client in
    passed ();
    try
      server.send b;
      r.sent <- r.sent + Bytes.length b
    with Eio.Io _ as e -> tell client e
  and down () =
    let b = server.receive () in
    passed ();
    Interception.send client b;
    r.received <- r.received + Bytes.length b
  in
  let rec forever f =
    f ();
    forever f
  in
  Fiber.any [ (fun () -> watch t p ~idle_ns); (fun () -> forever up); (fun () -> each down) ];
  Closed

(* Each question has its answer, by a fiber of its own: an answer may take its time. *)
let serve_datagrams t r p ~idle_ns ~client service =
  Switch.run @@ fun sw ->
  let rec questions () =
    let b = Interception.receive client in
    p.last_ns <- now t;
    r.sent <- r.sent + Bytes.length b;
    Fiber.fork_daemon ~sw (fun () ->
        (match service.datagram b with
        | Some answer ->
            r.received <- r.received + Bytes.length answer;
            Interception.send client answer
        | None -> ()
        | exception (Eio.Io _ | End_of_file) -> ());
        `Stop_daemon);
    questions ()
  in
  Fiber.first (fun () -> watch t p ~idle_ns) questions;
  Closed

(* A full table makes room: what was silent for longest ends. *)
let make_room t =
  if Hashtbl.length t.pairs >= t.max_flows then
    Hashtbl.fold
      (fun n p oldest ->
        match oldest with Some (_, o) when o.last_ns <= p.last_ns -> oldest | _ -> Some (n, p))
      t.pairs None
    |> Option.iter (fun (n, p) ->
        Hashtbl.remove t.pairs n;
        Eio.Promise.resolve p.stop ())

let in_table t r f =
  make_room t;
  let stopped, stop = Eio.Promise.create () in
  let p = { last_ns = now t; stop } in
  Hashtbl.replace t.pairs r.number p;
  Fun.protect ~finally:(fun () -> Hashtbl.remove t.pairs r.number) @@ fun () ->
  Fiber.first
    (fun () ->
      Eio.Promise.await stopped;
      Closed)
    (fun () -> f p)

let flow t ~sw client =
  let destination = Interception.flow_destination client in
  recorded t Udp ~source:(Interception.flow_source client) ~destination @@ fun r ->
  let denied reason =
    Option.iter (Interception.report client) reason;
    Denied
  in
  match t.decide Udp destination with
  | Refuse -> denied (Some Port)
  | Unreachable_for reason -> denied (Some reason)
  | Drop -> denied None
  | Serve service ->
      r.connected_ns <- now t;
      in_table t r (fun p ->
          serve_datagrams t r p ~idle_ns:(t.idle_ns (snd destination)) ~client service)
  | To (address, port) -> (
      match t.datagrams ~sw (address, port) with
      | exception (Eio.Io _ as e) ->
          tell client e;
          snd (failure e)
      | server ->
          r.connected_ns <- now t;
          in_table t r (fun p -> carry t r p ~idle_ns:(t.idle_ns port) ~client server))

(* -- echo requests --------------------------------------------------------- *)

let max_pings = 256

let echo t ping e =
  let request = Interception.echo_request e in
  let destination = (Interception.echo_destination e, 0) in
  recorded t Icmp ~source:(Interception.echo_source e, 0) ~destination @@ fun r ->
  let denied reason =
    Option.iter (Interception.echo_unreachable e) reason;
    Denied
  in
  match t.decide Icmp destination with
  | Refuse -> denied (Some Prohibited)
  | Unreachable_for reason -> denied (Some reason)
  | Drop -> denied None
  | Serve _ ->
      Interception.reply e;
      Closed
  | To (address, _) -> (
      match ping address ~sequence:request.sequence request.data with
      | Some data ->
          r.connected_ns <- now t;
          r.sent <- String.length request.data;
          r.received <- String.length data;
          Interception.reply ~data e;
          Closed
      | None -> Timed_out
      | exception (Eio.Io _ as e')
        when match Outside.error e' with Some (EACCES | EPERM) -> true | _ -> false ->
          Interception.echo_unreachable e Prohibited;
          Unreachable "no permission to send echo requests: see net.ipv4.ping_group_range"
      | exception (Eio.Io _ as e') ->
          let answer, ending = failure e' in
          (match answer with
          | `Unreachable reason -> Interception.echo_unreachable e reason
          | `Refuse -> Interception.echo_unreachable e Port
          | `Drop -> ());
          ending)

(* -- from outside ---------------------------------------------------------- *)

type inward = { t : t; interception : Interception.t }

(* From another port, if the client's own is taken. *)
let connect_in i ~sw ~source destination =
  match Interception.connect i.interception ~sw ~source destination with
  | exception (Eio.Io _ as e) when Outside.error e = Some EADDRINUSE ->
      Interception.connect i.interception ~sw ~source:(fst source, 0) destination
  | c -> c

let let_in i ~source ~destination outer =
  let t = i.t in
  recorded t Tcp ~source ~destination @@ fun r ->
  Switch.run @@ fun sw ->
  match connect_in i ~sw ~source destination with
  | exception (Eio.Io _ as e) ->
      reset outer;
      snd (failure e)
  | inside ->
      r.connected_ns <- now t;
      relay ~inward:true t r ~inside ~outer

let stream_in i ~source ~destination outer =
  if i.t.connections < i.t.max_connections then (
    i.t.connections <- i.t.connections + 1;
    Fun.protect
      ~finally:(fun () -> i.t.connections <- i.t.connections - 1)
      (fun () -> let_in i ~source ~destination outer))
  else reset outer

let datagrams_in i ~source ~destination outer =
  Switch.run @@ fun sw ->
  match Interception.open_flow i.interception ~sw ~source destination with
  | None -> ()
  | Some inside ->
      recorded i.t Udp ~source ~destination @@ fun r ->
      r.connected_ns <- now i.t;
      let idle_ns = i.t.idle_ns (snd destination) in
      in_table i.t r (fun p -> carry i.t r p ~idle_ns ~client:inside outer)

(* -- the gateway ---------------------------------------------------------- *)

let to_itself _ (address, port) = To (address, port)
let seconds n = n * 1_000_000_000
let default_idle port = if port = 53 then seconds 10 else seconds 120

let rec requests t i ~sw ~net =
  let q = Interception.next_request i in
  if t.connections >= t.max_connections then Interception.drop q
  else Fiber.fork ~sw (fun () -> request t ~net q);
  requests t i ~sw ~net

let rec flows t i ~sw =
  let fresh, taken = Eio.Promise.create () in
  Fiber.fork ~sw (fun () ->
      Switch.run @@ fun sw ->
      let f = Interception.next_flow i ~sw in
      Eio.Promise.resolve taken ();
      flow t ~sw f);
  Eio.Promise.await fresh;
  flows t i ~sw

let rec echoes t i ~sw ping =
  let e = Interception.next_echo i in
  if t.pings < max_pings then (
    t.pings <- t.pings + 1;
    Fiber.fork ~sw (fun () ->
        Fun.protect ~finally:(fun () -> t.pings <- t.pings - 1) (fun () -> echo t ping e)));
  echoes t i ~sw ping

(* Flows that end make place a little later. *)
let spare_flows = 64

let run ~clock ~net ?(decide = to_itself) ?(began = ignore) ?(ended = ignore)
    ?(limit = fun _ -> None) ?(connect_timeout_ns = seconds 120) ?(idle_ns = default_idle)
    ?(max_connections = 10_000) ?(max_flows = 1_024) ?datagrams ?ping ?(started = ignore) host =
  if max_flows < 1 then invalid_arg "Weir_gateway.run: max_flows";
  let t =
    {
      clock :> Eio.Time.Mono.ty r;
      decide;
      began;
      ended;
      limit;
      connect_timeout_ns;
      idle_ns;
      datagrams = Option.value datagrams ~default:(Outside.of_net net);
      max_connections;
      max_flows;
      pairs = Hashtbl.create 16;
      next_number = 0;
      connections = 0;
      pings = 0;
    }
  in
  Switch.run @@ fun sw ->
  let i = Interception.start host ~sw ~flows:(max_flows + spare_flows) ~echo:(ping <> None) () in
  started { t; interception = i };
  Fiber.all
    [
      (fun () -> requests t i ~sw ~net);
      (fun () -> flows t i ~sw);
      (fun () -> Option.iter (echoes t i ~sw) ping);
    ]

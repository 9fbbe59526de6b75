(* A resolver in virtual time, and servers that are functions. *)

open Weir_base
open Weir_wire
open Weir_drive
module Suite = Weir_test.Suite
module Zone = Weir_sim.Dns_server

let ip = Ipaddr.of_string_exn
let name = Zone.name
let first = ip "192.0.2.1"
let second = ip "192.0.2.2"
let third = ip "192.0.2.3"

let zone =
  [
    Zone.a "www.example" "10.1.0.1";
    Zone.a "www.example" "10.1.0.2";
    Zone.aaaa "www.example" "fd00::1";
    Zone.a "v4.example" "10.1.0.4";
    ("alias.example", 20, Dns.CNAME (name "other.example"));
    ("other.example", 60, Dns.CNAME (name "www.example"));
    ("loop.example", 60, Dns.CNAME (name "pool.example"));
    ("pool.example", 60, Dns.CNAME (name "loop.example"));
    ( "_http._tcp.example",
      60,
      SRV { priority = 1; weight = 2; port = 80; target = name "www.example" } );
    ("text.example", 60, TXT [ "one"; "two" ]);
    ("www.example", 60, MX { preference = 1; exchange = name "Mail.WWW.example" });
    ("1.0.1.10.in-addr.arpa", 60, PTR (name "www.example"));
    Zone.a "host.corp.example" "10.1.0.7";
  ]

(* What a server does with a query that came by UDP or TCP: what it sends back, and when. *)
type reply = Message of Time.t * Dns.t | Bytes of Time.t * string | Refuses
type server = stream:bool -> Dns.t -> reply list

let right ?(after = Time.ms 10) ?(zone = zone) () : server =
 fun ~stream query ->
  let payload = if stream then Some 65_535 else None in
  [ Message (after, Zone.answer ?payload zone query) ]

let silent : server = fun ~stream:_ _ -> []
let refusing : server = fun ~stream:_ _ -> [ Refuses ]

let code rcode : server =
 fun ~stream:_ q -> [ Message (Time.ms 10, { (Zone.answer [] q) with rcode; authority = [] }) ]

type happening = Answer of Resolver.channel * Ipaddr.t * string | Gone of Resolver.channel

type world = {
  r : Resolver.t;
  servers : (Ipaddr.t * server) list;
  mutable now : Time.t;
  mutable coming : (Time.t * int * happening) list;  (** earliest first *)
  mutable count : int;
  mutable sent : (Time.t * Ipaddr.t * bool * Dns.t) list;  (** the latest first *)
  mutable open_ : (Resolver.channel * bool) list;
  mutable most_open : int;
  mutable progress : (Resolver.request * Resolver.progress) list;  (** the latest first *)
}

let make ?search servers =
  let r = Resolver.create ~random:(Random.State.make [| Suite.seed () |]) in
  Resolver.set_servers r ?search (List.map fst servers);
  {
    r;
    servers;
    now = Time.s 1;
    coming = [];
    count = 0;
    sent = [];
    open_ = [];
    most_open = 0;
    progress = [];
  }

let come w at what =
  w.count <- w.count + 1;
  w.coming <- List.sort compare ((at, w.count, what) :: w.coming)

let decoded s =
  match Dns.decode (Bytes.of_string s) ~off:0 ~len:(String.length s) with
  | Ok m -> m
  | Error e -> Alcotest.failf "a query: %a" Error.pp e

let transmit w ~stream channel server message =
  w.open_ <- (channel, stream) :: w.open_;
  w.most_open <- Int.max w.most_open (List.length w.open_);
  let query = decoded message in
  w.sent <- (w.now, server, stream, query) :: w.sent;
  List.iter
    (function
      | Refuses -> come w (w.now + Time.ms 1) (Gone channel)
      | Message (after, m) -> come w (w.now + after) (Answer (channel, server, Dns.emit m))
      | Bytes (after, s) -> come w (w.now + after) (Answer (channel, server, s)))
    ((List.assoc server w.servers) ~stream query)

let rec outputs w =
  match Resolver.next w.r with
  | Idle -> ()
  | output ->
      (match output with
      | Idle -> ()
      | Datagram { channel; server; message } -> transmit w ~stream:false channel server message
      | Stream { channel; server; message } ->
          let n = String.length message - 2 in
          Alcotest.(check int) "length" n (String.get_uint16_be message 0);
          transmit w ~stream:true channel server (String.sub message 2 n)
      | Close c -> w.open_ <- List.remove_assoc c w.open_
      | Progress (r, p) -> w.progress <- (r, p) :: w.progress);
      outputs w

let happen w = function
  | Gone c -> Resolver.failed w.r ~now:w.now c
  | Answer (c, server, s) -> (
      match List.assoc_opt c w.open_ with
      | None -> ()
      | Some false ->
          Resolver.receive w.r ~now:w.now c ~from:(server, 53) (Bytes.of_string s)
            ~len:(String.length s)
      | Some true ->
          (* Byte by byte. *)
          let prefix = Bytes.create 2 in
          Bytes.set_uint16_be prefix 0 (String.length s);
          String.iter
            (fun byte -> Resolver.receive_stream w.r ~now:w.now c (Bytes.make 1 byte) ~len:1)
            (Bytes.to_string prefix ^ s))

(* Until nothing is due any more. *)
let rec run w =
  outputs w;
  let deadline = Resolver.deadline w.r in
  match w.coming with
  | (at, _, what) :: rest when at <= deadline ->
      w.coming <- rest;
      w.now <- Int.max w.now at;
      happen w what;
      run w
  | _ when deadline < Time.never ->
      w.now <- Int.max w.now deadline;
      Resolver.tick w.r ~now:w.now;
      run w
  | _ -> ()

let ask w kinds text =
  Resolver.ask w.r ~now:w.now kinds (Search_list.candidates (Resolver.search w.r) text)

let outcome w r =
  let all =
    List.filter_map (function s, Resolver.Done a when s == r -> Some a | _ -> None) w.progress
  in
  match all with
  | [ a ] -> a
  | [] -> Alcotest.fail "no answer"
  | _ -> Alcotest.fail "several answers"

let data (r : Dns.record) =
  match r.data with
  | A a -> Ipaddr.V4.to_string a
  | AAAA a -> Ipaddr.V6.to_string a
  | PTR n -> Domain_name.to_string n
  | SRV s ->
      Printf.sprintf "%d %d %d %s" s.priority s.weight s.port (Domain_name.to_string s.target)
  | TXT l -> String.concat " " l
  | MX m -> Domain_name.to_string m.exchange
  | _ -> "?"

let failure : Resolver.failure -> string = function
  | No_name -> "no name"
  | No_data -> "no data"
  | Server_failure -> "server failure"
  | Refused -> "refused"
  | No_answer -> "no answer"
  | No_servers -> "no servers"

let shown = function
  | Ok found -> String.concat " " (List.concat_map (fun (_, l) -> List.map data l) found)
  | Error e -> failure e

let get w kinds text =
  let r = ask w kinds text in
  run w;
  shown (outcome w r)

let is what want got = Alcotest.(check string) what want got
let queries w = List.length w.sent
let after w since = Time.to_float_s (w.now - since)
let evil : Dns.data = A (Ipaddr.V4.of_string_exn "66.66.66.66")

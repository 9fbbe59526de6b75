open Weir_base
open Weir_wire
include Resolver_state

type output =
  | Idle
  | Datagram of { channel : channel; server : Ipaddr.t; message : string }
  | Stream of { channel : channel; server : Ipaddr.t; message : string }
  | Close of channel
  | Progress of request * progress

type t = {
  random : Random.State.t;
  mutable all : server list;
  mutable search : Search_list.t;
  cache : Dns_cache.t;
  queries : (string, query) Hashtbl.t;
  waiting : query Queue.t;
  open_channels : (channel, open_channel) Hashtbl.t;
  outputs : output Queue.t;
  mutable active : int;
  mutable next_channel : channel;
  mutable soonest : Time.t;
  mutable changed : bool;  (** [soonest] must be found again *)
}

let most_servers = 4
let most_queries = 128
let most_wrong = 16
let rounds = 3
let first_timeout = Time.s 1
let stream_timeout = Time.s 4
let late_for = Time.s 30
let udp_payload = 1_232
let port = 53

let create ~random =
  {
    random;
    all = [];
    search = Search_list.none;
    cache = Dns_cache.create ();
    queries = Hashtbl.create 8;
    waiting = Queue.create ();
    open_channels = Hashtbl.create 8;
    outputs = Queue.create ();
    active = 0;
    next_channel = 0;
    soonest = Time.never;
    changed = false;
  }

let servers t = List.map (fun s -> s.address) t.all
let search t = t.search
let queries t = Hashtbl.length t.queries
let is_idle t = Hashtbl.length t.queries = 0 && Queue.is_empty t.outputs
let cache t = t.cache

let set_servers t ?(search = Search_list.none) servers =
  let server address = { address; late_until = 0 } in
  t.all <- List.map server (List.filteri (fun i _ -> i < most_servers) servers);
  t.search <- search;
  Dns_cache.clear t.cache

let push t output = Queue.push output t.outputs

let rec next t =
  match Queue.take_opt t.outputs with
  | None -> Idle
  | Some (Progress (r, _)) when r.over -> next t
  | Some (Progress (r, Done _) as output) ->
      r.over <- true;
      output
  | Some output -> output

(* -- messages ------------------------------------------------------------ *)

let close t c =
  if Hashtbl.mem t.open_channels c.number then (
    Hashtbl.remove t.open_channels c.number;
    c.query.channels <- List.filter (fun d -> d != c) c.query.channels;
    push t (Close c.number))

let set_due t q at =
  q.due <- at;
  t.changed <- true

let send t ~now q server ~stream ~round =
  let last = round = rounds - 1 in
  let edns = not (last || List.memq server q.plain) in
  let name = if last then q.asked else Dns_question.random_case t.random q.asked in
  let id = Random.State.int t.random 0x10000 in
  let message =
    Dns.emit (Dns.query ~id ~edns:(if edns then Some udp_payload else None) q.kind name)
  in
  let number = t.next_channel in
  t.next_channel <- number + 1;
  let question : Dns.question = { name; kind = q.kind; class_ = Dns.in_ } in
  let received = Buffer.create 0 in
  let c = { number; query = q; server; id; question; edns; stream; received; wrong = 0 } in
  Hashtbl.replace t.open_channels number c;
  q.channels <- c :: q.channels;
  q.current <- number;
  let server = server.address in
  if stream then (
    set_due t q (now + stream_timeout);
    push t (Stream { channel = number; server; message = Dns_question.for_stream message }))
  else (
    set_due t q (now + (first_timeout lsl round));
    push t (Datagram { channel = number; server; message }))

let round q = q.attempt / Array.length q.servers
let again t ~now c ~stream = send t ~now c.query c.server ~stream ~round:(round c.query)

(* What needs no server. *)
let known t ~now name kind =
  let here = Dns_question.answer_here name kind in
  if here = None && t.all = [] then Some (Error No_servers)
  else
    match if here <> None then here else Dns_cache.find t.cache ~now name kind with
    | Some (Ok records) -> Some (Ok records)
    | Some (Error `No_name) -> Some (Error No_name)
    | Some (Error `No_data) -> Some (Error No_data)
    | None -> None

(* -- requests and queries -------------------------------------------------- *)

let seriousness = function
  | No_name -> 0
  | No_data -> 1
  | Refused -> 2
  | Server_failure -> 3
  | No_answer -> 4
  | No_servers -> 5

let worse a b = if seriousness a > seriousness b then a else b

(* Servers that were late are asked after the others. *)
let in_order t ~now =
  let late, good = List.partition (fun s -> s.late_until > now) t.all in
  Array.of_list (good @ late)

let new_query name kind key =
  {
    name;
    kind;
    key;
    servers = [||];
    asked = name;
    links = 0;
    seconds = Dns_answer.longest_seconds;
    attempt = -1;
    current = -1;
    due = Time.never;
    struck = [];
    plain = [];
    why = No_answer;
    channels = [];
    requests = [];
  }

let forget t q =
  Hashtbl.remove t.queries q.key;
  t.changed <- true;
  List.iter (close t) q.channels;
  if Array.length q.servers > 0 then t.active <- t.active - 1

let rec next_attempt t ~now q =
  let n = Array.length q.servers in
  q.attempt <- q.attempt + 1;
  if q.attempt >= n * rounds then finish t ~now q (Error q.why)
  else
    let server = q.servers.(q.attempt mod n) in
    if List.memq server q.struck then next_attempt t ~now q
    else send t ~now q server ~stream:false ~round:(round q)

and start t ~now q =
  if t.all = [] then finish t ~now q (Error No_servers)
  else (
    q.servers <- in_order t ~now;
    t.active <- t.active + 1;
    next_attempt t ~now q)

and start_waiting t ~now =
  if t.active < most_queries then
    match Queue.take_opt t.waiting with
    | None -> ()
    | Some q ->
        if q.requests <> [] then start t ~now q;
        start_waiting t ~now

and finish t ~now q answer =
  forget t q;
  let requests = List.rev q.requests in
  q.requests <- [];
  List.iter (fun r -> answered t ~now r q.kind answer) requests;
  start_waiting t ~now

and answered t ~now r kind answer =
  r.left <- r.left - 1;
  (match answer with
  | Ok records -> r.found <- (kind, records) :: r.found
  | Error e -> r.failure <- worse e r.failure);
  let found =
    List.filter (fun (k, _) -> List.mem_assoc k r.found) (List.map (fun k -> (k, ())) r.kinds)
  in
  let found = List.map (fun (k, ()) -> (k, List.assoc k r.found)) found in
  if r.left > 0 then (if Result.is_ok answer then push t (Progress (r, Partly found)))
  else if found <> [] then push t (Progress (r, Done (Ok found)))
  else
    match r.failure with
    | No_answer | No_servers -> push t (Progress (r, Done (Error r.failure)))
    | No_name | No_data | Server_failure | Refused -> next_name t ~now r

and next_name t ~now r =
  match r.names with
  | [] -> push t (Progress (r, Done (Error r.failure)))
  | name :: rest ->
      r.names <- rest;
      r.joined <- [];
      r.left <- List.length r.kinds;
      List.iter
        (fun kind ->
          match known t ~now name kind with
          | Some answer -> answered t ~now r kind answer
          | None -> join t ~now r name kind)
        r.kinds

and join t ~now r name kind =
  let key = Dns_cache.key_of name kind in
  match Hashtbl.find_opt t.queries key with
  | Some q ->
      q.requests <- r :: q.requests;
      r.joined <- q :: r.joined
  | None ->
      let q = new_query name kind key in
      q.requests <- [ r ];
      r.joined <- q :: r.joined;
      Hashtbl.replace t.queries key q;
      if t.active < most_queries then start t ~now q else Queue.push q t.waiting

let ask t ~now kinds names =
  if kinds = [] then invalid_arg "Resolver.ask: no types";
  let r = { kinds; names; left = 0; found = []; failure = No_name; joined = []; over = false } in
  next_name t ~now r;
  r

let cancel t ~now r =
  if not r.over then (
    r.over <- true;
    List.iter
      (fun q ->
        q.requests <- List.filter (fun x -> x != r) q.requests;
        if q.requests = [] && Hashtbl.mem t.queries q.key then forget t q)
      r.joined;
    start_waiting t ~now)

let stop t ~now =
  t.all <- [];
  Hashtbl.fold (fun _ q all -> q :: all) t.queries []
  |> List.iter (fun q -> if Hashtbl.mem t.queries q.key then finish t ~now q (Error No_servers))

(* -- what servers say -------------------------------------------------------- *)

let late ~now server = server.late_until <- now + late_for

(* An older attempt's failure leaves the present one alone. *)
let give_up t ~now c =
  let q = c.query in
  close t c;
  if c.number = q.current then next_attempt t ~now q

let strike t ~now c why =
  let q = c.query in
  q.struck <- c.server :: q.struck;
  q.why <- (if q.why = Server_failure then q.why else why);
  give_up t ~now c

let settle t ~now q answer seconds =
  let keep : Dns_cache.answer =
    match answer with
    | Ok records -> Ok records
    | Error No_name -> Error `No_name
    | Error _ -> Error `No_data
  in
  Dns_cache.add t.cache ~now ~seconds:(Int.min q.seconds seconds) q.name q.kind keep;
  finish t ~now q answer

let follow t ~now q target ~links ~seconds =
  q.links <- q.links + links;
  q.seconds <- Int.min q.seconds seconds;
  List.iter (close t) q.channels;
  if q.links > Dns_answer.most_links then finish t ~now q (Error Server_failure)
  else (
    q.asked <- target;
    q.attempt <- -1;
    q.struck <- [];
    next_attempt t ~now q)

let accept t ~now c (m : Dns.t) =
  let q = c.query in
  let m =
    {
      m with
      answers = List.map (Dns_question.restore ~asked:q.asked ~sent:c.question.name) m.answers;
    }
  in
  c.server.late_until <- 0;
  if m.truncated && c.stream then strike t ~now c Server_failure
  else if m.truncated then (
    close t c;
    again t ~now c ~stream:true)
  else
    match Dns_answer.read m q.asked q.kind with
    | Found { records; seconds } -> settle t ~now q (Ok records) seconds
    | No_data seconds -> settle t ~now q (Error No_data) (Option.value seconds ~default:0)
    | No_name seconds -> settle t ~now q (Error No_name) (Option.value seconds ~default:0)
    | Alias { target; links; seconds } -> follow t ~now q target ~links ~seconds
    | Failed Not_understood when c.edns ->
        q.plain <- c.server :: q.plain;
        close t c;
        again t ~now c ~stream:c.stream
    | Failed Refused -> strike t ~now c Refused
    | Failed (Not_understood | Server_failure) -> strike t ~now c Server_failure

let answer_in c b ~off ~len =
  match Dns.decode b ~off ~len with
  | Ok m when Dns_answer.is_for m ~id:c.id c.question -> Some m
  | Ok _ | Error _ -> None

let receive t ~now channel ~from b ~len =
  match Hashtbl.find_opt t.open_channels channel with
  | None -> ()
  | Some c when c.stream -> ()
  | Some c -> (
      let address, from_port = from in
      let from_server = from_port = port && Ipaddr.compare address c.server.address = 0 in
      match if from_server then answer_in c b ~off:0 ~len else None with
      | Some m -> accept t ~now c m
      | None ->
          c.wrong <- c.wrong + 1;
          if c.wrong = most_wrong then (
            close t c;
            again t ~now c ~stream:true))

let longest_message = 65_535

let receive_stream t ~now channel b ~len =
  match Hashtbl.find_opt t.open_channels channel with
  | None -> ()
  | Some c -> (
      let room = 2 + longest_message - Buffer.length c.received in
      Buffer.add_subbytes c.received b 0 (Int.min len room);
      let have = Buffer.length c.received in
      let length =
        if have < 2 then max_int - 2 else String.get_uint16_be (Buffer.sub c.received 0 2) 0
      in
      if have >= 2 + length then
        let message = Buffer.to_bytes c.received in
        match answer_in c message ~off:2 ~len:length with
        | Some m -> accept t ~now c m
        | None -> strike t ~now c Server_failure)

let failed t ~now channel =
  match Hashtbl.find_opt t.open_channels channel with
  | None -> ()
  | Some c ->
      late ~now c.server;
      give_up t ~now c

(* -- time ---------------------------------------------------------------------- *)

let deadline t =
  if t.changed then (
    t.changed <- false;
    t.soonest <- Hashtbl.fold (fun _ q at -> Int.min q.due at) t.queries Time.never);
  t.soonest

(* Channels stay open: the answer may only be late. *)
let timed_out t ~now q =
  Hashtbl.find_opt t.open_channels q.current |> Option.iter (fun c -> late ~now c.server);
  next_attempt t ~now q

let tick t ~now =
  if deadline t <= now then
    Hashtbl.fold (fun _ q due -> if q.due <= now then q :: due else due) t.queries []
    |> List.iter (fun q -> if Hashtbl.mem t.queries q.key then timed_out t ~now q)

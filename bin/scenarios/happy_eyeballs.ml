open Eio.Std
open Weir_base
open Weir_link
open Scenario
module Dns = Weir_sim.Dns_server

let latency_ms = 5
let network = { Impairment.none with delay_ns = Time.ms latency_ms; jitter_ns = Time.ms 1 }

(* What is wrong with a server's address, and with the record that says it. *)
type server = Good | Dead | Silent | Refusing | Slow
type record = Prompt | Late | Lost | Absent

let servers = [| Good; Good; Dead; Silent; Refusing; Slow |]
let records = [| Prompt; Prompt; Prompt; Late; Lost; Absent |]
let slow = Time.ms 700
let late = Time.ms 900

type side = { tag : string; server : server; record : record }

let pick random all = all.(Random.State.int random (Array.length all))
let side random tag = { tag; server = pick random servers; record = pick random records }
let is_prompt s = s.server = Good && s.record = Prompt
let has_address s = match s.record with Prompt | Late -> true | Lost | Absent -> false
let answers s = has_address s && match s.server with Good | Slow -> true | _ -> false

(* Its first bytes say which address it is. *)
let main s (h : Weir_sim.host) =
  serve ~both:true h ~port:7 (fun flow ->
      Eio.Flow.copy_string s.tag flow;
      Eio.Flow.copy flow flow)

let make world lan s address =
  let main = match s.server with Refusing -> None | _ -> Some (main s) in
  let h = Weir_sim.host world lan address ?main in
  (match s.server with
  | Dead -> Weir_sim.crash h
  | Silent -> Weir_sim.impair h ~inbound:{ Impairment.none with loss = Steady 1. }
  | Slow -> Weir_sim.impair h ~inbound:{ network with delay_ns = slow }
  | Good | Refusing -> ());
  h

let is_aaaa (q : Weir_wire.Dns.t) =
  List.exists (fun (q : Weir_wire.Dns.question) -> q.kind = AAAA) q.questions

let answer world zone v4 v6 query =
  let records = !zone in
  match (if is_aaaa query then !v6 else !v4).record with
  | Lost -> []
  | Prompt | Absent -> [ Dns.answer records query ]
  | Late ->
      Weir_sim.sleep world (`Ns late);
      [ Dns.answer records query ]

(* Resolving, ARP and the handshake take a few round trips; the other family waits for the
   resolution delay and the attempt delay of RFC 8305 at most. *)
let at_once = Time.ms (16 * latency_ms)
let other_family = at_once + Time.ms (50 + 250)
let in_the_end = other_family + late + (4 * slow)

(* A question that is never answered is asked several times. *)
let given_up = Time.s 60

let bound v4 v6 =
  if is_prompt v6 then at_once
  else if is_prompt v4 then other_family
  else if answers v4 || answers v6 then in_the_end
  else given_up

let pp_side f s =
  let server =
    match s.server with
    | Good -> "good"
    | Dead -> "dead"
    | Silent -> "silent"
    | Refusing -> "refusing"
    | Slow -> "slow"
  and record =
    match s.record with Prompt -> "prompt" | Late -> "late" | Lost -> "lost" | Absent -> "absent"
  in
  Fmt.pf f "IPv%s %s, its record %s" s.tag server record

let check_tag v4 v6 got =
  let right =
    if is_prompt v6 then got = "6" else if is_prompt v4 && not (answers v6) then got = "4" else true
  in
  require right "connected over IPv%s: %a; %a" got pp_side v4 pp_side v6

let greeting c =
  let b = Cstruct.create 1 in
  Eio.Flow.read_exact (Weir_eio.Connection.socket c) b;
  Cstruct.to_string b

let attempt world (client : Weir_sim.host) ~exact v4 v6 name =
  let driver = Option.get (Weir_sim.driver client) in
  let began = Weir_sim.now world in
  let within () =
    let took = Weir_sim.now world - began in
    require
      ((not exact) || took <= bound v4 v6)
      "it took %a: %a; %a" Time.pp took pp_side v4 pp_side v6
  in
  Switch.run @@ fun sw ->
  match Weir_eio.connect driver ~sw ~service:"7" name with
  | c ->
      within ();
      let got = greeting c in
      if exact then check_tag v4 v6 got;
      Weir_eio.Connection.close c
  | exception Eio.Io _ ->
      within ();
      require
        ((not exact) || not (answers v4 || answers v6))
        "no connection: %a; %a" pp_side v4 pp_side v6

let play settings world =
  let random = Weir_sim.random world in
  let lan = lan settings world network in
  let zone = ref [] in
  let v4 = ref (side random "4") and v6 = ref (side random "6") in
  let dns (h : Weir_sim.host) =
    Switch.run @@ fun sw ->
    Dns.serve ~sw ~net:h.net ~udp:(fun q -> answer world zone v4 v6 q) [];
    Fiber.await_cancel ()
  in
  let resolver = Weir_sim.host world lan "10.0.0.53/16" ~name:"dns" ~main:dns in
  let client =
    Weir_sim.host world lan "10.0.0.2/16,2001:db8::2/64" ~name:"client" ~config:quick
      ~resolvers:[ resolver.address ]
  in
  let exact = settings.impairment = None && settings.loss = None && settings.delay_ns = None in
  let round n =
    v4 := side random "4";
    v6 := side random "6";
    let name = Printf.sprintf "host%d.example" n in
    let a = Printf.sprintf "10.0.1.%d" n and aaaa = Printf.sprintf "2001:db8::1:%d" n in
    let record s r = if s.record = Absent then [] else [ r ] in
    zone := record !v4 (Dns.a name a) @ record !v6 (Dns.aaaa name aaaa);
    let hosts = [ make world lan !v4 (a ^ "/16"); make world lan !v6 (aaaa ^ "/64") ] in
    Weir_sim.sleep world (`Ms 10);
    attempt world client ~exact !v4 !v6 name;
    hosts
  in
  let hosts = List.concat_map round (List.init 6 (fun n -> n + 1)) in
  Weir_sim.crash resolver;
  drained world (client :: List.filter Weir_sim.is_on hosts)

let happy_eyeballs =
  {
    name = "happy-eyeballs";
    about =
      "connections to six names whose addresses of either family are dead, silent, slow or refuse, \
       and whose records are late or lost: each is made in time (RFC 8305)";
    play;
  }

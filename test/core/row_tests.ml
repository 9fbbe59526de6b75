(* When a host makes and reads frames: a row of them before it hands over or looks at the first, if
   its link asks for that. *)

open Weir_base
open Weir_core
open Weir_link
open Weir_test
module Pump = Weir_drive.Pump

let frames = 10
let group = Ipaddr.of_string_exn "224.0.0.251"

(* [made] and [looked_at] count at each call what the host has done before it. *)
class link ~(row : int) =
  object (self)
    val pool = Frame.pool ~size:1514 ()
    val stats = Link.stats ()
    val mutable host : Stack.t option = None
    val mutable sent = []
    val mutable received = []
    method serve stack = host <- Some stack
    method made = List.rev sent
    method looked_at = List.rev received
    method private count f = Option.fold ~none:0 ~some:(fun s -> f (Stack.counters s)) host
    method mtu = 1500
    method capabilities = Link.none
    method readiness = Link.Notify ignore
    method row = row

    method receive ~now:(_ : Time.t) =
      received <- self#count (fun c -> c.ip_in_malformed) :: received;
      if List.length received > frames then Frame.none
      else
        let f = Frame.alloc pool in
        (* Shorter than an Ethernet header. *)
        Frame.set f ~off:0 ~len:4;
        f

    method send ~now:(_ : Time.t) f =
      sent <- self#count (fun c -> c.ip_out) :: sent;
      Frame.release f

    method flush = ()
    method deadline = Time.never
    method stats = stats
    method carrier = true
    method close = ()
  end

let host links =
  let random = Random.State.make [| 1 |] in
  let mac n = Macaddr.of_string_exn (Printf.sprintf "02:00:00:00:00:%02x" n) in
  let settings =
    Weir_drive.Identity.settings ~random ~mtu:1500 ~config:Config.default ~mac:(mac 1) "10.0.0.1/24"
  in
  match (links : link list) with
  | [] -> assert false
  | first :: others ->
      let pump = Pump.create ~random ~hosts:[] ~rearm:ignore ~now:0 (first :> Link.t) settings in
      List.iteri
        (fun i l ->
          ignore
            (Pump.add_link pump ~mac:(Weir_wire.Mac.of_macaddr (mac (i + 2))) (l :> Link.t)
              : Interface.t))
        others;
      List.iter (fun l -> l#serve (Pump.stack pump)) links;
      pump

let send_datagrams pump =
  let stack = Pump.stack pump in
  let socket =
    Result.get_ok (Stack.bind_udp stack ~address:(V4 Ipaddr.V4.any) ~port:5353 ~reuse:false)
  in
  for _ = 1 to frames do
    let sent =
      Stack.send_udp stack ~now:0 socket ~dst:group ~dst_port:5353 (Bytes.create 20) ~off:0 ~len:20
    in
    Alcotest.(check bool) "queued" true (Result.is_ok sent)
  done;
  Pump.flush pump ~now:0

let step pump = ignore (Pump.step pump ~now:0 : bool)
let counts = Alcotest.(list int)

(* Each frame leaves, and is looked at, before the next. *)
let singly () =
  let l = new link ~row:1 in
  let pump = host [ l ] in
  step pump;
  Alcotest.check counts "looked at" (List.init (frames + 1) Fun.id) l#looked_at;
  send_datagrams pump;
  Alcotest.check counts "made" (List.init frames succ) l#made

let in_rows () =
  let l = new link ~row:4 in
  let pump = host [ l ] in
  step pump;
  Alcotest.check counts "looked at" [ 0; 0; 0; 0; 4; 4; 4; 4; 8; 8; 8 ] l#looked_at;
  Alcotest.(check int) "all" frames (Stack.counters (Pump.stack pump)).ip_in_malformed;
  send_datagrams pump;
  Alcotest.check counts "made" [ 4; 4; 4; 4; 8; 8; 8; 8; 10; 10 ] l#made

(* The longest row counts for what leaves, each link's own for what comes. *)
let of_two_links () =
  let a = new link ~row:1 and b = new link ~row:4 in
  let pump = host [ a; b ] in
  step pump;
  Alcotest.check counts "the first link" (List.init (frames + 1) Fun.id) a#looked_at;
  Alcotest.check counts "the second"
    (List.map (( + ) frames) [ 0; 0; 0; 0; 4; 4; 4; 4; 8; 8; 8 ])
    b#looked_at;
  send_datagrams pump;
  Alcotest.check counts "made" [ 4; 4; 4; 4; 8; 8; 8; 8; 10; 10 ] a#made

let cases =
  [
    Suite.case "one by one" singly;
    Suite.case "rows of four" in_rows;
    Suite.case "two links" of_two_links;
  ]

open Eio.Std
open Weir_base
open Weir_link
open Scenario
module Stack = Weir_core.Stack

let link =
  { Impairment.none with delay_ns = Time.ms 5; loss = Steady 0.001; rate_bps = 100_000_000 }

let same what a b =
  require (String.equal a b) "%s: %d bytes of %d, or others" what (String.length b)
    (String.length a)

(* What the host believes of the path is at most what the path carries, and not far below. *)
let believes (h : Weir_sim.host) (peer : Weir_sim.host) ~silent ~mtu =
  match Weir_sim.stack h with
  | None -> ()
  | Some stack ->
      let believed = Stack.path_mtu stack peer.address in
      let least = match peer.address with V4 _ -> 576 | V6 _ -> 1_280 in
      (* Without ICMP it knows only once a search is over. *)
      require
        (believed <= mtu || (silent && believed = 1_500))
        "%s believes in an MTU of %d, and the path has %d" h.name believed mtu;
      require (believed >= least) "%s believes in an MTU of %d" h.name believed

let exchange (client : Weir_sim.host) server sent =
  trying client ~tries:20 @@ fun () ->
  Switch.run @@ fun sw ->
  let flow = connect ~sw client server ~port:9 in
  let got = ref "" in
  Fiber.both
    (fun () ->
      Eio.Flow.copy_string sent flow;
      Eio.Flow.shutdown flow `Send)
    (fun () -> got := Eio.Flow.read_all flow);
  same "what came back" sent !got

(* Of the family that the seed says. Each a path of its own: as wide as the LANs, then one that reports, one that does not, and wide
   again. Each change comes while bytes are on their way. *)
let play settings world =
  let random = Weir_sim.random world in
  let near = lan settings world Impairment.none and far = lan settings world Impairment.none in
  let trunk = Weir_sim.trunk near far ~impairment:link in
  let echo flow =
    let all = Eio.Flow.read_all flow in
    Eio.Flow.copy_string all flow
  in
  let config = { patient with max_connections = 100 } in
  let v6 = Random.State.bool random in
  let address n = Printf.sprintf (if v6 then "fd00::%d/64" else "10.0.0.%d/24") n in
  let server =
    Weir_sim.host world far (address 1) ~name:"server" ~config ~main:(fun h ->
        serve ~both:v6 h ~port:9 echo)
  in
  let client = Weir_sim.host world near (address 2) ~name:"client" ~config in
  let sent = text random 600_000 in
  let least = if v6 then 1_280 else 576 in
  let narrow () = least + Random.State.int random (1_476 - least) in
  let change ~silent mtu =
    Weir_sim.sleep world (`Ms (Random.State.int random 200));
    Weir_sim.set_trunk_mtu ~silent trunk mtu
  in
  let round ~silent mtu =
    Fiber.both (fun () -> change ~silent mtu) (fun () -> exchange client server sent);
    (* Once more, all over the narrow path. *)
    exchange client server sent;
    believes client server ~silent ~mtu;
    believes server client ~silent ~mtu
  in
  round ~silent:false (narrow ());
  Weir_sim.sleep world (`S 1_300);
  round ~silent:true (narrow ());
  Weir_sim.set_trunk_mtu trunk 1_500;
  Weir_sim.sleep world (`S 1_300);
  exchange client server sent;
  drained world [ server; client ]

let black_hole =
  {
    name = "mtu-black-hole";
    about =
      "600 kB there and back, over IPv4 or IPv6, while a trunk's MTU shrinks, first with ICMP, \
       then without; later it is wide again";
    play;
  }

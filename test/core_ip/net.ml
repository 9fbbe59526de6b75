(* What all tests here need: addresses in words, packets, and two measures. *)

open Weir_wire

let ip s = Ip.of_ipaddr (Ipaddr.of_string_exn s)
let address = Alcotest.testable Ip.pp Ip.equal
let mac n = Mac.of_int (0x02_00_00_00_00_00 + n)
let random () = Random.State.make [| 7 |]

(* Minor words that [n] calls of [f] allocate, beyond what measuring does. *)
let words n f =
  let measure f =
    let before = Gc.minor_words () in
    for _ = 1 to n do
      f ()
    done;
    int_of_float (Gc.minor_words () -. before)
  in
  ignore (measure ignore);
  measure f - measure ignore

let no_allocation what f =
  f ();
  Alcotest.(check int) (what ^ " allocates nothing") 0 (words 1_000 f)

let live x = Obj.reachable_words (Obj.repr x)
let bytes n f = Bytes.init n (fun i -> Char.chr (f i land 255))

(* The packet with header [h] whose data are at [data] in [b], as a link gives it. *)
let packet (h : Ipv4.t) b ~data =
  let header = Ipv4.length h in
  let whole = Bytes.create (header + h.data_length) in
  Ipv4.emit h whole ~off:0;
  Bytes.blit b data whole header h.data_length;
  let p = Packet.between ~source:h.src ~destination:h.dst in
  {
    p with
    data = whole;
    source_at = 12;
    protocol = h.protocol;
    ttl = h.ttl;
    fragment_offset = h.fragment_offset;
    more_fragments = h.more_fragments;
    payload_at = header;
    payload_length = h.data_length;
  }

(* A host with one interface. *)
let routes_of ?gateway address prefix_length =
  let open Weir_core in
  let t = Routes.create () in
  let i = Routes.add_interface t (random ()) ~mac:(mac 1) ~mtu:1_500 in
  Routes.add_address t i address ~prefix_length;
  (match
     Option.map (fun g -> Routes.add t ~network:Ip.any ~prefix_length:0 ~gateway:(ip g)) gateway
   with
  | None | Some (Ok ()) -> ()
  | Some (Error why) -> invalid_arg why);
  t

let routes ?gateway address prefix_length = routes_of ?gateway (ip address) prefix_length

(* 0.0.0.0 if there is none. *)
let next_hop t dst =
  let open Weir_core in
  let r = Routes.find t dst in
  if Routes.leads r then Routes.next_hop r dst else Ip.any

(* 10.0.0.1/24, with nothing open. *)
let host ?(mtu = 1_500) () =
  Weir_core.Stack.create
    {
      mac = mac 1;
      addresses = [ Ipaddr.Prefix.of_string_exn "10.0.0.1/24" ];
      gateways = [];
      secret = Weir_core.Stable_address.no_secret;
      mtu;
      config = Weir_core.Config.default;
    }
    ~random:(random ()) ~now:0

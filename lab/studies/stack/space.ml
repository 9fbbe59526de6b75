open Weir_lab_harness
module Namespace = Weir_tap.Namespace
module Interface = Weir_tap.Interface

let ok what = function
  | Ok v -> v
  | Error e -> Child.failed "%s: %s" what (Fmt.str "%a" Weir_tap.Error.pp e)

let here = Ipaddr.of_string_exn "10.0.0.1"
let there = Ipaddr.of_string_exn "10.0.0.11"

let enter () =
  ok "entering a network namespace" (Namespace.enter ());
  ok "choosing reno" (Namespace.sysctl "net.ipv4.tcp_congestion_control" "reno")

let give name address =
  ok name (Interface.set_address name address ~prefix:24);
  ok name (Interface.set_up name)

let said line = print_endline line
let ready () = said "ready"
let ip args = ignore (Child.run ~seconds:5. ("ip" :: args))

type device = Tap | Packet | Xdp

(* The kernel has weir0, and the link is on weir1. *)
let open_card ~offload open_link =
  ip [ "link"; "add"; "weir0"; "type"; "veth"; "peer"; "name"; "weir1" ];
  if not offload then Offload.forbid "weir0";
  give "weir0" here;
  (ok "opening weir1" (open_link "weir1") : Weir_packet.Packet.t :> Weir_link.Link.t)

let open_link ~offload = function
  | Tap ->
      let tap = ok "opening a TAP" (Weir_tap.Tap.open_ ~name:"weir0" ~offload ()) in
      give "weir0" here;
      (tap :> Weir_link.Link.t)
  | Packet -> open_card ~offload (fun name -> Weir_packet.Packet.open_ ~offload name)
  | Xdp ->
      open_card ~offload (fun name ->
          Result.map (fun x -> (x :> Weir_packet.Packet.t)) (Weir_xdp.Xdp.open_ name))

let device_unavailable device =
  let possible =
    match device with
    | Tap -> Ok ()
    | Packet -> Weir_packet.Packet.available ()
    | Xdp -> Weir_xdp.Xdp.available ()
  in
  Result.fold possible
    ~ok:(fun () -> None)
    ~error:(fun e -> Some (Fmt.str "%a" Weir_tap.Error.pp e))

let join child ~offload =
  Child.await child "entered";
  ip
    [
      "link";
      "add";
      "weir0";
      "type";
      "veth";
      "peer";
      "name";
      "weir1";
      "netns";
      string_of_int (Child.pid child);
    ];
  if not offload then Offload.forbid "weir0";
  give "weir0" here;
  Child.tell child "joined"

let joined ~offload =
  enter ();
  said "entered";
  if In_channel.input_line stdin <> Some "joined" then Child.failed "nobody joined the namespace";
  if not offload then Offload.forbid "weir1";
  give "weir1" there

let unavailable () =
  let possible = Result.bind (Namespace.possible ()) Weir_tap.Tap.available in
  match possible with
  | Error e -> Some (Fmt.str "%a" Weir_tap.Error.pp e)
  | Ok () -> if Child.on_path "ip" then None else Some "needs ip (iproute2)"

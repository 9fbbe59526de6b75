let system_random () =
  let seed = In_channel.with_open_bin "/dev/urandom" (fun ic -> really_input_string ic 64) in
  Random.State.make (Array.init 16 (fun i -> Int32.to_int (String.get_int32_le seed (4 * i))))

(* In bytes, 0 if the system does not say. *)
let physical_memory () =
  match In_channel.with_open_bin "/proc/meminfo" In_channel.input_line with
  | Some line -> (
      try Scanf.sscanf line "MemTotal: %d kB" (fun k -> k * 1_024)
      with Scanf.Scan_failure _ | Failure _ | End_of_file -> 0)
  | None | (exception Sys_error _) -> 0

let dad_for (link : Weir_link.Link.t) =
  match link#readiness with Weir_link.Link.Notify _ -> 0 | _ -> 1

let config link config =
  let c =
    match config with
    | Some c -> c
    | None ->
        let c = Weir_core.Config.default and quarter = physical_memory () / 4 in
        if quarter = 0 then c else { c with memory = Int.min c.memory quarter }
  in
  { c with dad_transmits = Some (Option.value c.dad_transmits ~default:(dad_for link)) }

let read what of_string s =
  match of_string s with
  | Ok x -> x
  | Error (`Msg m) -> invalid_arg (Printf.sprintf "%s %S: %s" what s m)

(* A network of 31 or 32 bits has neither an address of its own nor a broadcast
   (RFC 3021). *)
let no_v4_host's network =
  let module P = Ipaddr.V4.Prefix in
  let a = P.address network in
  let ip = Weir_wire.Ip.of_v4 a in
  let is b = Ipaddr.V4.compare a b = 0 in
  if Weir_wire.Ip.key ip lsr 24 = 0 then Some "an address that means \"this host\""
  else if Weir_wire.Ip.is_loopback ip then Some "a loopback address"
  else if Weir_wire.Ip.is_multicast ip then Some "a multicast address"
  else if is Ipaddr.V4.broadcast then Some "the broadcast address"
  else if P.bits network >= 31 then None
  else if is (P.network network) then Some "the network's own address"
  else if is (P.broadcast network) then Some "the network's broadcast address"
  else None

(* RFC 4291 §2.5. The lowest address is that of all the network's routers (§2.6.1). *)
let no_v6_host's network =
  let module P = Ipaddr.V6.Prefix in
  let a = P.address network in
  let ip = Weir_wire.Ip.of_ipaddr (V6 a) in
  if Weir_wire.Ip.is_any ip then Some "the unspecified address"
  else if Weir_wire.Ip.is_loopback ip then Some "the loopback address"
  else if Weir_wire.Ip.is_multicast ip then Some "a multicast address"
  else if Weir_wire.Ip.is_mapped ip then Some "an IPv4 address in IPv6's form"
  else if P.bits network < 127 && Ipaddr.V6.compare a (P.network network) = 0 then
    Some "the network's address for all its routers"
  else None

let no_host's (network : Ipaddr.Prefix.t) =
  match network with V4 n -> no_v4_host's n | V6 n -> no_v6_host's n

let host_address s =
  match Ipaddr.Prefix.of_string s with
  | Error _ ->
      Error
        (Printf.sprintf
           "%S is not an IP address with a prefix length, such as 10.0.0.11/24 or fd00::11/64" s)
  | Ok network -> (
      match no_host's network with
      | None -> Ok network
      | Some what -> Error (Printf.sprintf "%s is %s, which no host can have" s what))

let parts s = List.map String.trim (String.split_on_char ',' s)
let dhcp = "dhcp"
let wants_dhcp s = List.mem dhcp (parts s)
let auto = "auto"
let wants_auto s = List.mem auto (parts s)

let host_addresses s =
  List.fold_right
    (fun part rest ->
      Result.bind (host_address part) (fun network -> Result.map (List.cons network) rest))
    (List.filter (fun part -> part <> dhcp && part <> auto) (parts s))
    (Ok [])

(* Locally administered, unicast. *)
let random_mac random =
  let random = Weir_core.Public_random.make random in
  let bits = Random.State.bits random lor ((Random.State.bits random land 0x3_ffff) lsl 30) in
  Weir_wire.Mac.of_int (bits land 0xfcff_ffff_ffff lor 0x0200_0000_0000)

let networks addresses = match host_addresses addresses with Ok l -> l | Error m -> invalid_arg m

let mac_or_random ~random = function
  | Some m -> Weir_wire.Mac.of_macaddr m
  | None -> random_mac random

let mac_or_any = function
  | Some m -> Weir_wire.Mac.of_macaddr m
  | None -> random_mac (system_random ())

let gateways s = List.map (read "gateway" Ipaddr.of_string) (parts s)

let check_gateways text gateways =
  if wants_dhcp text && List.exists (function Ipaddr.V4 _ -> true | V6 _ -> false) gateways then
    invalid_arg "a DHCP server chooses the gateway: give none";
  if wants_auto text && List.exists (function Ipaddr.V6 _ -> true | V4 _ -> false) gateways then
    invalid_arg "routers advertise the IPv6 gateway: give none"

let settings ~random ~mtu ~config ?mac ?secret ?gateway text : Weir_core.Stack.settings =
  let addresses = networks text in
  let gateways = Option.fold ~none:[] ~some:gateways gateway in
  check_gateways text gateways;
  let mac = mac_or_random ~random mac in
  let secret =
    match secret with
    | Some s -> Weir_core.Stable_address.secret_of_string s
    | None -> Weir_core.Stable_address.secret random
  in
  { mac; addresses; gateways; mtu; secret; config }

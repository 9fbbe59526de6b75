external is_up_exn : string -> bool = "weir_interface_is_up"
external switch_exn : string -> bool -> unit = "weir_interface_switch"
external set_address_exn : string -> string -> int -> unit = "weir_interface_set_address"
external address_exn : string -> string = "weir_interface_address"
external mtu_exn : string -> int = "weir_interface_mtu"
external set_mtu_exn : string -> int -> unit = "weir_interface_set_mtu"
external hardware_address_exn : string -> string = "weir_interface_hardware_address"

let ( let* ) = Result.bind

let on name ~action f =
  let* () = Error.check_name name in
  Error.catch ~action:(action ^ " " ^ name) (fun () -> f name)

let set_up name = on name ~action:"bring up" (fun name -> switch_exn name true)
let set_down name = on name ~action:"bring down" (fun name -> switch_exn name false)
let is_up name = on name ~action:"look at" is_up_exn

let bring_up name =
  let* up = is_up name in
  if up then Ok () else set_up name

let set_address name address ~prefix =
  let octets =
    match address with Ipaddr.V4 a -> Ipaddr.V4.to_octets a | Ipaddr.V6 a -> Ipaddr.V6.to_octets a
  in
  if prefix < 0 || prefix > 8 * String.length octets then
    Error (Error.System { call = "prefix length"; name; error = EINVAL })
  else on name ~action:"set the address of" (fun name -> set_address_exn name octets prefix)

let address name =
  let read name =
    match address_exn name with
    | "" -> None
    | octets ->
        let part at = Ipaddr.V4.of_octets_exn (String.sub octets at 4) in
        Some (Ipaddr.V4.Prefix.of_netmask_exn ~netmask:(part 4) ~address:(part 0))
  in
  on name ~action:"look at" read

let mtu name = on name ~action:"look at" mtu_exn
let set_mtu name mtu = on name ~action:"set the MTU of" (fun name -> set_mtu_exn name mtu)

let hardware_address name =
  on name ~action:"look at" (fun name -> Macaddr.of_octets_exn (hardware_address_exn name))

(* -- reachability --------------------------------------------------------- *)

(* Interface, destination and mask of each route; numbers are hexadecimal, in host byte order. *)
let parse_route line =
  let swap n =
    Int32.of_string
      (Printf.sprintf "0x%s%s%s%s" (String.sub n 6 2) (String.sub n 4 2) (String.sub n 2 2)
         (String.sub n 0 2))
  in
  match String.split_on_char '\t' line with
  | name :: destination :: _ :: _ :: _ :: _ :: _ :: mask :: _
    when String.length destination = 8 && String.length mask = 8 ->
      Some (name, swap destination, swap mask)
  | _ -> None

(* /proc/thread-self is the calling thread's namespace. *)
let routes () =
  match In_channel.with_open_bin "/proc/thread-self/net/route" In_channel.input_all with
  | text -> List.filter_map parse_route (String.split_on_char '\n' text)
  | exception Sys_error _ -> []

(* Of the matching routes, those with the longest prefix decide. *)
let leads_to name address routes =
  let fits (_, destination, mask) = Int32.logand (Ipaddr.V4.to_int32 address) mask = destination in
  let longer (_, _, a) (_, _, b) = Int32.unsigned_compare b a in
  match List.stable_sort longer (List.filter fits routes) with
  | [] -> false
  | (_, _, mask) :: _ as best -> List.exists (fun (via, _, m) -> m = mask && via = name) best

(* Destination, length of the prefix, and the interface at the end of the line; numbers are
   hexadecimal, in network order. *)
let parse_v6_route line =
  match List.filter (( <> ) "") (String.split_on_char ' ' line) with
  | destination :: length :: _ :: _ :: _ :: _ :: _ :: _ :: flags :: name :: _
    when String.length destination = 32 ->
      let octet i = Char.chr (int_of_string ("0x" ^ String.sub destination (2 * i) 2)) in
      let rejects = int_of_string ("0x" ^ flags) land 0x200 <> 0 in
      Some
        ( (if rejects then "" else name),
          Ipaddr.V6.of_octets_exn (String.init 16 octet),
          int_of_string ("0x" ^ length) )
  | _ -> None

let v6_routes () =
  match In_channel.with_open_bin "/proc/thread-self/net/ipv6_route" In_channel.input_all with
  | text -> List.filter_map parse_v6_route (String.split_on_char '\n' text)
  | exception Sys_error _ -> []

let leads_v6_to name address routes =
  let module P = Ipaddr.V6.Prefix in
  let fits (_, network, length) = P.mem address (P.make length network) in
  let longer (_, _, a) (_, _, b) = Int.compare b a in
  match List.stable_sort longer (List.filter fits routes) with
  | [] -> false
  | (_, _, length) :: _ as best -> List.exists (fun (via, _, l) -> l = length && via = name) best

let is_bridge_port name = Sys.file_exists (Printf.sprintf "/sys/class/net/%s/brport" name)

(* Another address of that network, for the kernel's side. *)
let neighbour network =
  let module P = Ipaddr.V4.Prefix in
  let own = P.address network in
  let at n = Ipaddr.V4.of_int32 (Int32.add (Ipaddr.V4.to_int32 (P.network network)) n) in
  let first = at (if P.bits network >= 31 then 0l else 1l) in
  if Ipaddr.V4.compare first own <> 0 then first
  else Ipaddr.V4.of_int32 (Int32.succ (Ipaddr.V4.to_int32 first))

let remedy name network =
  let module P = Ipaddr.V4.Prefix in
  if P.bits network = 32 then Printf.sprintf "ip route add %s dev %s" (P.to_string network) name
  else
    Printf.sprintf "ip addr add %s/%d dev %s"
      (Ipaddr.V4.to_string (neighbour network))
      (P.bits network) name

(* The first host of that network, or the second. *)
let v6_remedy name network =
  let module P = Ipaddr.V6.Prefix in
  let bits = P.bits network in
  if bits > 126 then Printf.sprintf "ip -6 route add %s dev %s" (P.to_string network) name
  else
    let octets = Ipaddr.V6.to_octets (P.network network) in
    let with_bit n i c = if i = 15 then Char.chr (Char.code c lor n) else c in
    let at n = Ipaddr.V6.of_octets_exn (String.mapi (with_bit n) octets) in
    let first = at 1 in
    let other = if Ipaddr.V6.compare first (P.address network) <> 0 then first else at 2 in
    Printf.sprintf "ip -6 addr add %s/%d dev %s" (Ipaddr.V6.to_string other) bits name

let reaches name (network : Ipaddr.Prefix.t) =
  let address = Ipaddr.Prefix.address network in
  let unreachable reason remedy = Error (Error.Unreachable { name; address; reason; remedy }) in
  let leads () =
    match address with
    | V4 a -> leads_to name a (routes ())
    | V6 a -> leads_v6_to name a (v6_routes ())
  in
  let* up = is_up name in
  if not up then unreachable "is down" (Printf.sprintf "ip link set %s up" name)
  else if is_bridge_port name || leads () then Ok ()
  else
    unreachable "has no address in its network"
      (match network with V4 n -> remedy name n | V6 n -> v6_remedy name n)

type prefix = {
  prefix : Ip.t;
  length : int;
  on_link : bool;
  autonomous : bool;
  valid : int;
  preferred : int;
}

type preference = Low | Medium | High
type route = { network : Ip.t; bits : int; preference : preference; lifetime : int }

type advertisement = {
  hop_limit : int;
  managed : bool;
  other : bool;
  preference : preference;
  lifetime : int;
  reachable : int;
  retransmit : int;
  router_mac : Mac.t option;
  mtu : int;
  prefixes : prefix list;
  routes : route list;
  servers : (int * Ip.t list) list;
  domains : (int * string list) list;
}

type t =
  | Router_solicitation of { source_mac : Mac.t option }
  | Router_advertisement of advertisement
  | Neighbour_solicitation of { target : Ip.t; source_mac : Mac.t option; nonce : string }
  | Neighbour_advertisement of {
      target : Ip.t;
      target_mac : Mac.t option;
      router : bool;
      solicited : bool;
      override : bool;
    }
  | Redirect of { target : Ip.t; destination : Ip.t; target_mac : Mac.t option }

let router_solicitation = 133
let router_advertisement = 134
let neighbour_solicitation = 135
let neighbour_advertisement = 136
let redirect = 137
let is_type n = n >= router_solicitation && n <= redirect
let most_options = 64
let address_length = Ip.v6_length

(* Bytes of a message without options. *)
let head = function
  | Router_solicitation _ -> 8
  | Router_advertisement _ -> 16
  | Neighbour_solicitation _ | Neighbour_advertisement _ -> 24
  | Redirect _ -> 40

(* -- options ------------------------------------------------------------- *)

type item =
  | Source_mac of Mac.t
  | Target_mac of Mac.t
  | Prefix of prefix
  | Mtu of int
  | Nonce of string
  | Route of route
  | Servers of int * Ip.t list
  | Domains of int * string list

let word b at = Int32.to_int (Bytes.get_int32_be b at) land 0xffff_ffff
let ip b at = Ip.get b at ~length:address_length

(* RFC 4191 §2.1: the reserved value means medium for a router; a route with it is ignored. *)
let preference bits =
  match bits land 3 with 0 -> Some Medium | 1 -> Some High | 3 -> Some Low | _ -> None

let preference_bits = function Medium -> 0 | High -> 1 | Low -> 3

let prefix b at =
  let length = Bytes.get_uint8 b (at + 2) and flags = Bytes.get_uint8 b (at + 3) in
  if length > 128 then None
  else
    Some
      (Prefix
         {
           prefix = Ip.network (ip b (at + 16)) ~prefix_length:length;
           length;
           on_link = flags land 0x80 <> 0;
           autonomous = flags land 0x40 <> 0;
           valid = word b (at + 4);
           preferred = word b (at + 8);
         })

let route b at ~size =
  let bits = Bytes.get_uint8 b (at + 2) in
  let need = if bits = 0 then 8 else if bits <= 64 then 16 else 24 in
  match preference (Bytes.get_uint8 b (at + 3) lsr 3) with
  | Some preference when bits <= 128 && size >= need ->
      let address = Bytes.make address_length '\000' in
      Bytes.blit b (at + 8) address 0 (Int.min address_length (size - 8));
      let network = Ip.network (ip address 0) ~prefix_length:bits in
      Some (Route { network; bits; preference; lifetime = word b (at + 4) })
  | _ -> None

let servers b at ~size =
  let n = (size - 8) / address_length in
  if n < 1 then None
  else Some (Servers (word b (at + 4), List.init n (fun i -> ip b (at + 8 + (address_length * i)))))

(* RFC 8106 §5.2: names as DNS writes them, never compressed, and zeros up to the end. *)
let rec names b at ~stop labels found =
  if at >= stop then List.rev found
  else
    let n = Bytes.get_uint8 b at in
    if n > 63 || at + 1 + n > stop then List.rev found
    else if n > 0 then names b (at + 1 + n) ~stop (Bytes.sub_string b (at + 1) n :: labels) found
    else if labels = [] then List.rev found
    else names b (at + 1) ~stop [] (String.concat "." (List.rev labels) :: found)

let is_domain s =
  let is_known = function
    | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '-' | '_' | '.' -> true
    | _ -> false
  in
  String.length s <= 253 && String.for_all is_known s

let domains b at ~size =
  match List.filter is_domain (names b (at + 8) ~stop:(at + size) [] []) with
  | [] -> None
  | l -> Some (Domains (word b (at + 4), l))

(* The option of [size] bytes at [at], if it is known. *)
let item b at ~size =
  match Bytes.get_uint8 b at with
  | 1 when size = 8 -> Some (Source_mac (Mac.get b (at + 2)))
  | 2 when size = 8 -> Some (Target_mac (Mac.get b (at + 2)))
  | 3 when size = 32 -> prefix b at
  | 5 when size = 8 -> Some (Mtu (word b (at + 4)))
  | 14 -> Some (Nonce (Bytes.sub_string b (at + 2) (size - 2)))
  | 24 when size <= 24 -> route b at ~size
  | 25 -> servers b at ~size
  | 31 -> domains b at ~size
  | _ -> None

let options b ~off ~len ~head =
  let rec go at count found =
    if at = len then Ok (List.rev found)
    else if len - at < 8 then Error.truncated ~need:(at + 8) ~have:len
    else
      let size = 8 * Bytes.get_uint8 b (off + at + 1) in
      if size = 0 then Error.malformed ~at "an option of length 0"
      else if size > len - at then Error.truncated ~need:(at + size) ~have:len
      else if count = most_options then Error.malformed ~at "too many options"
      else
        go (at + size) (count + 1)
          (match item b (off + at) ~size with Some i -> i :: found | None -> found)
  in
  if len < head then Error.truncated ~need:head ~have:len else go head 0 []

let source_mac items = List.find_map (function Source_mac m -> Some m | _ -> None) items
let target_mac items = List.find_map (function Target_mac m -> Some m | _ -> None) items

(* -- reading ------------------------------------------------------------- *)

let advertisement b ~off items =
  let flags = Bytes.get_uint8 b (off + 5) in
  let mtu = List.find_map (function Mtu n -> Some n | _ -> None) items in
  {
    hop_limit = Bytes.get_uint8 b (off + 4);
    managed = flags land 0x80 <> 0;
    other = flags land 0x40 <> 0;
    preference = Option.value (preference (flags lsr 3)) ~default:Medium;
    lifetime = Bytes.get_uint16_be b (off + 6);
    reachable = word b (off + 8);
    retransmit = word b (off + 12);
    router_mac = source_mac items;
    mtu = Option.value mtu ~default:0;
    prefixes = List.filter_map (function Prefix p -> Some p | _ -> None) items;
    routes = List.filter_map (function Route r -> Some r | _ -> None) items;
    servers = List.filter_map (function Servers (n, l) -> Some (n, l) | _ -> None) items;
    domains = List.filter_map (function Domains (n, l) -> Some (n, l) | _ -> None) items;
  }

let ( let* ) = Result.bind

let unicast b ~off ~at =
  let a = ip b (off + at) in
  if Ip.is_multicast a then Error.malformed ~at "a group as target" else Ok a

let solicitation b ~off items =
  let* target = unicast b ~off ~at:8 in
  let nonce = List.find_map (function Nonce n -> Some n | _ -> None) items in
  let nonce = Option.value nonce ~default:"" in
  Ok (Neighbour_solicitation { target; source_mac = source_mac items; nonce })

let answer b ~off items =
  let* target = unicast b ~off ~at:8 in
  let flag bit = Bytes.get_uint8 b (off + 4) land bit <> 0 in
  Ok
    (Neighbour_advertisement
       {
         target;
         target_mac = target_mac items;
         router = flag 0x80;
         solicited = flag 0x40;
         override = flag 0x20;
       })

let redirected b ~off items =
  let* target = unicast b ~off ~at:8 in
  let* destination = unicast b ~off ~at:24 in
  Ok (Redirect { target; destination; target_mac = target_mac items })

let decode b ~off ~len =
  if len < 8 then Error.truncated ~need:8 ~have:len
  else if Bytes.get_uint8 b (off + 1) <> 0 then Error.malformed ~at:1 "code is not 0"
  else
    let with_options head f = Result.bind (options b ~off ~len ~head) f in
    match Bytes.get_uint8 b off with
    | 133 -> with_options 8 (fun l -> Ok (Router_solicitation { source_mac = source_mac l }))
    | 134 -> with_options 16 (fun l -> Ok (Router_advertisement (advertisement b ~off l)))
    | 135 -> with_options 24 (solicitation b ~off)
    | 136 -> with_options 24 (answer b ~off)
    | 137 -> with_options 40 (redirected b ~off)
    | _ -> Error.malformed ~at:0 "not a message of neighbour discovery"

(* -- writing ------------------------------------------------------------- *)

let macs make = function None -> [] | Some m -> [ make m ]

let items = function
  | Router_solicitation { source_mac } -> macs (fun m -> Source_mac m) source_mac
  | Router_advertisement a ->
      macs (fun m -> Source_mac m) a.router_mac
      @ (if a.mtu = 0 then [] else [ Mtu a.mtu ])
      @ List.map (fun p -> Prefix p) a.prefixes
      @ List.map (fun r -> Route r) a.routes
      @ List.map (fun (n, l) -> Servers (n, l)) a.servers
      @ List.map (fun (n, l) -> Domains (n, l)) a.domains
  | Neighbour_solicitation { source_mac; nonce; _ } ->
      macs (fun m -> Source_mac m) source_mac @ if nonce = "" then [] else [ Nonce nonce ]
  | Neighbour_advertisement { target_mac; _ } | Redirect { target_mac; _ } ->
      macs (fun m -> Target_mac m) target_mac

let item_length = function
  | Source_mac _ | Target_mac _ | Mtu _ -> 8
  | Prefix _ -> 32
  | Nonce n -> (String.length n + 2 + 7) land lnot 7
  | Route _ -> 24
  | Servers (_, l) -> 8 + (address_length * List.length l)
  | Domains (_, l) ->
      let text = List.fold_left (fun n name -> n + String.length name + 2) 0 l in
      (8 + text + 7) land lnot 7

let length t = List.fold_left (fun n i -> n + item_length i) (head t) (items t)
let flag bit b = if b then bit else 0
let set_word b at n = Bytes.set_int32_be b at (Int32.of_int n)

let emit_name b at name =
  let label at text =
    Bytes.set_uint8 b at (String.length text);
    Bytes.blit_string text 0 b (at + 1) (String.length text);
    at + 1 + String.length text
  in
  List.fold_left label at (String.split_on_char '.' name) + 1

let emit_item b at i =
  let size = item_length i in
  Bytes.fill b at size '\000';
  let kind n = Bytes.set_uint8 b at n in
  Bytes.set_uint8 b (at + 1) (size / 8);
  (match i with
  | Source_mac m ->
      kind 1;
      Mac.set b (at + 2) m
  | Target_mac m ->
      kind 2;
      Mac.set b (at + 2) m
  | Prefix p ->
      kind 3;
      Bytes.set_uint8 b (at + 2) p.length;
      Bytes.set_uint8 b (at + 3) (flag 0x80 p.on_link lor flag 0x40 p.autonomous);
      set_word b (at + 4) p.valid;
      set_word b (at + 8) p.preferred;
      Ip.set b (at + 16) p.prefix
  | Mtu n ->
      kind 5;
      set_word b (at + 4) n
  | Nonce n ->
      kind 14;
      Bytes.blit_string n 0 b (at + 2) (String.length n)
  | Route r ->
      kind 24;
      Bytes.set_uint8 b (at + 2) r.bits;
      Bytes.set_uint8 b (at + 3) (preference_bits r.preference lsl 3);
      set_word b (at + 4) r.lifetime;
      Ip.set b (at + 8) r.network
  | Servers (lifetime, l) ->
      kind 25;
      set_word b (at + 4) lifetime;
      List.iteri (fun n a -> Ip.set b (at + 8 + (address_length * n)) a) l
  | Domains (lifetime, l) ->
      kind 31;
      set_word b (at + 4) lifetime;
      ignore (List.fold_left (emit_name b) (at + 8) l : int));
  at + size

let emit_head t b ~off =
  Bytes.fill b off (head t) '\000';
  let kind n = Bytes.set_uint8 b off n in
  match t with
  | Router_solicitation _ -> kind router_solicitation
  | Router_advertisement a ->
      kind router_advertisement;
      Bytes.set_uint8 b (off + 4) a.hop_limit;
      Bytes.set_uint8 b (off + 5)
        (flag 0x80 a.managed lor flag 0x40 a.other lor (preference_bits a.preference lsl 3));
      Bytes.set_uint16_be b (off + 6) a.lifetime;
      set_word b (off + 8) a.reachable;
      set_word b (off + 12) a.retransmit
  | Neighbour_solicitation { target; _ } ->
      kind neighbour_solicitation;
      Ip.set b (off + 8) target
  | Neighbour_advertisement { target; router; solicited; override; _ } ->
      kind neighbour_advertisement;
      Bytes.set_uint8 b (off + 4) (flag 0x80 router lor flag 0x40 solicited lor flag 0x20 override);
      Ip.set b (off + 8) target
  | Redirect { target; destination; _ } ->
      kind redirect;
      Ip.set b (off + 8) target;
      Ip.set b (off + 24) destination

let emit t ~pseudo b ~off =
  emit_head t b ~off;
  let stop = List.fold_left (emit_item b) (off + head t) (items t) in
  Icmpv6.set_checksum b ~off ~len:(stop - off) ~pseudo

(* -- printing ------------------------------------------------------------ *)

let pp_mac verb f m = Option.iter (Fmt.pf f " %s %a" verb Mac.pp) m

let pp_prefix f p =
  Fmt.pf f " prefix %a/%d%s%s valid %d s" Ip.pp p.prefix p.length
    (if p.on_link then " on link" else "")
    (if p.autonomous then " autonomous" else "")
    p.valid

let pp_advertisement f a =
  Fmt.pf f "router advertisement, lifetime %d s" a.lifetime;
  if a.mtu > 0 then Fmt.pf f " mtu %d" a.mtu;
  List.iter (pp_prefix f) a.prefixes;
  List.iter (fun r -> Fmt.pf f " route %a/%d" Ip.pp r.network r.bits) a.routes;
  List.iter (fun (_, l) -> List.iter (Fmt.pf f " dns %a" Ip.pp) l) a.servers

let pp f t =
  Fmt.string f "ICMPv6 ";
  match t with
  | Router_solicitation _ -> Fmt.string f "router solicitation"
  | Router_advertisement a -> pp_advertisement f a
  | Neighbour_solicitation { target; source_mac; _ } ->
      Fmt.pf f "who-has %a%a" Ip.pp target (pp_mac "tell") source_mac
  | Neighbour_advertisement { target; target_mac; solicited; _ } ->
      Fmt.pf f "%a%a%s" Ip.pp target (pp_mac "is-at") target_mac
        (if solicited then "" else ", unsolicited")
  | Redirect { target; destination; _ } ->
      Fmt.pf f "redirect %a to %a" Ip.pp destination Ip.pp target

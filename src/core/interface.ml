open Weir_base
open Weir_wire

type state = Tentative | Preferred | Deprecated

type address = {
  ip : Ip.t;
  prefix_length : int;
  mutable state : state;
  mutable preferred_until : Time.t;
  mutable valid_until : Time.t;
}

type t = {
  number : int;
  mac : Mac.t;
  link_mtu : int;
  mutable mtu : int;
  mutable offload : Offload.by_family;
  mutable addresses : address array;
  mutable deadline : Time.t;
  neighbours : Outgoing.t Neighbours.t;
}

let shares (a : address) b = Ip.shares_prefix a.ip b ~bits:a.prefix_length

(* -- look-ups: none allocates -------------------------------------------- *)

let rec has_from all i ip =
  i < Array.length all
  && ((Ip.equal all.(i).ip ip && all.(i).state <> Tentative) || has_from all (i + 1) ip)

let has t ip = has_from t.addresses 0 ip

let broadcasts a =
  let { ip; prefix_length; _ } = a in
  if prefix_length >= 31 || not (Ip.is_v4 ip) then []
  else [ Ip.network ip ~prefix_length; Ip.last ip ~prefix_length ]

let rec is_on_link_from all i ip =
  i < Array.length all && (shares all.(i) ip || is_on_link_from all (i + 1) ip)

let is_on_link t ip = is_on_link_from t.addresses 0 ip

let score a ip =
  match a.state with
  | Tentative -> 0
  | Deprecated -> Source_address.rank ~deprecated:true a.ip ~bits:a.prefix_length ip
  | Preferred -> Source_address.rank ~deprecated:false a.ip ~bits:a.prefix_length ip

let rec best_from all i ip found most =
  if i = Array.length all then found
  else
    let score = score all.(i) ip in
    if score > most then best_from all (i + 1) ip all.(i).ip score
    else best_from all (i + 1) ip found most

let source_for t ip = best_from t.addresses 0 ip (Ip.any_like ip) 0
let takes_v6 t = t.mtu >= Ipv6.minimum_mtu

(* -- changes ------------------------------------------------------------- *)

let smallest_mtu = 576

let create random ~number ~mac ~mtu =
  if mtu < smallest_mtu || mtu > 65_535 then
    invalid_arg "Interface.create: the MTU must be 576 to 65535 bytes";
  let rec t =
    lazy
      {
        number;
        mac;
        link_mtu = mtu;
        mtu;
        offload = Offload.both Offload.none;
        addresses = [||];
        deadline = Time.never;
        neighbours =
          Neighbours.create random ~mac
            ~is_own:(fun ip -> has (Lazy.force t) ip)
            ~source_for:(fun ip -> source_for (Lazy.force t) ip);
      }
  in
  Lazy.force t

let find t ip = Array.find_opt (fun a -> Ip.equal a.ip ip) t.addresses
let deadline t = t.deadline

let next_change a =
  if a.state = Preferred then Int.min a.preferred_until a.valid_until else a.valid_until

let set_deadline t =
  t.deadline <- Array.fold_left (fun d a -> Int.min d (next_change a)) Time.never t.addresses

let add t ?(state = Preferred) ?(preferred_until = Time.never) ?(valid_until = Time.never) ip
    ~prefix_length =
  if not (Ip.is_v4 ip || takes_v6 t) then
    invalid_arg "Interface.add: IPv6 needs an MTU of 1280 bytes or more";
  match find t ip with
  | Some a when a.prefix_length = prefix_length ->
      a.state <- state;
      a.preferred_until <- preferred_until;
      a.valid_until <- valid_until;
      set_deadline t;
      a
  | Some _ -> invalid_arg "Interface.add: the interface has this address with another prefix"
  | None ->
      let a = { ip; prefix_length; state; preferred_until; valid_until } in
      t.addresses <- Array.append t.addresses [| a |];
      set_deadline t;
      a

let remove t ip =
  t.addresses <-
    Array.of_list (List.filter (fun a -> not (Ip.equal a.ip ip)) (Array.to_list t.addresses));
  set_deadline t

let expired t ~now =
  Array.iter
    (fun a -> if a.state = Preferred && a.preferred_until <= now then a.state <- Deprecated)
    t.addresses;
  set_deadline t;
  List.filter_map
    (fun a -> if a.valid_until <= now then Some a.ip else None)
    (Array.to_list t.addresses)

let set_offload t offload = t.offload <- offload

(* IPv6 needs its own least MTU (RFC 8200 §5). *)
let set_mtu t mtu =
  let has_v6 = Array.exists (fun a -> not (Ip.is_v4 a.ip)) t.addresses in
  t.mtu <- Int.max (if has_v6 then Ipv6.minimum_mtu else smallest_mtu) (Int.min mtu t.link_mtu)

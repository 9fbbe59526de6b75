open Weir_wire

type route = { network : int; mask : int; length : int; gateway : Ip4.t  (** any: on the link *) }

type t = {
  address : Ip4.t;
  link : route;
  mutable routes : route array;  (** longest prefix first, so that the first match is the answer *)
}

let int (a : Ip4.t) = (a :> int)
let mask_of length = 0xffff_ffff lxor (0xffff_ffff lsr length)
let matches route a = int a land route.mask = route.network

let route ~network ~length ~gateway =
  let mask = mask_of length in
  { network = int network land mask; mask; length; gateway }

let is_on_link t a = matches t.link a
let is_local t a = Ip4.equal a t.address || Ip4.is_loopback a

let is_broadcast t a =
  Ip4.equal a Ip4.broadcast
  || t.link.length < 31 && is_on_link t a
     &&
     let host = int a land lnot t.link.mask in
     host = 0 || host = 0xffff_ffff lxor t.link.mask

let is_source t a =
  not
    (Ip4.equal a Ip4.any || Ip4.is_multicast a || Ip4.is_loopback a || is_broadcast t a
   || Ip4.equal a t.address)

let is_gateway t a = is_on_link t a && is_source t a
let same a b = a.length = b.length && a.network = b.network

let put t r =
  let others = List.filter (fun o -> not (same o r)) (Array.to_list t.routes) in
  t.routes <-
    Array.of_list (List.stable_sort (fun a b -> Int.compare b.length a.length) (r :: others))

let add t ~network ~prefix_length ~gateway =
  if prefix_length < 0 || prefix_length > 32 then Error "the prefix length is not 0 to 32"
  else
    let r = route ~network ~length:prefix_length ~gateway in
    if same r t.link then Error "that network is on the link"
    else if not (is_gateway t gateway) then Error "the gateway is not a host on the link"
    else Ok (put t r)

let create ~address ~prefix_length ?gateway () =
  if prefix_length < 0 || prefix_length > 32 then invalid_arg "Routes.create: prefix length";
  let link = route ~network:address ~length:prefix_length ~gateway:Ip4.any in
  let t = { address; link; routes = [| link |] } in
  let default gateway =
    match add t ~network:Ip4.any ~prefix_length:0 ~gateway with
    | Ok () -> ()
    | Error why -> invalid_arg ("Routes.create: " ^ why)
  in
  Option.iter default gateway;
  t

let address t = t.address
let prefix_length t = t.link.length

let remove t ~network ~prefix_length =
  let r = route ~network ~length:(Int.max 0 (Int.min 32 prefix_length)) ~gateway:Ip4.any in
  let keep o = o.length <> prefix_length || o.network <> r.network || o == t.link in
  let before = Array.length t.routes in
  t.routes <- Array.of_list (List.filter keep (Array.to_list t.routes));
  Array.length t.routes < before

let rec best routes i dst =
  if i = Array.length routes then Ip4.any
  else
    let r = routes.(i) in
    if not (matches r dst) then best routes (i + 1) dst
    else if Ip4.equal r.gateway Ip4.any then dst
    else r.gateway

let next_hop t dst =
  if Ip4.equal dst Ip4.any || Ip4.is_loopback dst then Ip4.any
  else if Ip4.is_multicast dst || is_broadcast t dst then dst
  else best t.routes 0 dst

let pp_route f r =
  Fmt.pf f "%a/%d" Ip4.pp (Ip4.of_int r.network) r.length;
  if Ip4.equal r.gateway Ip4.any then Fmt.string f " on the link"
  else Fmt.pf f " via %a" Ip4.pp r.gateway

let pp f t = Fmt.pf f "@[<v>%a@]" Fmt.(array pp_route) t.routes

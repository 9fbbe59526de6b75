let subnet_mask = 1
let routers = 3
let name_servers = 6
let host_name = 12
let domain_name = 15
let interface_mtu = 26
let requested_address = 50
let lease_time = 51
let server_identifier = 54
let parameter_list = 55
let message = 56
let longest_message = 57
let renewal_time = 58
let rebinding_time = 59
let client_identifier = 61
let domain_search = 119
let classless_routes = 121

(* -- numbers and addresses ----------------------------------------------- *)

let number s ~bytes =
  if String.length s <> bytes then None
  else Some (String.fold_left (fun n c -> (n lsl 8) lor Char.code c) 0 s)

let of_number n ~bytes =
  String.init bytes (fun i -> Char.chr ((n lsr (8 * (bytes - 1 - i))) land 255))

let address s = Option.map Ip.of_int (number s ~bytes:4)
let of_address a = of_number (Ip.key a) ~bytes:4

let addresses s =
  let n = String.length s in
  if n = 0 || n land 3 <> 0 then None
  else Some (List.init (n / 4) (fun i -> Ip.of_int (Int32.to_int (String.get_int32_be s (4 * i)))))

let of_addresses l = String.concat "" (List.map of_address l)
let mask length = 0xffff_ffff land lnot (0xffff_ffff lsr length)
let of_prefix_length length = of_number (mask length) ~bytes:4

let prefix_length s =
  match number s ~bytes:4 with
  | None -> None
  | Some m -> List.find_opt (fun length -> mask length = m) (List.init 33 Fun.id)

(* -- routes -------------------------------------------------------------- *)

type route = { network : Ip.t; length : int; gateway : Ip.t }

(* A route is the prefix length, the significant bytes of the prefix, and the gateway. *)
let rec routes_from s at found =
  if at = String.length s then if found = [] then None else Some (List.rev found)
  else
    let length = Char.code s.[at] in
    let bytes = (length + 7) / 8 in
    let next = at + 1 + bytes + 4 in
    if length > 32 || next > String.length s then None
    else
      let byte i = if i < bytes then Char.code s.[at + 1 + i] else 0 in
      let n = (byte 0 lsl 24) lor (byte 1 lsl 16) lor (byte 2 lsl 8) lor byte 3 in
      let network = Ip.of_int (n land mask length) in
      let gateway = Ip.of_int (Int32.to_int (String.get_int32_be s (next - 4))) in
      routes_from s next ({ network; length; gateway } :: found)

let routes s = routes_from s 0 []

let of_routes l =
  let one r =
    let bytes = (r.length + 7) / 8 in
    String.make 1 (Char.chr r.length)
    ^ String.sub (of_address r.network) 0 bytes
    ^ of_address r.gateway
  in
  String.concat "" (List.map one l)

(* -- names --------------------------------------------------------------- *)

let is_label l =
  let ok = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '-' | '_' -> true | _ -> false in
  let n = String.length l in
  n >= 1 && n <= 63 && String.for_all ok l

let longest_name = 253

let name_of labels =
  let name = String.concat "." labels in
  if labels <> [] && String.length name <= longest_name && List.for_all is_label labels then
    Some name
  else None

let without_end s =
  let rec length n = if n > 0 && s.[n - 1] = '\000' then length (n - 1) else n in
  String.sub s 0 (length (String.length s))

let name s =
  let s = without_end s in
  let n = String.length s in
  let s = if n > 0 && s.[n - 1] = '.' then String.sub s 0 (n - 1) else s in
  if String.length s > longest_name then None else name_of (String.split_on_char '.' s)

let longest_text = 100

let text s =
  let s = without_end s in
  let s = String.sub s 0 (Int.min longest_text (String.length s)) in
  if s <> "" && String.for_all (fun c -> c >= ' ' && c <= '~') s then Some s else None

(* The labels at [at], and where they end. Each pointer must point before the labels that it ends,
   so the recursion stops. A name that is too long is refused early. *)
let rec labels s ~at ~first ~room found =
  if at >= String.length s then None
  else
    let n = Char.code s.[at] in
    if n = 0 then Some (List.rev found, at + 1)
    else if n land 0xc0 = 0xc0 then
      if at + 1 >= String.length s then None
      else
        let to_ = ((n land 0x3f) lsl 8) lor Char.code s.[at + 1] in
        if to_ >= first then None
        else Option.map (fun (all, _) -> (all, at + 2)) (labels s ~at:to_ ~first:to_ ~room found)
    else if n > 63 || at + 1 + n > String.length s || n + 1 > room then None
    else labels s ~at:(at + 1 + n) ~first ~room:(room - n - 1) (String.sub s (at + 1) n :: found)

let most_names = 64

let rec names_from s at found =
  if at = String.length s || List.length found = most_names then
    if found = [] then None else Some (List.rev found)
  else
    match labels s ~at ~first:at ~room:(longest_name + 1) [] with
    | None -> None
    | Some (l, next) -> (
        match name_of l with None -> None | Some name -> names_from s next (name :: found))

let names s = names_from s 0 []

let of_names l =
  let label l = String.make 1 (Char.chr (String.length l)) ^ l in
  let one name = String.concat "" (List.map label (String.split_on_char '.' name)) ^ "\000" in
  String.concat "" (List.map one l)

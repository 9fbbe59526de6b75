module V6 = Ipaddr.V6

(* An IPv4 address counts as the IPv6 address it is mapped to (RFC 6724 §3.2). *)
let octets = function
  | Ipaddr.V4 a -> "\000\000\000\000\000\000\000\000\000\000\xff\xff" ^ Ipaddr.V4.to_octets a
  | V6 a -> V6.to_octets a

(* RFC 6724 §2.1: prefix, precedence, label. *)
let policies =
  List.map
    (fun (prefix, precedence, label) -> (V6.Prefix.of_string_exn prefix, precedence, label))
    [
      ("::1/128", 50, 0);
      ("::/0", 40, 1);
      ("::ffff:0:0/96", 35, 4);
      ("2002::/16", 30, 2);
      ("2001::/32", 5, 5);
      ("fc00::/7", 3, 13);
      ("::/96", 1, 3);
      ("fec0::/10", 1, 11);
      ("3ffe::/16", 1, 12);
    ]

let policy a =
  let a = V6.of_octets_exn (octets a) in
  List.fold_left
    (fun ((best, _, _) as found) ((prefix, _, _) as p) ->
      if V6.Prefix.mem a prefix && V6.Prefix.bits prefix >= V6.Prefix.bits best then p else found)
    (List.nth policies 1) policies

let precedence a =
  let _, n, _ = policy a in
  n

let label a =
  let _, _, n = policy a in
  n

let link_local = 0x2
let site_local = 0x5
let global = 0xe

(* RFC 6724 §3.1, §3.2. *)
let scope a =
  let s = octets a in
  let byte i = Char.code s.[i] in
  match a with
  | Ipaddr.V4 _ -> if byte 12 = 127 || (byte 12 = 169 && byte 13 = 254) then link_local else global
  | V6 _ ->
      if byte 0 = 0xff then byte 1 land 15
      else if V6.compare (V6.of_octets_exn s) V6.localhost = 0 then link_local
      else if byte 0 = 0xfe && byte 1 land 0xc0 = 0x80 then link_local
      else if byte 0 = 0xfe && byte 1 land 0xc0 = 0xc0 then site_local
      else global

let common_bits a b =
  let a = octets a and b = octets b in
  let rec bits x n = if x land 0x80 <> 0 || n = 8 then n else bits (x lsl 1) (n + 1) in
  let rec go i =
    if i = 16 then 128
    else
      let x = Char.code a.[i] lxor Char.code b.[i] in
      if x = 0 then go (i + 1) else (8 * i) + bits x 0
  in
  go 0

(* No better than its own 64 bits of network (RFC 6724 §5, rule 8). *)
let common a source = match a with Ipaddr.V4 _ -> 0 | V6 _ -> Int.min 64 (common_bits a source)

(* Compared part by part; the smaller is better. *)
let rank ~source a =
  let bad b = if b then 1 else 0 in
  match source a with
  | None -> [ 1; 0; 0; -precedence a; scope a; 0 ]
  | Some s ->
      [ 0; bad (scope a <> scope s); bad (label a <> label s); -precedence a; scope a; -common a s ]

let same_family a b = match (a, b) with Ipaddr.V4 _, Ipaddr.V4 _ | V6 _, V6 _ -> true | _ -> false

let sort ~source l =
  List.map (fun a -> (rank ~source a, a)) l
  |> List.stable_sort (fun (r, _) (s, _) -> List.compare Int.compare r s)
  |> List.map snd

let interleave = function
  | [] -> []
  | first :: _ as l ->
      let rec turns a b =
        match (a, b) with x :: a, y :: b -> x :: y :: turns a b | rest, [] | [], rest -> rest
      in
      let own, other = List.partition (same_family first) l in
      turns own other

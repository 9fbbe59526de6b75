type protocol = Services.protocol = Tcp | Udp

(* -- numbers ------------------------------------------------------------- *)

let is_digit ~base c =
  match c with
  | '0' .. '9' -> Char.code c - Char.code '0' < base
  | 'a' .. 'f' | 'A' .. 'F' -> base = 16
  | _ -> false

(* [int_of_string] alone would take signs, underscores and other prefixes. *)
let digits ~base ~prefix s =
  if s <> "" && String.length s <= 11 && String.for_all (is_digit ~base) s then
    int_of_string_opt (prefix ^ s)
  else None

let after n s = String.sub s n (String.length s - n)

(* As C writes constants. *)
let number s =
  if String.starts_with ~prefix:"0x" s || String.starts_with ~prefix:"0X" s then
    digits ~base:16 ~prefix:"0x" (after 2 s)
  else if String.starts_with ~prefix:"0" s then digits ~base:8 ~prefix:"0o" s
  else digits ~base:10 ~prefix:"" s

(* Up to three bytes, and a number that fills the rest. *)
let ipv4 s =
  let rec fill acc at = function
    | [ Some last ] when last lsr (32 - at) = 0 -> Some (acc lor last)
    | Some byte :: (_ :: _ as rest) when at < 24 && byte < 256 ->
        fill (acc lor (byte lsl (24 - at))) (at + 8) rest
    | _ -> None
  in
  fill 0 0 (List.map number (String.split_on_char '.' s))
  |> Option.map (fun a -> Weir_wire.Ip.(to_v4 (of_int a)))

let ipv6 s =
  if String.starts_with ~prefix:"[" s then None else Result.to_option (Ipaddr.V6.of_string s)

(* -- services ------------------------------------------------------------ *)

(* Spaces and a plus before a number are [strtoul]'s. *)
let rec decimal s =
  if s = "" then None
  else
    match s.[0] with
    | ' ' | '\t' .. '\r' -> decimal (after 1 s)
    | '+' -> digits ~base:10 ~prefix:"" (after 1 s)
    | _ -> digits ~base:10 ~prefix:"" s

let ports = function
  | "" -> [ (Tcp, 0); (Udp, 0) ]
  | service -> (
      match decimal service with
      | Some port -> if port <= 65_535 then [ (Tcp, port); (Udp, port) ] else []
      | None ->
          List.filter_map
            (fun p -> Option.map (fun port -> (p, port)) (Services.port p service))
            [ Tcp; Udp ])

let service protocol port =
  match Services.name protocol port with Some name -> name | None -> string_of_int port

(* -- names --------------------------------------------------------------- *)

let localhost = "localhost"

let in_table table node =
  let node = String.lowercase_ascii node in
  match List.filter (fun (name, _) -> String.lowercase_ascii name = node) table with
  | [] when node = localhost -> [ Ipaddr.V4 Ipaddr.V4.localhost ]
  | found -> List.map snd found

let addresses table node =
  match ipv4 node with
  | Some a -> [ Ipaddr.V4 a ]
  | None -> (
      match ipv6 node with
      | Some a -> [ Ipaddr.V6 a ]
      | None -> if node = "" then [] else in_table table node)

let lookup table ~service node =
  let found = if node = "" && service <> "" then addresses [] localhost else addresses table node in
  match (ports service, found) with
  | [], _ -> Error `No_service
  | _, [] -> Error `No_name
  | ports, found -> Ok (List.concat_map (fun a -> List.map (fun (p, n) -> (p, a, n)) ports) found)

let name table a =
  match List.find_opt (fun (_, x) -> Ipaddr.compare x a = 0) table with
  | Some (name, _) -> name
  | None when Ipaddr.compare a (V4 Ipaddr.V4.localhost) = 0 -> localhost
  | None -> Ipaddr.to_string a

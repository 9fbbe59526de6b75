type place = Everywhere | Network of Ipaddr.Prefix.t | Name of string | Members of string * string
type t = { place : place; port : int option }

let everywhere = { place = Everywhere; port = None }

let port_of s =
  match int_of_string_opt s with
  | Some p when p >= 1 && p <= 65_535 -> Ok p
  | _ -> Error (Printf.sprintf "%S is not a port: give 1 to 65535" s)

let network_of s =
  match Ipaddr.Prefix.of_string s with
  | Ok (V4 p) -> Some (Ipaddr.V4 (Ipaddr.V4.Prefix.prefix p))
  | Ok (V6 p) -> Some (V6 (Ipaddr.V6.Prefix.prefix p))
  | Error _ -> Result.to_option (Result.map Ipaddr.Prefix.of_addr (Ipaddr.of_string s))

let ( let* ) = Result.bind

(* An IPv6 network with a port stands in brackets. *)
let split s =
  let n = String.length s in
  match (String.index_opt s ']', String.rindex_opt s ':') with
  | Some close, _ when s.[0] = '[' && close = n - 1 -> (String.sub s 1 (close - 1), None)
  | Some close, Some colon when s.[0] = '[' && colon = close + 1 ->
      (String.sub s 1 (close - 1), Some (String.sub s (colon + 1) (n - colon - 1)))
  | None, Some colon when String.index s ':' = colon ->
      (String.sub s 0 colon, Some (String.sub s (colon + 1) (n - colon - 1)))
  | _ -> (s, None)

let without_star s =
  if String.starts_with ~prefix:"*." s then String.sub s 2 (String.length s - 2) else s

let has_letter s = String.exists Char.Ascii.is_letter s

let is_name s =
  match Domain_name.of_string (without_star s) with
  | Ok n -> Weir_wire.Dns_name.is_host n && has_letter s
  | Error _ -> false

let neither s ~names =
  Error
    (Printf.sprintf
       "%S is neither an address nor a network%s: give 10.0.0.1, 10.0.0.0/8, fd00::/8%s, with \
        :PORT behind it if only that port is meant"
       s
       (if names then " nor a name" else "")
       (if names then ", example.org or *.example.org" else ""))

let parse ~names s =
  let host, port = split s in
  let* port = match port with None -> Ok None | Some p -> Result.map Option.some (port_of p) in
  if host = "" && port <> None then Ok { place = Everywhere; port }
  else
    match network_of host with
    | Some network -> Ok { place = Network network; port }
    | None when names && is_name host -> Ok { place = Name (String.lowercase_ascii host); port }
    | None -> neither s ~names

let pp f { place; port } =
  (match (place, port) with
  | Network (V6 _ as p), Some _ -> Fmt.pf f "[%a]" Ipaddr.Prefix.pp p
  | Network p, _ -> Ipaddr.Prefix.pp f p
  | Name n, _ -> Fmt.string f n
  | Members (a, b), _ -> Fmt.pf f "%s,%s" a b
  | Everywhere, _ -> ());
  Option.iter (Fmt.pf f ":%d") port

let rank t =
  ( (match t.place with
    | Name n -> if String.starts_with ~prefix:"*." n then 200 else 300
    | Network (V4 p) -> 1 + Ipaddr.V4.Prefix.bits p
    | Network (V6 p) -> 1 + Ipaddr.V6.Prefix.bits p
    | Members (a, b) -> List.length (List.filter (( <> ) "*") [ a; b ])
    | Everywhere -> 0),
    Option.is_some t.port )

let most_specific_first a b = Stdlib.compare (rank b) (rank a)

let covers pattern name =
  pattern = name
  || String.starts_with ~prefix:"*." pattern
     && String.ends_with ~suffix:(String.sub pattern 1 (String.length pattern - 1)) name

let matches ?(names = []) t address ~port =
  (match t.place with
    | Everywhere -> true
    | Network p -> Ipaddr.Prefix.mem address p
    | Name n -> List.exists (covers n) names
    | Members _ -> false)
  && match t.port with Some p -> p = port | None -> true

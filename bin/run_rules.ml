type where =
  | Everywhere  (** all addresses of both families *)
  | Network of Ipaddr.Prefix.t
  | Name of string  (** the addresses that the name server has told for it *)
  | Under of string  (** and for all names below it *)

type rule = { allow : bool; where : where; port : int option }

let port_of s =
  match int_of_string_opt s with
  | Some p when p >= 1 && p <= 65_535 -> Ok p
  | _ -> Error (Printf.sprintf "%S is not a port: give 1 to 65535" s)

let is_host s =
  match Domain_name.of_string s with Ok n -> Result.is_ok (Domain_name.host n) | Error _ -> false

let looks_like_a_number s = String.for_all (function '0' .. '9' | '.' -> true | _ -> false) s

let where_of s =
  match Ipaddr.Prefix.of_string s with
  | Ok (V4 p) -> Ok (Network (V4 (Ipaddr.V4.Prefix.prefix p)))
  | Ok (V6 p) -> Ok (Network (V6 (Ipaddr.V6.Prefix.prefix p)))
  | Error _ -> (
      match Ipaddr.of_string s with
      | Ok a -> Ok (Network (Ipaddr.Prefix.of_addr a))
      | Error _ when is_host s && not (looks_like_a_number s) ->
          Ok (Name (String.lowercase_ascii s))
      | Error _
        when String.starts_with ~prefix:"*." s && is_host (String.sub s 2 (String.length s - 2)) ->
          Ok (Under (String.lowercase_ascii (String.sub s 1 (String.length s - 1))))
      | Error _ ->
          Error
            (Printf.sprintf
               "%S is neither an address nor a network nor a name: give 10.0.0.1, 10.0.0.0/8, \
                fd00::/8, example.com or *.example.com, with :PORT behind it if only that port is \
                meant"
               s))

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

let parse allow s =
  let network, port = split s in
  let* port = match port with None -> Ok None | Some p -> Result.map Option.some (port_of p) in
  if network = "" && port <> None then Ok { allow; where = Everywhere; port }
  else
    let* where = where_of network in
    Ok { allow; where; port }

let pp f { where; port; _ } =
  (match (where, port) with
  | Network (V6 _ as p), Some _ -> Fmt.pf f "[%a]" Ipaddr.Prefix.pp p
  | Network p, _ -> Ipaddr.Prefix.pp f p
  | Name n, _ -> Fmt.string f n
  | Under n, _ -> Fmt.pf f "*%s" n
  | Everywhere, _ -> ());
  Option.iter (Fmt.pf f ":%d") port

let conv kind = Cmdliner.Arg.Conv.make ~docv:"NETWORK[:PORT]" ~parser:(parse (kind = `Allow)) ~pp ()

type t = {
  rules : rule list;  (** the most specific first *)
  names : (Ipaddr.t, string) Hashtbl.t;  (** whose names the name server has told *)
}

(* A name is as specific as one address, and one above others as a network. *)
let specific r =
  ( (match r.where with
    | Network (V4 p) -> 1 + Ipaddr.V4.Prefix.bits p
    | Network (V6 p) -> 1 + Ipaddr.V6.Prefix.bits p
    | Name _ -> 129
    | Under n -> Int.min 32 (String.length n)
    | Everywhere -> 0),
    Option.is_some r.port )

(* [List.rev] puts the last of equal ones first. *)
let make rules =
  let rules =
    List.stable_sort (fun a b -> Stdlib.compare (specific b) (specific a)) (List.rev rules)
  in
  { rules; names = Hashtbl.create 16 }

let most_names = 10_000

let matches_name where name =
  match where with
  | Name n -> n = name
  | Under n -> String.ends_with ~suffix:n name
  | Everywhere | Network _ -> false

let learn t name addresses =
  let name = String.lowercase_ascii name in
  if List.exists (fun r -> matches_name r.where name) t.rules then
    List.iter
      (fun a ->
        if Hashtbl.length t.names < most_names && not (List.mem name (Hashtbl.find_all t.names a))
        then Hashtbl.add t.names a name)
      addresses

let matches t r address ~port =
  (match r.where with
    | Everywhere -> true
    | Network p -> Ipaddr.Prefix.mem address p
    | (Name _ | Under _) as where ->
        List.exists (matches_name where) (Hashtbl.find_all t.names address))
  && match r.port with Some p -> p = port | None -> true

let allows t address ~port =
  match List.find_opt (fun r -> matches t r address ~port) t.rules with
  | Some r -> r.allow
  | None -> true

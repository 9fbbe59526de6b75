type rule = {
  allow : bool;
  network : Ipaddr.Prefix.t option;  (** [None] is all addresses of both families *)
  port : int option;
}

let port_of s =
  match int_of_string_opt s with
  | Some p when p >= 1 && p <= 65_535 -> Ok p
  | _ -> Error (Printf.sprintf "%S is not a port: give 1 to 65535" s)

let network_of s =
  let prefix =
    match Ipaddr.Prefix.of_string s with
    | Ok (V4 p) -> Ok (Ipaddr.V4 (Ipaddr.V4.Prefix.prefix p))
    | Ok (V6 p) -> Ok (V6 (Ipaddr.V6.Prefix.prefix p))
    | Error _ -> Result.map Ipaddr.Prefix.of_addr (Ipaddr.of_string s)
  in
  Result.map_error
    (fun _ ->
      Printf.sprintf
        "%S is neither an address nor a network: give 10.0.0.1, 10.0.0.0/8, fd00::/8, with :PORT \
         behind it if only that port is meant"
        s)
    prefix

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
  if network = "" && port <> None then Ok { allow; network = None; port }
  else
    let* network = network_of network in
    Ok { allow; network = Some network; port }

let pp f { network; port; _ } =
  (match (network, port) with
  | Some (V6 _ as p), Some _ -> Fmt.pf f "[%a]" Ipaddr.Prefix.pp p
  | Some p, _ -> Ipaddr.Prefix.pp f p
  | None, _ -> ());
  Option.iter (Fmt.pf f ":%d") port

let conv kind = Cmdliner.Arg.Conv.make ~docv:"NETWORK[:PORT]" ~parser:(parse (kind = `Allow)) ~pp ()

type t = rule list

let specific r =
  ( (match r.network with
    | Some (V4 p) -> 1 + Ipaddr.V4.Prefix.bits p
    | Some (V6 p) -> 1 + Ipaddr.V6.Prefix.bits p
    | None -> 0),
    Option.is_some r.port )

(* The most specific first; [List.rev] puts the last of equal ones first. *)
let make rules =
  List.stable_sort (fun a b -> Stdlib.compare (specific b) (specific a)) (List.rev rules)

let matches r address ~port =
  (match r.network with Some p -> Ipaddr.Prefix.mem address p | None -> true)
  && match r.port with Some p -> p = port | None -> true

let allows t address ~port =
  match List.find_opt (fun r -> matches r address ~port) t with Some r -> r.allow | None -> true

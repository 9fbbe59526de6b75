open Weir_base
open Weir_wire

type failure = [ `No_name | `No_data | `Try_again | `Refused ]
type 'a later = now:Time.t -> ('a -> unit) -> unit -> unit
type 'a answer = Now of 'a | Later of 'a later
type progress = Some_of of Ipaddr.t list | All of (Ipaddr.t list, failure) result

let pp_failure f = function
  | `No_name -> Fmt.string f "there is no such name"
  | `No_data -> Fmt.string f "the name has no such record"
  | `Try_again -> Fmt.string f "the DNS servers did not answer, or failed: try again"
  | `Refused -> Fmt.string f "the DNS servers refuse the question"

let failure : Resolver.failure -> failure = function
  | No_name -> `No_name
  | No_data -> `No_data
  | Server_failure | No_answer -> `Try_again
  | Refused -> `Refused
  | No_servers -> `No_name

let is_any (a : Ipaddr.t) =
  match a with
  | V4 a -> Ipaddr.V4.(compare a any) = 0
  | V6 a -> Ipaddr.V6.(compare a unspecified) = 0

let source pump a =
  let stack = Pump.stack pump in
  let source = Weir_core.Stack.source_for stack a in
  if Weir_core.Stack.has_route stack a && not (is_any source) then Some source else None

let address (r : Dns.record) : Ipaddr.t option =
  match r.data with A a -> Some (V4 a) | AAAA a -> Some (V6 a) | _ -> None

let addresses_of found = List.concat_map (fun (_, l) -> List.filter_map address l) found
let sorted pump found = Address_order.sort ~source:(source pump) (addresses_of found)
let families : Dns.Kind.t list = [ AAAA; A ]

let both pump names ~now f =
  Pump.resolve pump ~now families names (function
    | Partly found -> f (Some_of (sorted pump found))
    | Done (Ok found) -> f (All (Ok (sorted pump found)))
    | Done (Error e) -> f (All (Error (failure e))))

(* What to ask for, if the tables do not have it. *)
let look pump node =
  match Names.addresses (Pump.hosts pump) node with
  | _ :: _ as found -> Error (Ok found)
  | [] -> (
      if not (Pump.has_resolvers pump) then Error (Error `No_name)
      else match Pump.candidates pump node with [] -> Error (Error `No_name) | names -> Ok names)

let addresses pump node =
  match look pump node with
  | Error known -> Now known
  | Ok names ->
      Later
        (fun ~now f -> both pump names ~now (function Some_of _ -> () | All answer -> f answer))

let map f = function
  | Now x -> Now (f x)
  | Later p -> Later (fun ~now k -> p ~now (fun x -> k (f x)))

let getaddrinfo pump ~service node =
  let at_ports a = List.map (fun (protocol, port) -> (protocol, a, port)) (Names.ports service) in
  match Names.lookup (Pump.hosts pump) ~service node with
  | Ok _ as found -> Now found
  | Error `No_service -> Now (Error `No_service)
  | Error `No_name ->
      map
        (function
          | Ok found -> Ok (List.concat_map at_ports found)
          | Error (#failure as e) -> Error (e :> [ failure | `No_service ]))
        (addresses pump node)

let for_connect pump node =
  match look pump node with
  | Error known -> Now (All known)
  | Ok names -> Later (fun ~now f -> both pump names ~now f)

let ptr (r : Dns.record) =
  match r.data with
  | PTR name when Dns_name.is_host name -> Some (Domain_name.to_string name)
  | _ -> None

let name pump a =
  let table = Names.name (Pump.hosts pump) a in
  if table <> Ipaddr.to_string a || not (Pump.has_resolvers pump) then Now table
  else
    let question = Domain_name.raw (Ipaddr.to_domain_name a) in
    Later
      (fun ~now f ->
        Pump.resolve pump ~now [ PTR ] [ question ] (function
          | Partly _ -> ()
          | Done (Error _) -> f table
          | Done (Ok found) -> (
              match List.concat_map (fun (_, l) -> List.filter_map ptr l) found with
              | name :: _ -> f name
              | [] -> f table)))

let records pump kind node =
  match if Pump.has_resolvers pump then Pump.candidates pump node else [] with
  | [] -> Now (Error `No_name)
  | names ->
      Later
        (fun ~now f ->
          Pump.resolve pump ~now [ kind ] names (function
            | Partly _ -> ()
            | Done (Ok found) -> f (Ok (List.concat_map snd found))
            | Done (Error e) -> f (Error (failure e))))

let tell eyes ~now progress =
  let addresses, is_last, failure =
    match progress with
    | Some_of l -> (l, false, None)
    | All (Ok l) -> (l, true, None)
    | All (Error e) -> ([], true, Some e)
  in
  if is_last then Eyeballs.resolved eyes;
  if addresses <> [] then Eyeballs.found eyes ~now addresses;
  failure

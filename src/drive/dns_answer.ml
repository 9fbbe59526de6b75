open Weir_wire

type t =
  | Found of { records : Dns.record list; seconds : int }
  | Alias of { target : Dns.name; links : int; seconds : int }
  | No_data of int option
  | No_name of int option
  | Failed of failure

and failure = Server_failure | Refused | Not_understood

let most_links = 16
let longest_seconds = 86_400
let longest_absence = 3_600

(* RFC 2181 §8: above 31 bits it counts as 0. *)
let seconds (r : Dns.record) = if r.ttl > 0x7fff_ffff then 0 else Int.min longest_seconds r.ttl
let least records most = List.fold_left (fun n r -> Int.min n (seconds r)) most records

(* RFC 2308 §5: as long as the SOA record and its last field allow. *)
let absence (m : Dns.t) ~most =
  List.find_map
    (fun (r : Dns.record) ->
      match r.data with
      | SOA s -> Some (Int.min (Int.min most longest_absence) (Int.min (seconds r) s.minimum))
      | _ -> None)
    m.authority

let is_referral (m : Dns.t) =
  let has_ns (r : Dns.record) = match r.data with NS _ -> true | _ -> false in
  List.exists has_ns m.authority

let target (r : Dns.record) = match r.data with CNAME n -> Some n | _ -> None

let rec follow (m : Dns.t) name kind ~links ~most =
  let own = List.filter (fun (r : Dns.record) -> Domain_name.equal r.name name) m.answers in
  let own = List.filter (fun (r : Dns.record) -> r.class_ = Dns.in_) own in
  let aliases = List.filter (fun r -> target r <> None) own in
  match List.filter (fun (r : Dns.record) -> Dns.kind r.data = kind) own with
  | _ :: _ as records -> Found { records; seconds = least records most }
  | [] -> (
      match aliases with
      | [] -> over m name ~links ~most
      | _ when links = most_links -> Failed Server_failure
      | alias :: _ ->
          let next = Option.get (target alias) in
          follow m next kind ~links:(links + 1) ~most:(least [ alias ] most))

(* Nothing is said of [name], or of what it is an alias of. RFC 6604 §3: the code is the last
   name's. *)
and over m name ~links ~most =
  if Dns.rcode m = Dns.name_error then No_name (absence m ~most)
  else
    match absence m ~most with
    | Some n -> No_data (Some n)
    | None when links > 0 -> Alias { target = name; links; seconds = most }
    | None when is_referral m -> Failed Server_failure
    | None -> No_data None

let read m name kind =
  let code = Dns.rcode m in
  if code = Dns.no_error || code = Dns.name_error then
    follow m name kind ~links:0 ~most:longest_seconds
  else if code = Dns.refused then Failed Refused
  else if code = Dns.format_error || code = Dns.not_implemented || code = 16 then
    Failed Not_understood
  else Failed Server_failure

let is_for (m : Dns.t) ~id (q : Dns.question) =
  m.response && m.id = id && m.opcode = 0
  &&
  match m.questions with
  | [ { name; kind; class_ } ] ->
      kind = q.kind && class_ = q.class_ && Domain_name.equal ~case_sensitive:true name q.name
  | _ -> false

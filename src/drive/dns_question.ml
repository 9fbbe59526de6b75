open Weir_wire

let random_case random name =
  let letter c =
    if Random.State.bool random then Char.uppercase_ascii c else Char.lowercase_ascii c
  in
  Domain_name.of_strings_exn (List.map (String.map letter) (Domain_name.to_strings name))

(* Each end of the one name, with that of the other. *)
let rec ends asked sent =
  match (asked, sent) with _ :: asked', _ :: sent' -> (sent, asked) :: ends asked' sent' | _ -> []

let restore_name known name =
  let rec go labels =
    match (List.assoc_opt labels known, labels) with
    | Some asked, _ -> asked
    | None, [] -> []
    | None, label :: rest -> label :: go rest
  in
  Domain_name.of_strings_exn (go (Domain_name.to_strings name))

let restore ~asked ~sent (r : Dns.record) =
  let known = ends (Domain_name.to_strings asked) (Domain_name.to_strings sent) in
  let name = restore_name known in
  let data : Dns.data =
    match r.data with
    | NS n -> NS (name n)
    | CNAME n -> CNAME (name n)
    | PTR n -> PTR (name n)
    | MX m -> MX { m with exchange = name m.exchange }
    | SRV s -> SRV { s with target = name s.target }
    | SOA s -> SOA { s with server = name s.server; mailbox = name s.mailbox }
    | (A _ | AAAA _ | TXT _ | OPT _ | Other _) as data -> data
  in
  { r with name = name r.name; data }

let for_stream m =
  let b = Bytes.create 2 in
  Bytes.set_uint16_be b 0 (String.length m);
  Bytes.unsafe_to_string b ^ m

let answer_here name (kind : Dns.Kind.t) =
  let record data = Ok [ { Dns.name; class_ = Dns.in_; ttl = 0; data } ] in
  match List.rev (Domain_name.to_strings (Domain_name.canonical name)) with
  | "localhost" :: _ -> (
      match kind with
      | A -> Some (record (Dns.A Ipaddr.V4.localhost))
      | AAAA -> Some (record (Dns.AAAA Ipaddr.V6.localhost))
      | _ -> Some (Error `No_data))
  | ("invalid" | "onion") :: _ -> Some (Error `No_name)
  | _ -> None

open Weir_wire

type t = (Ipaddr.t, string list) Hashtbl.t

let most = 10_000
let most_names = 8
let create () : t = Hashtbl.create 16
let names t a = Option.value (Hashtbl.find_opt t a) ~default:[]
let latest t a = match names t a with name :: _ -> Some name | [] -> None

let question (m : Dns.t) =
  match m.questions with
  | q :: _ -> Some (String.lowercase_ascii (Domain_name.to_string q.name))
  | [] -> None

let add t name address =
  if Hashtbl.mem t address || Hashtbl.length t < most then
    let others = List.filter (( <> ) name) (names t address) in
    Hashtbl.replace t address (name :: List.filteri (fun n _ -> n < most_names - 1) others)

(* Aliases are not followed: the name is the one that was asked for. *)
let learn t (m : Dns.t) =
  if m.response then
    Option.iter
      (fun name ->
        List.iter
          (fun (r : Dns.record) ->
            match r.data with
            | A a -> add t name (Ipaddr.V4 a)
            | AAAA a -> add t name (V6 a)
            | _ -> ())
          m.answers)
      (question m)

let failure (m : Dns.t) how =
  let rcode = match how with `Servfail -> Dns.server_failure | `Nxdomain -> Dns.name_error in
  Dns.emit
    {
      m with
      response = true;
      recursion_available = true;
      rcode;
      answers = [];
      authority = [];
      additional = [];
    }

let all t =
  Hashtbl.fold (fun a names l -> match names with n :: _ -> (a, n) :: l | [] -> l) t []
  |> List.sort Stdlib.compare

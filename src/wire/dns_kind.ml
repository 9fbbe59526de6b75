type t = A | NS | CNAME | SOA | PTR | MX | TXT | AAAA | SRV | OPT | Other of int

let known =
  [
    (A, 1, "A");
    (NS, 2, "NS");
    (CNAME, 5, "CNAME");
    (SOA, 6, "SOA");
    (PTR, 12, "PTR");
    (MX, 15, "MX");
    (TXT, 16, "TXT");
    (AAAA, 28, "AAAA");
    (SRV, 33, "SRV");
    (OPT, 41, "OPT");
  ]

let of_int n =
  match List.find_opt (fun (_, m, _) -> m = n) known with Some (t, _, _) -> t | None -> Other n

let to_int = function
  | Other n -> n
  | t ->
      let _, n, _ = List.find (fun (u, _, _) -> u = t) known in
      n

let of_string s =
  let s = String.uppercase_ascii s in
  List.find_opt (fun (t, _, name) -> name = s && t <> OPT) known |> Option.map (fun (t, _, _) -> t)

let pp f = function
  | Other n -> Fmt.pf f "TYPE%d" n
  | t ->
      let _, _, name = List.find (fun (u, _, _) -> u = t) known in
      Fmt.string f name

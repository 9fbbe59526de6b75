let services =
  [ ("http", 80); ("https", 443); ("domain", 53); ("ssh", 22); ("echo", 7); ("ntp", 123) ]

let port = function
  | "" -> Some 0
  | s -> (
      match (int_of_string_opt s, List.assoc_opt s services) with
      | Some p, _ when p >= 0 && p <= 65_535 -> Some p
      | _, found -> found)

let addresses table = function
  | "" -> [ Ipaddr.V4 Ipaddr.V4.any ]
  | "localhost" -> [ Ipaddr.V4 Ipaddr.V4.localhost ]
  | node -> (
      match Ipaddr.of_string node with
      | Ok a -> [ a ]
      | Error _ ->
          let node = String.lowercase_ascii node in
          List.filter_map
            (fun (name, a) -> if String.lowercase_ascii name = node then Some a else None)
            table)

let name table a =
  match List.find_opt (fun (_, x) -> Ipaddr.compare x a = 0) table with
  | Some (name, _) -> name
  | None -> Ipaddr.to_string a

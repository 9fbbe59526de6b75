open Weir_wire

type t = { ndots : int; domains : Dns.name list }

let most = 6
let most_dots = 15

let create ?(ndots = 1) domains =
  let domain s =
    match Domain_name.of_string s with
    | Ok n when Domain_name.count_labels n > 0 -> Some n
    | Ok _ | Error _ -> None
  in
  let domains = List.filteri (fun i _ -> i < most) (List.filter_map domain domains) in
  { ndots = Int.max 0 (Int.min most_dots ndots); domains }

let none = create []

(* Or an address that was mistyped would be asked for. *)
let ends_in_number name =
  String.for_all
    (function '0' .. '9' -> true | _ -> false)
    (Domain_name.get_label_exn ~rev:true name 0)

let candidates t text =
  match Domain_name.of_string text with
  | Error _ -> []
  | Ok name when (not (Dns_name.is_host name)) || ends_in_number name -> []
  | Ok name ->
      let within =
        List.filter_map (fun d -> Result.to_option (Domain_name.append name d)) t.domains
      in
      if String.ends_with ~suffix:"." text then [ name ]
      else if Domain_name.count_labels name > t.ndots then name :: within
      else within @ [ name ]

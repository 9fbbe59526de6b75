open Weir_lab_harness
module Json = Yojson.Safe

let row json =
  let open Json.Util in
  let text name = member name json |> to_string in
  let number name = member name json |> to_number_option in
  match (number "value", number "low", number "high") with
  | Some value, Some low, Some high ->
      let n = member "n" json |> to_int in
      Some
        {
          Row.study = text "study";
          subject = text "subject";
          test = text "test";
          metric = text "metric";
          unit_ = text "unit";
          value;
          low;
          high;
          n;
        }
  | _ -> None

let read file =
  match Json.Util.(Json.from_file file |> member "results" |> to_list |> List.filter_map row) with
  | rows -> Ok rows
  | exception Sys_error e -> Error e
  | exception Yojson.Json_error e -> Error (Printf.sprintf "%s is not JSON: %s" file e)
  | exception Json.Util.Type_error (e, _) ->
      Error (Printf.sprintf "%s is not what weir lab --json writes: %s" file e)

let key (r : Row.t) = (r.study, r.test, r.subject, r.metric, r.unit_)
let apart (a : Row.t) (b : Row.t) = a.low > b.high || b.low > a.high

(* How far apart on a scale of ratios, either way; nothing is further from
   nothing than anything. *)
let change ((a : Row.t), (b : Row.t)) =
  if a.value > 0. && b.value > 0. then Float.abs (log (b.value /. a.value)) else infinity

let number x = Printf.sprintf "%.4g" x

let line ((a : Row.t), (b : Row.t)) =
  Table.
    [
      Left b.study;
      Left b.test;
      Left b.subject;
      Left b.metric;
      Right (number a.value);
      Right (number b.value);
      Left b.unit_;
      Right (if a.value > 0. then Printf.sprintf "%.2f" (b.value /. a.value) else "");
    ]

let compare ~before now =
  let old = Hashtbl.create 256 in
  List.iter (fun r -> Hashtbl.replace old (key r) r) before;
  let both =
    List.filter_map (fun r -> Option.map (fun o -> (o, r)) (Hashtbl.find_opt old (key r))) now
  in
  let changed, same = List.partition (fun (a, b) -> apart a b) both in
  let changed = List.stable_sort (fun a b -> Float.compare (change b) (change a)) changed in
  let header = [ "Study"; "Test"; "Subject"; "Metric"; "Before"; "Now"; "Unit"; "Ratio" ] in
  Format.asprintf "%t%d of %d rows as before, within their intervals; %d have no counterpart@\n"
    (fun ppf -> if changed <> [] then Table.print ppf header (List.map line changed))
    (List.length same) (List.length both)
    (List.length now - List.length both)

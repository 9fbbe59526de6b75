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
          sample = None;
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

(* Less is told by no user's clock, and hides what matters. *)
let least_change = 0.03

(* An average of words: a collection more or less in a round is not a change of the program. *)
let least_words = 0.5

(* The distance on a logarithmic scale. *)
let change ((a : Row.t), (b : Row.t)) =
  if a.value = b.value then 0.
  else if a.value > 0. && b.value > 0. then Float.abs (log (b.value /. a.value))
  else infinity

let changed ((a : Row.t), (b : Row.t)) =
  apart a b
  && change (a, b) > log (1. +. least_change)
  && (b.unit_ <> "words" || Float.abs (b.value -. a.value) >= least_words)

(* The machine's speed is another on another day. Where a time has a ratio to the time of another
   row of the same rounds, the ratio is compared. *)
let compared rows =
  let with_ratio = Hashtbl.create 256 in
  List.iter
    (fun (r : Row.t) ->
      if String.starts_with ~prefix:Row.over r.metric then
        Hashtbl.replace with_ratio (r.study, r.test, r.subject) ())
    rows;
  List.filter
    (fun (r : Row.t) ->
      not (r.metric = "time" && Hashtbl.mem with_ratio (r.study, r.test, r.subject)))
    rows

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

let pairs ~before now =
  let old = Hashtbl.create 256 in
  List.iter (fun r -> Hashtbl.replace old (key r) r) before;
  List.filter_map (fun r -> Option.map (fun o -> (o, r)) (Hashtbl.find_opt old (key r))) now

let is_time ((r : Row.t), _) = r.metric = "time"
let is_ratio ((r : Row.t), _) = String.starts_with ~prefix:Row.over r.metric

let agreement all =
  let told name is =
    match List.filter is all with
    | [] -> ""
    | l ->
        let apart = List.length (List.filter (fun (a, b) -> apart a b) l) in
        Printf.sprintf "%d of %d %s have intervals that do not overlap.\n" apart (List.length l)
          name
  in
  told "times" is_time ^ told "ratios" is_ratio

let compare ~before now =
  let all = pairs ~before now in
  let now = compared now in
  let both = pairs ~before now in
  let changes, same = List.partition changed both in
  let changes = List.stable_sort (fun a b -> Float.compare (change b) (change a)) changes in
  let header = [ "Study"; "Test"; "Subject"; "Metric"; "Before"; "Now"; "Unit"; "Ratio" ] in
  let without = List.length now - List.length both in
  Format.asprintf
    "%t%d of %d rows have not changed by more than 3%% and beyond both intervals.%s@\n%s"
    (fun ppf -> if changes <> [] then Table.print ppf (Table.make header (List.map line changes)))
    (List.length same) (List.length both)
    (if without = 0 then "" else Printf.sprintf " %d are not in the baseline." without)
    (agreement all)

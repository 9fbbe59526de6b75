open Weir_lab_harness

let time rows subject test = Row.find rows ~subject ~test ~metric:"time"

let ratio now a b =
  match (now a, now b) with Some a, Some b when b > 0. -> Some (a /. b) | _ -> None

(* "X 0.48 (0.46 to 0.50), published 3.44" for each of the subjects that were measured. *)
let against rows whole subjects =
  let now subject = Row.sample rows ~subject ~test:"rw" ~metric:"time" in
  let one subject =
    match (now subject, now whole) with
    | Some a, Some b ->
        let then_ = ratio (fun s -> Published.find s "rw" "time") subject whole in
        Some
          (Printf.sprintf "%s %s%s" subject
             (Sample.text (Sample.interval (Sample.over a b)))
             (Option.fold ~none:"" ~some:(Printf.sprintf ", published %.2f") then_))
    | _ -> None
  in
  List.filter_map one subjects

let sentence ?(between = "; ") format = function
  | [] -> []
  | parts -> [ format (String.concat between parts) ]

let beside_binprot rows =
  against rows "binprot"
    [
      "protobuf-bin";
      "deriving-protobuf";
      "capnp";
      "thrift-compact";
      "protobuf-json";
      "atd-yojson";
      "deriving-yojson";
    ]
  |> sentence
       (Printf.sprintf "To write the message and read it, over bin_prot's time for that: %s.")

let summary rows =
  let over subject =
    match against rows "binprot" [ subject ] with
    | [ _ ] ->
        let sample s = Option.get (Row.sample rows ~subject:s ~test:"rw" ~metric:"time") in
        Sample.text (Sample.interval (Sample.over (sample subject) (sample "binprot")))
    | _ -> "?"
  in
  Printf.sprintf
    "To write the message and read it, protobuf takes %s of bin_prot's time, Cap'n Proto %s, \
     protobuf's JSON %s, and JSON by atdgen %s times as long."
    (over "protobuf-bin") (over "capnp") (over "protobuf-json") (over "atd-yojson")

let beside_others rows =
  let one whole subjects = List.map (fun s -> s ^ " of " ^ whole) (against rows whole subjects) in
  one "prost" [ "protobuf-bin" ]
  @ one "cpp-protobuf" [ "protobuf-bin" ]
  @ one "go-protobuf" [ "protobuf-bin" ]
  @ one "serde-json" [ "protobuf-json" ]
  @ one "go-json" [ "protobuf-json" ]
  |> sentence (Printf.sprintf "Beside other languages: %s.")

let in_place rows =
  match (time rows "capnp" "visit", time rows "capnp" "read", time rows "protobuf-bin" "read") with
  | Some visit, Some read, Some protobuf ->
      [
        Printf.sprintf
          "Cap'n Proto in place: every field is visited in %.0f ns; a record of all of them takes \
           %.0f ns, protobuf's %.0f."
          visit read protobuf;
      ]
  | _ -> []

(* A block of more than 256 words is allocated in the major heap. *)
let major rows =
  List.filter_map
    (fun (r : Row.t) ->
      if r.test = "write" && r.metric = "major_words" && r.value > 200. then Some r.subject
      else None)
    rows
  |> sentence ~between:", "
       (Printf.sprintf
          "A write by %s puts a block into the major heap, as most writers of the published table \
           did; the others do not.")

let sentences rows = beside_binprot rows @ beside_others rows @ in_place rows @ major rows

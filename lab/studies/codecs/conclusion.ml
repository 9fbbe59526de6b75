open Weir_lab_harness

let time rows subject test = Row.find rows ~subject ~test ~metric:"time"

let ratio now a b =
  match (now a, now b) with Some a, Some b when b > 0. -> Some (a /. b) | _ -> None

(* "X 0.48 (3.44)" for each of the subjects that were measured. *)
let against rows whole subjects =
  let now subject = time rows subject "rw" in
  List.filter_map
    (fun subject ->
      Option.map
        (fun r ->
          let then_ = ratio (fun s -> Published.find s "rw" "time") subject whole in
          Printf.sprintf "%s %.2f%s" subject r
            (Option.fold ~none:"" ~some:(Printf.sprintf " (%.2f)") then_))
        (ratio now subject whole))
    subjects

let sentence format = function [] -> [] | parts -> [ format (String.concat ", " parts) ]

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
       (Printf.sprintf
          "To write the message and read it takes, in units of bin_prot's time (published): %s.")

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

(* A block of more than 256 words goes to the major heap at once. *)
let major rows =
  List.filter_map
    (fun (r : Row.t) ->
      if r.test = "write" && r.metric = "major_words" && r.value > 200. then Some r.subject
      else None)
    rows
  |> sentence
       (Printf.sprintf
          "A write by %s puts a block into the major heap, as most writers of the published table \
           did; the others do not.")

let sentences rows = beside_binprot rows @ beside_others rows @ in_place rows @ major rows

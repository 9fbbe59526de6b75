open Weir_lab_harness

let find rows ?(metric = "time") (subject, test) = Row.sample rows ~subject ~test ~metric
let name (subject, test) = subject ^ " " ^ test

let target claim bound sample =
  { Study.claim; measured = Sample.interval sample; bound; reason = "" }

let ratio a b bound rows =
  match (find rows a, find rows b) with
  | Some sa, Some sb ->
      Some (target (Printf.sprintf "%s / %s" (name a) (name b)) bound (Sample.over sa sb))
  | _ -> None

let words a bound rows =
  Option.map (target ("minor words of " ^ name a) bound) (find rows ~metric:"minor_words" a)

let bin test = ("binprot", test)
let pb test = ("protobuf-bin", test)
let json test = ("protobuf-json", test)

(* The deriver with options is compared with the schema's plain strings, as in the study, and also
   with the subject that has the same fields. *)
let list =
  [
    ratio (pb "read") (bin "read") 0.65;
    ratio (pb "write") (bin "write") 0.40;
    ratio (pb "rw") (bin "rw") 0.50;
    words (pb "read") 310.;
    ratio (pb "rw") ("prost", "rw") 1.0;
    ratio (pb "rw") ("cpp-protobuf", "rw") 1.0;
    ratio ("deriving-protobuf", "rw") (pb "rw") 1.10;
    ratio ("deriving-protobuf-proto3", "rw") (pb "rw") 1.10;
    ratio ("deriving-protobuf", "rw") ("protobuf-bin-optional", "rw") 1.10;
    ratio ("capnp", "visit") (bin "read") 0.30;
    words ("capnp", "visit") 0.01;
    ratio ("capnp", "read") (bin "read") 0.45;
    ratio ("capnp", "write") (bin "write") 0.30;
    ratio ("capnp-reused", "write") (bin "write") 0.30;
    ratio (json "rw") (bin "rw") 1.6;
    ratio (json "read") ("atd-yojson", "read") (1. /. 8.);
    ratio (json "write") ("atd-yojson", "write") (1. /. 6.);
    ratio ("thrift-compact", "rw") (bin "rw") 0.6;
  ]

let all rows = List.filter_map (fun target -> target rows) list

(* Made by weir-thrift from payload.thrift; do not edit. *)

[@@@ocaml.warning "-a"]

module Thrift = Weir_thrift

type words = {
  a : string option;
  b : string option;
  c : string option;
  d : string option;
}

and payload = {
  first : bool;
  second : bool;
  third : float;
  fourth : int64;
  fifth : words list;
  sixth : int64 list;
}

let rec read_words r : words =
  Thrift.Reader.start r 5;
  let a' = ref None in
  let b' = ref None in
  let c' = ref None in
  let d' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x18 -> a' := Thrift.Reader.some r 4 (Thrift.Reader.string r)
    | 0x28 -> b' := Thrift.Reader.some r 4 (Thrift.Reader.string r)
    | 0x38 -> c' := Thrift.Reader.some r 4 (Thrift.Reader.string r)
    | 0x48 -> d' := Thrift.Reader.some r 4 (Thrift.Reader.string r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    a = !a';
    b = !b';
    c = !c';
    d = !d';
  }

and write_words w (v : words) =
  let last = 0 in
  let last =
    match v.a with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
        Thrift.Writer.string w x;
        last
  in
  let last =
    match v.b with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 2 Thrift.Kind.string in
        Thrift.Writer.string w x;
        last
  in
  let last =
    match v.c with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 3 Thrift.Kind.string in
        Thrift.Writer.string w x;
        last
  in
  let last =
    match v.d with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 4 Thrift.Kind.string in
        Thrift.Writer.string w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_payload r : payload =
  Thrift.Reader.start r 12;
  let first' = ref false in
  let second' = ref false in
  let third' = ref 0. in
  let fourth' = ref 0L in
  let fifth' = ref [] in
  let sixth' = ref [] in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x11 -> first' := Thrift.Reader.bool_field r
    | 0x21 -> second' := Thrift.Reader.bool_field r
    | 0x37 -> third' := Thrift.Reader.double r
    | 0x46 -> fourth' := Thrift.Reader.i64 r
    | 0x59 -> fifth' := Thrift.Reader.list r Thrift.Kind.struct_ read_words
    | 0x69 -> sixth' := Thrift.Reader.list r Thrift.Kind.i64 Thrift.Reader.i64
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    first = !first';
    second = !second';
    third = !third';
    fourth = !fourth';
    fifth = !fifth';
    sixth = !sixth';
  }

and write_payload w (v : payload) =
  let last = 0 in
  let last = Thrift.Writer.bool_field w last 1 v.first in
  let last = Thrift.Writer.bool_field w last 2 v.second in
  let last = Thrift.Writer.field w last 3 Thrift.Kind.double in
  Thrift.Writer.double w v.third;
  let last = Thrift.Writer.field w last 4 Thrift.Kind.i64 in
  Thrift.Writer.i64 w v.fourth;
  let last = Thrift.Writer.field w last 5 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.struct_ write_words v.fifth;
  let last = Thrift.Writer.field w last 6 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.i64 Thrift.Writer.i64 v.sixth;
  ignore last;
  Thrift.Writer.stop w

module Words = struct
  type t = words = {
    a : string option;
    b : string option;
    c : string option;
    d : string option;
  }

  let read = read_words
  let write = write_words
  let decode protocol s = Thrift.Reader.decode read_words protocol s
  let encode protocol v = Thrift.Writer.encode write_words protocol v
  let default : t = { a = None; b = None; c = None; d = None }
end

module Payload = struct
  type t = payload = {
    first : bool;
    second : bool;
    third : float;
    fourth : int64;
    fifth : words list;
    sixth : int64 list;
  }

  let read = read_payload
  let write = write_payload
  let decode protocol s = Thrift.Reader.decode read_payload protocol s
  let encode protocol v = Thrift.Writer.encode write_payload protocol v
  let default : t =
    { first = false; second = false; third = 0.; fourth = 0L; fifth = []; sixth = [] }
end

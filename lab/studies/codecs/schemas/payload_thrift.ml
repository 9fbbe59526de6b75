(* Made by weir-thrift from payload.thrift; do not edit. *)

[@@@ocaml.warning "-a"]

module Thrift = Weir_thrift

type fifth = {
  first : string option;
  second : string option;
  third : string option;
  fourth : string option;
}

and payload = {
  first : bool;
  second : bool;
  third : float;
  fourth : int;
  fifth : fifth list;
  sixth : int list;
}

let rec read_fifth r : fifth =
  Thrift.Reader.start r 5;
  let first' = ref None in
  let second' = ref None in
  let third' = ref None in
  let fourth' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x18 -> first' := Thrift.Reader.some r 4 (Thrift.Reader.string r)
    | 0x28 -> second' := Thrift.Reader.some r 4 (Thrift.Reader.string r)
    | 0x38 -> third' := Thrift.Reader.some r 4 (Thrift.Reader.string r)
    | 0x48 -> fourth' := Thrift.Reader.some r 4 (Thrift.Reader.string r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    first = !first';
    second = !second';
    third = !third';
    fourth = !fourth';
  }

and write_fifth w (v : fifth) =
  let last = 0 in
  let last =
    match v.first with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
        Thrift.Writer.string w x;
        last
  in
  let last =
    match v.second with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 2 Thrift.Kind.string in
        Thrift.Writer.string w x;
        last
  in
  let last =
    match v.third with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 3 Thrift.Kind.string in
        Thrift.Writer.string w x;
        last
  in
  let last =
    match v.fourth with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 4 Thrift.Kind.string in
        Thrift.Writer.string w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_payload r : payload =
  Thrift.Reader.start r 9;
  let first' = ref false in
  let second' = ref false in
  let third' = ref 0. in
  let fourth' = ref 0 in
  let fifth' = ref [] in
  let sixth' = ref [] in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x11 -> first' := Thrift.Reader.bool_field r
    | 0x21 -> second' := Thrift.Reader.bool_field r
    | 0x37 -> third' := Thrift.Reader.double r
    | 0x45 -> fourth' := Thrift.Reader.i32 r
    | 0x59 -> fifth' := Thrift.Reader.list r Thrift.Kind.struct_ read_fifth
    | 0x69 -> sixth' := Thrift.Reader.list r Thrift.Kind.i32 Thrift.Reader.i32
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
  let last = Thrift.Writer.field w last 4 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.fourth;
  let last = Thrift.Writer.field w last 5 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.struct_ write_fifth v.fifth;
  let last = Thrift.Writer.field w last 6 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.i32 Thrift.Writer.i32 v.sixth;
  ignore last;
  Thrift.Writer.stop w

module Fifth = struct
  type t = fifth = {
    first : string option;
    second : string option;
    third : string option;
    fourth : string option;
  }

  let read = read_fifth
  let write = write_fifth
  let decode protocol s = Thrift.Reader.decode read_fifth protocol s
  let encode protocol v = Thrift.Writer.encode write_fifth protocol v
  let default : t = { first = None; second = None; third = None; fourth = None }
end

module Payload = struct
  type t = payload = {
    first : bool;
    second : bool;
    third : float;
    fourth : int;
    fifth : fifth list;
    sixth : int list;
  }

  let read = read_payload
  let write = write_payload
  let decode protocol s = Thrift.Reader.decode read_payload protocol s
  let encode protocol v = Thrift.Writer.encode write_payload protocol v
  let default : t =
    { first = false; second = false; third = 0.; fourth = 0; fifth = []; sixth = [] }
end

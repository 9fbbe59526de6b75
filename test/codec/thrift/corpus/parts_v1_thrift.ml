(* Made by weir-thrift from parts.v1.thrift; do not edit. *)

[@@@ocaml.warning "-a"]

module Thrift = Weir_thrift

type shade =
  | Dark
  | Light
  | Unrecognized of int

and other =
  | Dark
  | Unrecognized of int

and part = {
  size : int;
}

and broken = {
  part : string;
}

and parts_part_args = {
  size : int;
}

and parts_part_result = {
  success : part option;
  broken : broken option;
}

let shade_of_int : int -> shade = function
  | 1 -> Dark
  | 4 -> Light
  | n -> Unrecognized n

let shade_to_int : shade -> int = function
  | Dark -> 1
  | Light -> 4
  | Unrecognized n -> n

let read_shade r =
  match shade_of_int (Thrift.Reader.i32 r) with
  | Unrecognized _ as v -> Thrift.Reader.spend r 2; v
  | v -> v
let write_shade w v = Thrift.Writer.i32 w (shade_to_int v)

let other_of_int : int -> other = function
  | 9 -> Dark
  | n -> Unrecognized n

let other_to_int : other -> int = function
  | Dark -> 9
  | Unrecognized n -> n

let read_other r =
  match other_of_int (Thrift.Reader.i32 r) with
  | Unrecognized _ as v -> Thrift.Reader.spend r 2; v
  | v -> v
let write_other w v = Thrift.Writer.i32 w (other_to_int v)

let limit : int = (12)

let rec read_part r : part =
  Thrift.Reader.start r 2;
  let size' = ref limit in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> size' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    size = !size';
  }

and write_part w (v : part) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.size;
  ignore last;
  Thrift.Writer.stop w

and read_broken r : broken =
  Thrift.Reader.start r 4;
  let part' = ref "" in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x18 -> part' := Thrift.Reader.string r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    part = !part';
  }

and write_broken w (v : broken) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
  Thrift.Writer.string w v.part;
  ignore last;
  Thrift.Writer.stop w

and read_parts_part_args r : parts_part_args =
  Thrift.Reader.start r 2;
  let size' = ref 0 in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> size' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    size = !size';
  }

and write_parts_part_args w (v : parts_part_args) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.size;
  ignore last;
  Thrift.Writer.stop w

and read_parts_part_result r : parts_part_result =
  Thrift.Reader.start r 3;
  let success' = ref None in
  let broken' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0xc -> success' := Thrift.Reader.some r 2 (read_part r)
    | 0x1c -> broken' := Thrift.Reader.some r 2 (read_broken r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
    broken = !broken';
  }

and write_parts_part_result w (v : parts_part_result) =
  let last = 0 in
  let last =
    match v.success with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.struct_ in
        write_part w x;
        last
  in
  let last =
    match v.broken with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        write_broken w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

module Shade = struct
  type t = shade =
    | Dark
    | Light
    | Unrecognized of int

  let read = read_shade
  let write = write_shade
  let of_int = shade_of_int
  let to_int = shade_to_int
end

module Other = struct
  type t = other =
    | Dark
    | Unrecognized of int

  let read = read_other
  let write = write_other
  let of_int = other_of_int
  let to_int = other_to_int
end

module Part = struct
  type t = part = {
    size : int;
  }

  let read = read_part
  let write = write_part
  let decode protocol s = Thrift.Reader.decode read_part protocol s
  let encode protocol v = Thrift.Writer.encode write_part protocol v
  let default : t = { size = limit }
end

module Broken = struct
  type t = broken = {
    part : string;
  }

  let read = read_broken
  let write = write_broken
  let decode protocol s = Thrift.Reader.decode read_broken protocol s
  let encode protocol v = Thrift.Writer.encode write_broken protocol v
  let default : t = { part = "" }

  exception E of t
end

module Parts = struct
  module type S = sig
    val part : size:int -> part
  end

  let dispatch (module H : S) name' r =
    match name' with
    | "part" ->
        let args' : parts_part_args = read_parts_part_args r in
        ignore args';
        (match H.part ~size:args'.size with
        | v' -> Option.some (fun w -> write_parts_part_result w
            ({ success = Option.some v'; broken = Option.none } : parts_part_result))
        | exception Broken.E e' ->
            Option.some (fun w -> write_parts_part_result w
            ({ success = Option.none; broken = Option.some e' } : parts_part_result))
        )
    | _ -> Option.none

  module Client = struct
    let part client' ~size =
      let result' : parts_part_result =
        Thrift.Rpc.call client' "part"
          (fun w' -> write_parts_part_args w' ({ size } : parts_part_args)) read_parts_part_result
          in
      Option.iter (fun e -> raise (Broken.E e)) result'.broken;
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "part"
  end
end

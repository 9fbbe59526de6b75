(* Made by weir-thrift from shared.thrift; do not edit. *)

[@@@ocaml.warning "-a"]

module Thrift = Weir_thrift

type coordinate = int

and colour =
  | Red
  | Green
  | None
  | Unrecognized of int

and point = {
  x : coordinate;
  y : coordinate;
}

and trouble = {
  why : string;
  code : int;
}

and named_name_args = unit

and named_name_result = {
  success : string option;
}

let colour_of_int : int -> colour = function
  | 1 -> Red
  | 2 -> Green
  | 7 -> None
  | n -> Unrecognized n

let colour_to_int : colour -> int = function
  | Red -> 1
  | Green -> 2
  | None -> 7
  | Unrecognized n -> n

let read_colour r =
  match colour_of_int (Thrift.Reader.i32 r) with
  | Unrecognized _ as v -> Thrift.Reader.spend r 2; v
  | v -> v
let write_colour w v = Thrift.Writer.i32 w (colour_to_int v)

let rec read_point r : point =
  Thrift.Reader.start r 3;
  let x' = ref 0 in
  let y' = ref 0 in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> x' := Thrift.Reader.i32 r
    | 0x25 -> y' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    x = !x';
    y = !y';
  }

and write_point w (v : point) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.x;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.y;
  ignore last;
  Thrift.Writer.stop w

and read_trouble r : trouble =
  Thrift.Reader.start r 5;
  let why' = ref "" in
  let code' = ref (3) in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x18 -> why' := Thrift.Reader.string r
    | 0x25 -> code' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    why = !why';
    code = !code';
  }

and write_trouble w (v : trouble) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
  Thrift.Writer.string w v.why;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.code;
  ignore last;
  Thrift.Writer.stop w

and read_named_name_args r : named_name_args =
  Thrift.Reader.start r 1;
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  ()

and write_named_name_args w (v : named_name_args) =
  let last = 0 in
  ignore last;
  Thrift.Writer.stop w

and read_named_name_result r : named_name_result =
  Thrift.Reader.start r 2;
  let success' = ref Option.None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x8 -> success' := Thrift.Reader.some r 4 (Thrift.Reader.string r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
  }

and write_named_name_result w (v : named_name_result) =
  let last = 0 in
  let last =
    match v.success with
    | Option.None -> last
    | Option.Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.string in
        Thrift.Writer.string w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

module Colour = struct
  type t = colour =
    | Red
    | Green
    | None
    | Unrecognized of int

  let read = read_colour
  let write = write_colour
  let of_int = colour_of_int
  let to_int = colour_to_int
end

module Point = struct
  type t = point = {
    x : coordinate;
    y : coordinate;
  }

  let read = read_point
  let write = write_point
  let decode protocol s = Thrift.Reader.decode read_point protocol s
  let encode protocol v = Thrift.Writer.encode write_point protocol v
  let default : t = { x = 0; y = 0 }
end

module Trouble = struct
  type t = trouble = {
    why : string;
    code : int;
  }

  let read = read_trouble
  let write = write_trouble
  let decode protocol s = Thrift.Reader.decode read_trouble protocol s
  let encode protocol v = Thrift.Writer.encode write_trouble protocol v
  let default : t = { why = ""; code = (3) }

  exception E of t
end

module Named = struct
  module type S = sig
    val name : unit -> string
  end

  let dispatch (module H : S) name' r =
    match name' with
    | "name" ->
        let args' : named_name_args = read_named_name_args r in
        ignore args';
        (match H.name () with
        | v' -> Option.some (fun w -> write_named_name_result w
            ({ success = Option.some v' } : named_name_result))
        )
    | _ -> Option.none

  module Client = struct
    let name client' () =
      let result' : named_name_result =
        Thrift.Rpc.call client' "name" (fun w' -> write_named_name_args w' ())
          read_named_name_result in
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "name"
  end
end

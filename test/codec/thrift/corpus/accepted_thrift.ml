(* Made by weir-thrift from accepted.thrift; do not edit. *)

[@@@ocaml.warning "-a"]

module Thrift = Weir_thrift

type mine =
  | Low
  | Light
  | Unrecognized of int

and defaults = {
  braced : string;
  others : mine;
  others_too : mine;
  unqualified : Parts_v1_thrift.shade;
  by_enum : Parts_v1_thrift.shade;
  other : Parts_v1_thrift.other;
  number : int;
  real : float;
  yes : bool;
  limit : int;
  one : int;
  part : Parts_v1_thrift.part option;
  attributed : int option;
}

and accepted_later_args = {
  part : Parts_v1_thrift.part option;
}

and accepted_again_args = {
  part : Parts_v1_thrift.part option;
}

and accepted_again_result = {
  success : Parts_v1_thrift.part option;
  broken : Parts_v1_thrift.broken option;
}

let mine_of_int : int -> mine = function
  | 1 -> Low
  | 2 -> Light
  | n -> Unrecognized n

let mine_to_int : mine -> int = function
  | Low -> 1
  | Light -> 2
  | Unrecognized n -> n

let read_mine r =
  match mine_of_int (Thrift.Reader.i32 r) with
  | Unrecognized _ as v -> Thrift.Reader.spend r 2; v
  | v -> v
let write_mine w v = Thrift.Writer.i32 w (mine_to_int v)

let braced : string = "\001#Eg\137\171\205\239\001#Eg\137\171\205\239"

let uuids : string list =
  [ "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\001";
    "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\002" ]

let rec read_defaults r : defaults =
  Thrift.Reader.start r 24;
  let braced' = ref "\000\017\"3DUfw\136\153\170\187\204\221\238\255" in
  let others' = ref ((mine_of_int 2)) in
  let others_too' = ref ((mine_of_int 2)) in
  let unqualified' = ref ((Parts_v1_thrift.Shade.of_int 4)) in
  let by_enum' = ref ((Parts_v1_thrift.Shade.of_int 1)) in
  let other' = ref ((Parts_v1_thrift.Other.of_int 9)) in
  let number' = ref (2) in
  let real' = ref (2.) in
  let yes' = ref true in
  let limit' = ref Parts_v1_thrift.limit in
  let one' = ref (1) in
  let part' = ref (Some ({ size = (3) } : Parts_v1_thrift.part)) in
  let attributed' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x1d -> braced' := Thrift.Reader.uuid r
    | 0x25 -> others' := read_mine r
    | 0x35 -> others_too' := read_mine r
    | 0x45 -> unqualified' := Parts_v1_thrift.Shade.read r
    | 0x55 -> by_enum' := Parts_v1_thrift.Shade.read r
    | 0x65 -> other' := Parts_v1_thrift.Other.read r
    | 0x75 -> number' := Thrift.Reader.i32 r
    | 0x87 -> real' := Thrift.Reader.double r
    | 0x91 -> yes' := Thrift.Reader.bool_field r
    | 0xa5 -> limit' := Thrift.Reader.i32 r
    | 0xb3 -> one' := Thrift.Reader.i8 r
    | 0xcc -> part' := Thrift.Reader.some r 2 (Parts_v1_thrift.Part.read r)
    | 0xd5 -> attributed' := Thrift.Reader.some r 2 (Thrift.Reader.i32 r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    braced = !braced';
    others = !others';
    others_too = !others_too';
    unqualified = !unqualified';
    by_enum = !by_enum';
    other = !other';
    number = !number';
    real = !real';
    yes = !yes';
    limit = !limit';
    one = !one';
    part = !part';
    attributed = !attributed';
  }

and write_defaults w (v : defaults) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.uuid in
  Thrift.Writer.uuid w v.braced;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.i32 in
  write_mine w v.others;
  let last = Thrift.Writer.field w last 3 Thrift.Kind.i32 in
  write_mine w v.others_too;
  let last = Thrift.Writer.field w last 4 Thrift.Kind.i32 in
  Parts_v1_thrift.Shade.write w v.unqualified;
  let last = Thrift.Writer.field w last 5 Thrift.Kind.i32 in
  Parts_v1_thrift.Shade.write w v.by_enum;
  let last = Thrift.Writer.field w last 6 Thrift.Kind.i32 in
  Parts_v1_thrift.Other.write w v.other;
  let last = Thrift.Writer.field w last 7 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.number;
  let last = Thrift.Writer.field w last 8 Thrift.Kind.double in
  Thrift.Writer.double w v.real;
  let last = Thrift.Writer.bool_field w last 9 v.yes in
  let last = Thrift.Writer.field w last 10 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.limit;
  let last = Thrift.Writer.field w last 11 Thrift.Kind.i8 in
  Thrift.Writer.i8 w v.one;
  let last =
    match v.part with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 12 Thrift.Kind.struct_ in
        Parts_v1_thrift.Part.write w x;
        last
  in
  let last =
    match v.attributed with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 13 Thrift.Kind.i32 in
        Thrift.Writer.i32 w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_accepted_later_args r : accepted_later_args =
  Thrift.Reader.start r 2;
  let part' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x1c -> part' := Thrift.Reader.some r 2 (Parts_v1_thrift.Part.read r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    part = !part';
  }

and write_accepted_later_args w (v : accepted_later_args) =
  let last = 0 in
  let last =
    match v.part with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        Parts_v1_thrift.Part.write w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_accepted_again_args r : accepted_again_args =
  Thrift.Reader.start r 2;
  let part' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x1c -> part' := Thrift.Reader.some r 2 (Parts_v1_thrift.Part.read r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    part = !part';
  }

and write_accepted_again_args w (v : accepted_again_args) =
  let last = 0 in
  let last =
    match v.part with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        Parts_v1_thrift.Part.write w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_accepted_again_result r : accepted_again_result =
  Thrift.Reader.start r 3;
  let success' = ref None in
  let broken' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0xc -> success' := Thrift.Reader.some r 2 (Parts_v1_thrift.Part.read r)
    | 0x1c -> broken' := Thrift.Reader.some r 2 (Parts_v1_thrift.Broken.read r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
    broken = !broken';
  }

and write_accepted_again_result w (v : accepted_again_result) =
  let last = 0 in
  let last =
    match v.success with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.struct_ in
        Parts_v1_thrift.Part.write w x;
        last
  in
  let last =
    match v.broken with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        Parts_v1_thrift.Broken.write w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

module Mine = struct
  type t = mine =
    | Low
    | Light
    | Unrecognized of int

  let read = read_mine
  let write = write_mine
  let of_int = mine_of_int
  let to_int = mine_to_int
end

module Defaults = struct
  type t = defaults = {
    braced : string;
    others : mine;
    others_too : mine;
    unqualified : Parts_v1_thrift.shade;
    by_enum : Parts_v1_thrift.shade;
    other : Parts_v1_thrift.other;
    number : int;
    real : float;
    yes : bool;
    limit : int;
    one : int;
    part : Parts_v1_thrift.part option;
    attributed : int option;
  }

  let read = read_defaults
  let write = write_defaults
  let decode protocol s = Thrift.Reader.decode read_defaults protocol s
  let encode protocol v = Thrift.Writer.encode write_defaults protocol v
  let default : t =
    { braced = "\000\017\"3DUfw\136\153\170\187\204\221\238\255"; others = (mine_of_int 2);
      others_too = (mine_of_int 2); unqualified = (Parts_v1_thrift.Shade.of_int 4);
      by_enum = (Parts_v1_thrift.Shade.of_int 1); other = (Parts_v1_thrift.Other.of_int 9);
      number = (2); real = (2.); yes = true; limit = Parts_v1_thrift.limit; one = (1);
      part = Some ({ size = (3) } : Parts_v1_thrift.part); attributed = None }
end

module Accepted = struct
  module type S = sig
    include Parts_v1_thrift.Parts.S
    val later : part:Parts_v1_thrift.part option -> unit
    val again : part:Parts_v1_thrift.part option -> Parts_v1_thrift.part
  end

  let dispatch (module H : S) name' r =
    match name' with
    | "later" ->
        let args' : accepted_later_args = read_accepted_later_args r in
        ignore args';
        H.later ~part:args'.part;
        Option.some (fun _ -> ())
    | "again" ->
        let args' : accepted_again_args = read_accepted_again_args r in
        ignore args';
        (match H.again ~part:args'.part with
        | v' -> Option.some (fun w -> write_accepted_again_result w
            ({ success = Option.some v'; broken = Option.none } : accepted_again_result))
        | exception Parts_v1_thrift.Broken.E e' ->
            Option.some (fun w -> write_accepted_again_result w
            ({ success = Option.none; broken = Option.some e' } : accepted_again_result))
        )
    | _ -> Parts_v1_thrift.Parts.dispatch (module H) name' r

  module Client = struct
    include Parts_v1_thrift.Parts.Client
    let later client' ~part =
      Thrift.Rpc.oneway client' "later"
        (fun w' -> write_accepted_later_args w' ({ part } : accepted_later_args))
    let again client' ~part =
      let result' : accepted_again_result =
        Thrift.Rpc.call client' "again"
          (fun w' -> write_accepted_again_args w' ({ part } : accepted_again_args))
          read_accepted_again_result in
      Option.iter (fun e -> raise (Parts_v1_thrift.Broken.E e)) result'.broken;
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "again"
  end
end

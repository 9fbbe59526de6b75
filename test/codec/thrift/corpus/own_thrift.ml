(* Made by weir-thrift from own.thrift; do not edit. *)

[@@@ocaml.warning "-a"]

module Thrift = Weir_thrift

type kind =
  | First
  | Second
  | Unrecognized of int

and thing = {
  parts : thing list;
  kind : kind;
  n : int;
}

and alias = thing

and gone = {
  why : string;
}

and base_take_args = {
  thing : alias option;
}

and base_take_result = {
  success : thing option;
  gone : gone option;
}

let kind_of_int : int -> kind = function
  | 0 -> First
  | 1 -> Second
  | n -> Unrecognized n

let kind_to_int : kind -> int = function
  | First -> 0
  | Second -> 1
  | Unrecognized n -> n

let read_kind r =
  match kind_of_int (Thrift.Reader.i32 r) with
  | Unrecognized _ as v -> Thrift.Reader.spend r 2; v
  | v -> v
let write_kind w v = Thrift.Writer.i32 w (kind_to_int v)

let limit : int = (3)

let rec read_thing r : thing =
  Thrift.Reader.start r 4;
  let parts' = ref [] in
  let kind' = ref ((kind_of_int 1)) in
  let n' = ref limit in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x19 -> parts' := Thrift.Reader.list r Thrift.Kind.struct_ read_thing
    | 0x25 -> kind' := read_kind r
    | 0x35 -> n' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    parts = !parts';
    kind = !kind';
    n = !n';
  }

and write_thing w (v : thing) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.struct_ write_thing v.parts;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.i32 in
  write_kind w v.kind;
  let last = Thrift.Writer.field w last 3 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.n;
  ignore last;
  Thrift.Writer.stop w

and read_gone r : gone =
  Thrift.Reader.start r 4;
  let why' = ref "" in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x18 -> why' := Thrift.Reader.string r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    why = !why';
  }

and write_gone w (v : gone) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
  Thrift.Writer.string w v.why;
  ignore last;
  Thrift.Writer.stop w

and read_base_take_args r : base_take_args =
  Thrift.Reader.start r 2;
  let thing' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x1c -> thing' := Thrift.Reader.some r 2 (read_thing r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    thing = !thing';
  }

and write_base_take_args w (v : base_take_args) =
  let last = 0 in
  let last =
    match v.thing with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        write_thing w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_base_take_result r : base_take_result =
  Thrift.Reader.start r 3;
  let success' = ref None in
  let gone' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0xc -> success' := Thrift.Reader.some r 2 (read_thing r)
    | 0x1c -> gone' := Thrift.Reader.some r 2 (read_gone r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
    gone = !gone';
  }

and write_base_take_result w (v : base_take_result) =
  let last = 0 in
  let last =
    match v.success with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.struct_ in
        write_thing w x;
        last
  in
  let last =
    match v.gone with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        write_gone w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

module Kind = struct
  type t = kind =
    | First
    | Second
    | Unrecognized of int

  let read = read_kind
  let write = write_kind
  let of_int = kind_of_int
  let to_int = kind_to_int
end

module Thing = struct
  type t = thing = {
    parts : thing list;
    kind : kind;
    n : int;
  }

  let read = read_thing
  let write = write_thing
  let decode protocol s = Thrift.Reader.decode read_thing protocol s
  let encode protocol v = Thrift.Writer.encode write_thing protocol v
  let default : t = { parts = []; kind = (kind_of_int 1); n = limit }
end

module Gone = struct
  type t = gone = {
    why : string;
  }

  let read = read_gone
  let write = write_gone
  let decode protocol s = Thrift.Reader.decode read_gone protocol s
  let encode protocol v = Thrift.Writer.encode write_gone protocol v
  let default : t = { why = "" }

  exception E of t
end

module Base = struct
  module type S = sig
    val take : thing:alias option -> thing
  end

  let dispatch (module H : S) name' r =
    match name' with
    | "take" ->
        let args' : base_take_args = read_base_take_args r in
        ignore args';
        (match H.take ~thing:args'.thing with
        | v' -> Option.some (fun w -> write_base_take_result w
            ({ success = Option.some v'; gone = Option.none } : base_take_result))
        | exception Gone.E e' ->
            Option.some (fun w -> write_base_take_result w
            ({ success = Option.none; gone = Option.some e' } : base_take_result))
        )
    | _ -> Option.none

  module Client = struct
    let take client' ~thing =
      let result' : base_take_result =
        Thrift.Rpc.call client' "take"
          (fun w' -> write_base_take_args w' ({ thing } : base_take_args)) read_base_take_result in
      Option.iter (fun e -> raise (Gone.E e)) result'.gone;
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "take"
  end
end

module More = struct
  module type S = sig
    include Base.S
  end

  let dispatch (module H : S) name' r =
    match name' with
    | _ -> Base.dispatch (module H) name' r

  module Client = struct
    include Base.Client
  end
end

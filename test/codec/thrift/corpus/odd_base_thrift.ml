(* Made by weir-thrift from odd_base.thrift; do not edit. *)

[@@@ocaml.warning "-a"]

module Thrift = Weir_thrift

type timestamp = int64

and history = (string * timestamp list) list

and color =
  | Red
  | Green
  | Blue
  | Neg
  | Unrecognized of int

and colour = color

and point = {
  x : int;
  y : int;
}

and pt = point

and oops = {
  message : string;
  colour : colour option;
}

and either =
  | Left of int
  | Right of string
  | Either of either
  | Many of either list
  | Unrecognized of int

and base_ping_args = unit

and base_ping_result = unit

and base_echo_args = {
  text : string;
}

and base_echo_result = {
  success : string option;
  oops : oops option;
}

let color_of_int : int -> color = function
  | 1 -> Red
  | 2 -> Green
  | 16 -> Blue
  | -3 -> Neg
  | n -> Unrecognized n

let color_to_int : color -> int = function
  | Red -> 1
  | Green -> 2
  | Blue -> 16
  | Neg -> -3
  | Unrecognized n -> n

let read_color r =
  match color_of_int (Thrift.Reader.i32 r) with
  | Unrecognized _ as v -> Thrift.Reader.spend r 2; v
  | v -> v
let write_color w v = Thrift.Writer.i32 w (color_to_int v)

let limit : int = (64)

let origin : pt = ({ x = (0); y = (7) } : point)

let favourite : color = (color_of_int (-3))

let rec read_point r : point =
  Thrift.Reader.start r 3;
  let x' = ref None in
  let y' = ref (7) in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> x' := Thrift.Reader.some r 2 (Thrift.Reader.i32 r)
    | 0x25 -> y' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    x = Thrift.Reader.required r "x" !x';
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

and read_oops r : oops =
  Thrift.Reader.start r 5;
  let message' = ref "" in
  let colour' = ref (Some (color_of_int 1)) in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x18 -> message' := Thrift.Reader.string r
    | 0x25 -> colour' := Thrift.Reader.some r 2 (read_color r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    message = !message';
    colour = !colour';
  }

and write_oops w (v : oops) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
  Thrift.Writer.string w v.message;
  let last =
    match v.colour with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 2 Thrift.Kind.i32 in
        write_color w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_either r : either =
  Thrift.Reader.enter r;
  let v' = ref (Unrecognized 0 : either) in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> Thrift.Reader.spend r 2; v' := (Left (Thrift.Reader.i32 r) : either)
    | 0x28 -> Thrift.Reader.spend r 4; v' := (Right (Thrift.Reader.string r) : either)
    | 0x3c -> Thrift.Reader.spend r 2; v' := (Either (read_either r) : either)
    | 0x49 -> Thrift.Reader.spend r 2;
    v' := (Many (Thrift.Reader.list r Thrift.Kind.struct_ read_either) : either)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  !v'

and write_either w (v : either) =
  (match v with
  | Left x ->
      ignore (Thrift.Writer.field w 0 1 Thrift.Kind.i32);
      Thrift.Writer.i32 w x
  | Right x ->
      ignore (Thrift.Writer.field w 0 2 Thrift.Kind.string);
      Thrift.Writer.string w x
  | Either x ->
      ignore (Thrift.Writer.field w 0 3 Thrift.Kind.struct_);
      write_either w x
  | Many x ->
      ignore (Thrift.Writer.field w 0 4 Thrift.Kind.list);
      Thrift.Writer.list w Thrift.Kind.struct_ write_either x
  | Unrecognized _ -> ());
  Thrift.Writer.stop w

and read_base_ping_args r : base_ping_args =
  Thrift.Reader.start r 1;
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  ()

and write_base_ping_args w (v : base_ping_args) =
  let last = 0 in
  ignore last;
  Thrift.Writer.stop w

and read_base_ping_result r : base_ping_result =
  Thrift.Reader.start r 1;
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  ()

and write_base_ping_result w (v : base_ping_result) =
  let last = 0 in
  ignore last;
  Thrift.Writer.stop w

and read_base_echo_args r : base_echo_args =
  Thrift.Reader.start r 4;
  let text' = ref "" in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x18 -> text' := Thrift.Reader.string r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    text = !text';
  }

and write_base_echo_args w (v : base_echo_args) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
  Thrift.Writer.string w v.text;
  ignore last;
  Thrift.Writer.stop w

and read_base_echo_result r : base_echo_result =
  Thrift.Reader.start r 3;
  let success' = ref None in
  let oops' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x8 -> success' := Thrift.Reader.some r 4 (Thrift.Reader.string r)
    | 0x1c -> oops' := Thrift.Reader.some r 2 (read_oops r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
    oops = !oops';
  }

and write_base_echo_result w (v : base_echo_result) =
  let last = 0 in
  let last =
    match v.success with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.string in
        Thrift.Writer.string w x;
        last
  in
  let last =
    match v.oops with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        write_oops w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

module Color = struct
  type t = color =
    | Red
    | Green
    | Blue
    | Neg
    | Unrecognized of int

  let read = read_color
  let write = write_color
  let of_int = color_of_int
  let to_int = color_to_int
end

module Point = struct
  type t = point = {
    x : int;
    y : int;
  }

  let read = read_point
  let write = write_point
  let decode protocol s = Thrift.Reader.decode read_point protocol s
  let encode protocol v = Thrift.Writer.encode write_point protocol v
  let default : t = { x = 0; y = (7) }
end

module Oops = struct
  type t = oops = {
    message : string;
    colour : colour option;
  }

  let read = read_oops
  let write = write_oops
  let decode protocol s = Thrift.Reader.decode read_oops protocol s
  let encode protocol v = Thrift.Writer.encode write_oops protocol v
  let default : t = { message = ""; colour = Some (color_of_int 1) }

  exception E of t
end

module Either = struct
  type t = either =
    | Left of int
    | Right of string
    | Either of either
    | Many of either list
    | Unrecognized of int

  let read = read_either
  let write = write_either
  let decode protocol s = Thrift.Reader.decode read_either protocol s
  let encode protocol v = Thrift.Writer.encode write_either protocol v
end

module Base = struct
  module type S = sig
    val ping : unit -> unit
    val echo : text:string -> string
  end

  let dispatch (module H : S) name' r =
    match name' with
    | "ping" ->
        let args' : base_ping_args = read_base_ping_args r in
        ignore args';
        (match H.ping () with
        | () -> Option.some (fun w -> write_base_ping_result w ())
        )
    | "echo" ->
        let args' : base_echo_args = read_base_echo_args r in
        ignore args';
        (match H.echo ~text:args'.text with
        | v' -> Option.some (fun w -> write_base_echo_result w
            ({ success = Option.some v'; oops = Option.none } : base_echo_result))
        | exception Oops.E e' ->
            Option.some (fun w -> write_base_echo_result w
            ({ success = Option.none; oops = Option.some e' } : base_echo_result))
        )
    | _ -> Option.none

  module Client = struct
    let ping client' () =
      let result' : base_ping_result =
        Thrift.Rpc.call client' "ping" (fun w' -> write_base_ping_args w' ()) read_base_ping_result
          in
      ()
    let echo client' ~text =
      let result' : base_echo_result =
        Thrift.Rpc.call client' "echo"
          (fun w' -> write_base_echo_args w' ({ text } : base_echo_args)) read_base_echo_result in
      Option.iter (fun e -> raise (Oops.E e)) result'.oops;
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "echo"
  end
end

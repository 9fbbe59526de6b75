(* Made by weir-thrift from kinds.thrift; do not edit. *)

[@@@ocaml.warning "-a"]

module Thrift = Weir_thrift

type points = Shared_thrift.point list

and atlas = (string * points) list

and kinds = {
  flag : bool;
  tiny : int;
  short : int;
  word : int;
  long : int64;
  real : float;
  text : string;
  data : string;
  colour : Shared_thrift.colour;
  point : Shared_thrift.point option;
  id : string;
  flags : bool list;
  tinies : int list;
  shorts : int list;
  words : int list;
  longs : int64 list;
  reals : float list;
  texts : string list;
  points : points;
  colours : Shared_thrift.colour list;
  names : (int * string) list;
  atlas : atlas;
  switches : (string * bool) list;
  matrix : int list list;
  nested : (int64 * (int * string list) list) list;
  maybe : bool option;
  perhaps : int option;
  several : string list option;
  end_ : string;
}

and defaults = {
  word : int;
  text : string;
  colour : Shared_thrift.colour;
  words : int list;
  long : int64 option;
  point : Shared_thrift.point option;
  flag : bool;
  real : float;
}

and strict = {
  here : int;
  point : Shared_thrift.point;
  flag : bool;
}

and shape =
  | Circle of float
  | Corner of Shared_thrift.point
  | Polygon of points
  | Named of string
  | Nothing of bool
  | Inner of shape
  | Unrecognized of int

and tree = {
  value : int64;
  left : tree option;
  right : tree option;
  children : tree list;
}

and empty = unit

and unnumbered = {
  first : int;
  second : string;
}

and calculator_add_args = {
  left : int;
  right : int;
}

and calculator_add_result = {
  success : int option;
}

and calculator_divide_args = {
  by : int;
}

and calculator_divide_result = {
  success : int option;
  trouble : Shared_thrift.trouble option;
}

and calculator_reset_args = unit

and calculator_reset_result = unit

and calculator_hint_args = {
  text : string;
}

and calculator_shape_args = {
  tree : tree option;
}

and calculator_shape_result = {
  success : shape option;
}

let limit : int = (16)

let greeting : string = "bon\"jour"

let primes : int list = [ (2); (3); (5); (7) ]

let ratios : (string * float) list =
  [ ("half", (0x1p-1)); ("two", (2.)); ("small", (0x1.0624dd2f1a9fcp-10)) ]

let shade : Shared_thrift.colour = (Shared_thrift.Colour.of_int 2)

let corner : Shared_thrift.point = ({ x = (3); y = (-4) } : Shared_thrift.point)

let rec read_kinds r : kinds =
  Thrift.Reader.start r 45;
  let flag' = ref false in
  let tiny' = ref 0 in
  let short' = ref 0 in
  let word' = ref 0 in
  let long' = ref 0L in
  let real' = ref 0. in
  let text' = ref "" in
  let data' = ref "" in
  let colour' = ref ((Shared_thrift.Colour.of_int 1)) in
  let point' = ref None in
  let id' = ref "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000" in
  let flags' = ref [] in
  let tinies' = ref [] in
  let shorts' = ref [] in
  let words' = ref [] in
  let longs' = ref [] in
  let reals' = ref [] in
  let texts' = ref [] in
  let points' = ref [] in
  let colours' = ref [] in
  let names' = ref [] in
  let atlas' = ref [] in
  let switches' = ref [] in
  let matrix' = ref [] in
  let nested' = ref [] in
  let maybe' = ref None in
  let perhaps' = ref None in
  let several' = ref None in
  let end_' = ref "" in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x11 -> flag' := Thrift.Reader.bool_field r
    | 0x23 -> tiny' := Thrift.Reader.i8 r
    | 0x34 -> short' := Thrift.Reader.i16 r
    | 0x45 -> word' := Thrift.Reader.i32 r
    | 0x56 -> long' := Thrift.Reader.i64 r
    | 0x67 -> real' := Thrift.Reader.double r
    | 0x78 -> text' := Thrift.Reader.string r
    | 0x88 -> data' := Thrift.Reader.string r
    | 0x95 -> colour' := Shared_thrift.Colour.read r
    | 0xac -> point' := Thrift.Reader.some r 2 (Shared_thrift.Point.read r)
    | 0xbd -> id' := Thrift.Reader.uuid r
    | 0x1e9 -> flags' := Thrift.Reader.list r Thrift.Kind.bool Thrift.Reader.bool
    | 0x1f9 -> tinies' := Thrift.Reader.list r Thrift.Kind.i8 Thrift.Reader.i8
    | 0x20a -> shorts' := Thrift.Reader.list r Thrift.Kind.i16 Thrift.Reader.i16
    | 0x219 -> words' := Thrift.Reader.list r Thrift.Kind.i32 Thrift.Reader.i32
    | 0x229 -> longs' := Thrift.Reader.list r Thrift.Kind.i64 Thrift.Reader.i64
    | 0x239 -> reals' := Thrift.Reader.list r Thrift.Kind.double Thrift.Reader.double
    | 0x249 -> texts' := Thrift.Reader.list r Thrift.Kind.string Thrift.Reader.string
    | 0x259 -> points' := Thrift.Reader.list r Thrift.Kind.struct_ Shared_thrift.Point.read
    | 0x269 -> colours' := Thrift.Reader.list r Thrift.Kind.i32 Shared_thrift.Colour.read
    | 0x27b -> names' := Thrift.Reader.map r Thrift.Kind.i32 Thrift.Kind.string Thrift.Reader.i32
        Thrift.Reader.string
    | 0x28b -> atlas' := Thrift.Reader.map r Thrift.Kind.string Thrift.Kind.list
        Thrift.Reader.string (fun r -> Thrift.Reader.list r Thrift.Kind.struct_
        Shared_thrift.Point.read)
    | 0x29b -> switches' := Thrift.Reader.map r Thrift.Kind.string Thrift.Kind.bool
        Thrift.Reader.string Thrift.Reader.bool
    | 0x2a9 -> matrix' := Thrift.Reader.list r Thrift.Kind.list
        (fun r -> Thrift.Reader.list r Thrift.Kind.i16 Thrift.Reader.i16)
    | 0x2bb -> nested' := Thrift.Reader.map r Thrift.Kind.i64 Thrift.Kind.map Thrift.Reader.i64
        (fun r -> Thrift.Reader.map r Thrift.Kind.i8 Thrift.Kind.set Thrift.Reader.i8
        (fun r -> Thrift.Reader.list r Thrift.Kind.string Thrift.Reader.string))
    | 0x13881 -> maybe' := Thrift.Reader.some r 2 (Thrift.Reader.bool_field r)
    | 0x13895 -> perhaps' := Thrift.Reader.some r 2 (Thrift.Reader.i32 r)
    | 0x138a9 -> several' := Thrift.Reader.some r 2
        (Thrift.Reader.list r Thrift.Kind.string Thrift.Reader.string)
    | 0x148 -> end_' := Thrift.Reader.string r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    flag = !flag';
    tiny = !tiny';
    short = !short';
    word = !word';
    long = !long';
    real = !real';
    text = !text';
    data = !data';
    colour = !colour';
    point = !point';
    id = !id';
    flags = !flags';
    tinies = !tinies';
    shorts = !shorts';
    words = !words';
    longs = !longs';
    reals = !reals';
    texts = !texts';
    points = !points';
    colours = !colours';
    names = !names';
    atlas = !atlas';
    switches = !switches';
    matrix = !matrix';
    nested = !nested';
    maybe = !maybe';
    perhaps = !perhaps';
    several = !several';
    end_ = !end_';
  }

and write_kinds w (v : kinds) =
  let last = 0 in
  let last = Thrift.Writer.bool_field w last 1 v.flag in
  let last = Thrift.Writer.field w last 2 Thrift.Kind.i8 in
  Thrift.Writer.i8 w v.tiny;
  let last = Thrift.Writer.field w last 3 Thrift.Kind.i16 in
  Thrift.Writer.i16 w v.short;
  let last = Thrift.Writer.field w last 4 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.word;
  let last = Thrift.Writer.field w last 5 Thrift.Kind.i64 in
  Thrift.Writer.i64 w v.long;
  let last = Thrift.Writer.field w last 6 Thrift.Kind.double in
  Thrift.Writer.double w v.real;
  let last = Thrift.Writer.field w last 7 Thrift.Kind.string in
  Thrift.Writer.string w v.text;
  let last = Thrift.Writer.field w last 8 Thrift.Kind.string in
  Thrift.Writer.string w v.data;
  let last = Thrift.Writer.field w last 9 Thrift.Kind.i32 in
  Shared_thrift.Colour.write w v.colour;
  let last =
    match v.point with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 10 Thrift.Kind.struct_ in
        Shared_thrift.Point.write w x;
        last
  in
  let last = Thrift.Writer.field w last 11 Thrift.Kind.uuid in
  Thrift.Writer.uuid w v.id;
  let last = Thrift.Writer.field w last 20 Thrift.Kind.string in
  Thrift.Writer.string w v.end_;
  let last = Thrift.Writer.field w last 30 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.bool Thrift.Writer.bool v.flags;
  let last = Thrift.Writer.field w last 31 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.i8 Thrift.Writer.i8 v.tinies;
  let last = Thrift.Writer.field w last 32 Thrift.Kind.set in
  Thrift.Writer.list w Thrift.Kind.i16 Thrift.Writer.i16 v.shorts;
  let last = Thrift.Writer.field w last 33 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.i32 Thrift.Writer.i32 v.words;
  let last = Thrift.Writer.field w last 34 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.i64 Thrift.Writer.i64 v.longs;
  let last = Thrift.Writer.field w last 35 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.double Thrift.Writer.double v.reals;
  let last = Thrift.Writer.field w last 36 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.string Thrift.Writer.string v.texts;
  let last = Thrift.Writer.field w last 37 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.struct_ Shared_thrift.Point.write v.points;
  let last = Thrift.Writer.field w last 38 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.i32 Shared_thrift.Colour.write v.colours;
  let last = Thrift.Writer.field w last 39 Thrift.Kind.map in
  Thrift.Writer.map w Thrift.Kind.i32 Thrift.Kind.string Thrift.Writer.i32 Thrift.Writer.string
    v.names;
  let last = Thrift.Writer.field w last 40 Thrift.Kind.map in
  Thrift.Writer.map w Thrift.Kind.string Thrift.Kind.list Thrift.Writer.string
    (fun w l -> Thrift.Writer.list w Thrift.Kind.struct_ Shared_thrift.Point.write l) v.atlas;
  let last = Thrift.Writer.field w last 41 Thrift.Kind.map in
  Thrift.Writer.map w Thrift.Kind.string Thrift.Kind.bool Thrift.Writer.string Thrift.Writer.bool
    v.switches;
  let last = Thrift.Writer.field w last 42 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.list
    (fun w l -> Thrift.Writer.list w Thrift.Kind.i16 Thrift.Writer.i16 l) v.matrix;
  let last = Thrift.Writer.field w last 43 Thrift.Kind.map in
  Thrift.Writer.map w Thrift.Kind.i64 Thrift.Kind.map Thrift.Writer.i64
    (fun w l -> Thrift.Writer.map w Thrift.Kind.i8 Thrift.Kind.set Thrift.Writer.i8
    (fun w l -> Thrift.Writer.list w Thrift.Kind.string Thrift.Writer.string l) l) v.nested;
  let last =
    match v.maybe with
    | None -> last
    | Some x -> Thrift.Writer.bool_field w last 5000 x
  in
  let last =
    match v.perhaps with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 5001 Thrift.Kind.i32 in
        Thrift.Writer.i32 w x;
        last
  in
  let last =
    match v.several with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 5002 Thrift.Kind.list in
        Thrift.Writer.list w Thrift.Kind.string Thrift.Writer.string x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_defaults r : defaults =
  Thrift.Reader.start r 29;
  let word' = ref (-70000) in
  let text' = ref "hello" in
  let colour' = ref ((Shared_thrift.Colour.of_int 2)) in
  let words' = ref ([ (1); (-2); (3) ]) in
  let long' = ref (Some (5000000000L)) in
  let point' = ref (Some ({ x = (5); y = (-6) } : Shared_thrift.point)) in
  let flag' = ref true in
  let real' = ref (-0x1.2p+1) in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> word' := Thrift.Reader.i32 r
    | 0x28 -> text' := Thrift.Reader.string r
    | 0x35 -> colour' := Shared_thrift.Colour.read r
    | 0x49 -> words' := Thrift.Reader.list r Thrift.Kind.i32 Thrift.Reader.i32
    | 0x56 -> long' := Thrift.Reader.some r 5 (Thrift.Reader.i64 r)
    | 0x6c -> point' := Thrift.Reader.some r 2 (Shared_thrift.Point.read r)
    | 0x71 -> flag' := Thrift.Reader.bool_field r
    | 0x87 -> real' := Thrift.Reader.double r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    word = !word';
    text = !text';
    colour = !colour';
    words = !words';
    long = !long';
    point = !point';
    flag = !flag';
    real = !real';
  }

and write_defaults w (v : defaults) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.word;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.string in
  Thrift.Writer.string w v.text;
  let last = Thrift.Writer.field w last 3 Thrift.Kind.i32 in
  Shared_thrift.Colour.write w v.colour;
  let last = Thrift.Writer.field w last 4 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.i32 Thrift.Writer.i32 v.words;
  let last =
    match v.long with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 5 Thrift.Kind.i64 in
        Thrift.Writer.i64 w x;
        last
  in
  let last =
    match v.point with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 6 Thrift.Kind.struct_ in
        Shared_thrift.Point.write w x;
        last
  in
  let last = Thrift.Writer.bool_field w last 7 v.flag in
  let last = Thrift.Writer.field w last 8 Thrift.Kind.double in
  Thrift.Writer.double w v.real;
  ignore last;
  Thrift.Writer.stop w

and read_strict r : strict =
  Thrift.Reader.start r 4;
  let here' = ref None in
  let point' = ref None in
  let flag' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> here' := Thrift.Reader.some r 2 (Thrift.Reader.i32 r)
    | 0x2c -> point' := Thrift.Reader.some r 2 (Shared_thrift.Point.read r)
    | 0x31 -> flag' := Thrift.Reader.some r 2 (Thrift.Reader.bool_field r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    here = Thrift.Reader.required r "here" !here';
    point = Thrift.Reader.required r "point" !point';
    flag = Thrift.Reader.required r "flag" !flag';
  }

and write_strict w (v : strict) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.here;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.struct_ in
  Shared_thrift.Point.write w v.point;
  let last = Thrift.Writer.bool_field w last 3 v.flag in
  ignore last;
  Thrift.Writer.stop w

and read_shape r : shape =
  Thrift.Reader.enter r;
  let v' = ref (Unrecognized 0 : shape) in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x17 -> Thrift.Reader.spend r 4; v' := (Circle (Thrift.Reader.double r) : shape)
    | 0x2c -> Thrift.Reader.spend r 2; v' := (Corner (Shared_thrift.Point.read r) : shape)
    | 0x39 -> Thrift.Reader.spend r 2;
    v' := (Polygon (Thrift.Reader.list r Thrift.Kind.struct_ Shared_thrift.Point.read) : shape)
    | 0x48 -> Thrift.Reader.spend r 4; v' := (Named (Thrift.Reader.string r) : shape)
    | 0x51 -> Thrift.Reader.spend r 2; v' := (Nothing (Thrift.Reader.bool_field r) : shape)
    | 0x6c -> Thrift.Reader.spend r 2; v' := (Inner (read_shape r) : shape)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  !v'

and write_shape w (v : shape) =
  (match v with
  | Circle x ->
      ignore (Thrift.Writer.field w 0 1 Thrift.Kind.double);
      Thrift.Writer.double w x
  | Corner x ->
      ignore (Thrift.Writer.field w 0 2 Thrift.Kind.struct_);
      Shared_thrift.Point.write w x
  | Polygon x ->
      ignore (Thrift.Writer.field w 0 3 Thrift.Kind.list);
      Thrift.Writer.list w Thrift.Kind.struct_ Shared_thrift.Point.write x
  | Named x ->
      ignore (Thrift.Writer.field w 0 4 Thrift.Kind.string);
      Thrift.Writer.string w x
  | Nothing x -> ignore (Thrift.Writer.bool_field w 0 5 x)
  | Inner x ->
      ignore (Thrift.Writer.field w 0 6 Thrift.Kind.struct_);
      write_shape w x
  | Unrecognized _ -> ());
  Thrift.Writer.stop w

and read_tree r : tree =
  Thrift.Reader.start r 8;
  let value' = ref 0L in
  let left' = ref None in
  let right' = ref None in
  let children' = ref [] in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x16 -> value' := Thrift.Reader.i64 r
    | 0x2c -> left' := Thrift.Reader.some r 2 (read_tree r)
    | 0x3c -> right' := Thrift.Reader.some r 2 (read_tree r)
    | 0x49 -> children' := Thrift.Reader.list r Thrift.Kind.struct_ read_tree
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    value = !value';
    left = !left';
    right = !right';
    children = !children';
  }

and write_tree w (v : tree) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i64 in
  Thrift.Writer.i64 w v.value;
  let last =
    match v.left with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 2 Thrift.Kind.struct_ in
        write_tree w x;
        last
  in
  let last =
    match v.right with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 3 Thrift.Kind.struct_ in
        write_tree w x;
        last
  in
  let last = Thrift.Writer.field w last 4 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.struct_ write_tree v.children;
  ignore last;
  Thrift.Writer.stop w

and read_empty r : empty =
  Thrift.Reader.start r 1;
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  ()

and write_empty w (v : empty) =
  let last = 0 in
  ignore last;
  Thrift.Writer.stop w

and read_unnumbered r : unnumbered =
  Thrift.Reader.start r 5;
  let first' = ref 0 in
  let second' = ref "" in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | (-11) -> first' := Thrift.Reader.i32 r
    | (-24) -> second' := Thrift.Reader.string r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    first = !first';
    second = !second';
  }

and write_unnumbered w (v : unnumbered) =
  let last = 0 in
  let last = Thrift.Writer.field w last (-2) Thrift.Kind.string in
  Thrift.Writer.string w v.second;
  let last = Thrift.Writer.field w last (-1) Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.first;
  ignore last;
  Thrift.Writer.stop w

and read_calculator_add_args r : calculator_add_args =
  Thrift.Reader.start r 3;
  let left' = ref 0 in
  let right' = ref 0 in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> left' := Thrift.Reader.i32 r
    | 0x25 -> right' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    left = !left';
    right = !right';
  }

and write_calculator_add_args w (v : calculator_add_args) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.left;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.right;
  ignore last;
  Thrift.Writer.stop w

and read_calculator_add_result r : calculator_add_result =
  Thrift.Reader.start r 2;
  let success' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x5 -> success' := Thrift.Reader.some r 2 (Thrift.Reader.i32 r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
  }

and write_calculator_add_result w (v : calculator_add_result) =
  let last = 0 in
  let last =
    match v.success with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.i32 in
        Thrift.Writer.i32 w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_calculator_divide_args r : calculator_divide_args =
  Thrift.Reader.start r 2;
  let by' = ref 0 in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x15 -> by' := Thrift.Reader.i32 r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    by = !by';
  }

and write_calculator_divide_args w (v : calculator_divide_args) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i32 in
  Thrift.Writer.i32 w v.by;
  ignore last;
  Thrift.Writer.stop w

and read_calculator_divide_result r : calculator_divide_result =
  Thrift.Reader.start r 3;
  let success' = ref None in
  let trouble' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x5 -> success' := Thrift.Reader.some r 2 (Thrift.Reader.i32 r)
    | 0x1c -> trouble' := Thrift.Reader.some r 2 (Shared_thrift.Trouble.read r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
    trouble = !trouble';
  }

and write_calculator_divide_result w (v : calculator_divide_result) =
  let last = 0 in
  let last =
    match v.success with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.i32 in
        Thrift.Writer.i32 w x;
        last
  in
  let last =
    match v.trouble with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        Shared_thrift.Trouble.write w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_calculator_reset_args r : calculator_reset_args =
  Thrift.Reader.start r 1;
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  ()

and write_calculator_reset_args w (v : calculator_reset_args) =
  let last = 0 in
  ignore last;
  Thrift.Writer.stop w

and read_calculator_reset_result r : calculator_reset_result =
  Thrift.Reader.start r 1;
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  ()

and write_calculator_reset_result w (v : calculator_reset_result) =
  let last = 0 in
  ignore last;
  Thrift.Writer.stop w

and read_calculator_hint_args r : calculator_hint_args =
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

and write_calculator_hint_args w (v : calculator_hint_args) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
  Thrift.Writer.string w v.text;
  ignore last;
  Thrift.Writer.stop w

and read_calculator_shape_args r : calculator_shape_args =
  Thrift.Reader.start r 2;
  let tree' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x1c -> tree' := Thrift.Reader.some r 2 (read_tree r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    tree = !tree';
  }

and write_calculator_shape_args w (v : calculator_shape_args) =
  let last = 0 in
  let last =
    match v.tree with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        write_tree w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_calculator_shape_result r : calculator_shape_result =
  Thrift.Reader.start r 2;
  let success' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0xc -> success' := Thrift.Reader.some r 2 (read_shape r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
  }

and write_calculator_shape_result w (v : calculator_shape_result) =
  let last = 0 in
  let last =
    match v.success with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.struct_ in
        write_shape w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

module Kinds = struct
  type t = kinds = {
    flag : bool;
    tiny : int;
    short : int;
    word : int;
    long : int64;
    real : float;
    text : string;
    data : string;
    colour : Shared_thrift.colour;
    point : Shared_thrift.point option;
    id : string;
    flags : bool list;
    tinies : int list;
    shorts : int list;
    words : int list;
    longs : int64 list;
    reals : float list;
    texts : string list;
    points : points;
    colours : Shared_thrift.colour list;
    names : (int * string) list;
    atlas : atlas;
    switches : (string * bool) list;
    matrix : int list list;
    nested : (int64 * (int * string list) list) list;
    maybe : bool option;
    perhaps : int option;
    several : string list option;
    end_ : string;
  }

  let read = read_kinds
  let write = write_kinds
  let decode protocol s = Thrift.Reader.decode read_kinds protocol s
  let encode protocol v = Thrift.Writer.encode write_kinds protocol v
  let default : t =
    { flag = false; tiny = 0; short = 0; word = 0; long = 0L; real = 0.; text = ""; data = "";
      colour = (Shared_thrift.Colour.of_int 1); point = None;
      id = "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"; flags = [];
      tinies = []; shorts = []; words = []; longs = []; reals = []; texts = []; points = [];
      colours = []; names = []; atlas = []; switches = []; matrix = []; nested = []; maybe = None;
      perhaps = None; several = None; end_ = "" }
end

module Defaults = struct
  type t = defaults = {
    word : int;
    text : string;
    colour : Shared_thrift.colour;
    words : int list;
    long : int64 option;
    point : Shared_thrift.point option;
    flag : bool;
    real : float;
  }

  let read = read_defaults
  let write = write_defaults
  let decode protocol s = Thrift.Reader.decode read_defaults protocol s
  let encode protocol v = Thrift.Writer.encode write_defaults protocol v
  let default : t =
    { word = (-70000); text = "hello"; colour = (Shared_thrift.Colour.of_int 2);
      words = [ (1); (-2); (3) ]; long = Some (5000000000L);
      point = Some ({ x = (5); y = (-6) } : Shared_thrift.point); flag = true; real = (-0x1.2p+1) }
end

module Strict = struct
  type t = strict = {
    here : int;
    point : Shared_thrift.point;
    flag : bool;
  }

  let read = read_strict
  let write = write_strict
  let decode protocol s = Thrift.Reader.decode read_strict protocol s
  let encode protocol v = Thrift.Writer.encode write_strict protocol v
end

module Shape = struct
  type t = shape =
    | Circle of float
    | Corner of Shared_thrift.point
    | Polygon of points
    | Named of string
    | Nothing of bool
    | Inner of shape
    | Unrecognized of int

  let read = read_shape
  let write = write_shape
  let decode protocol s = Thrift.Reader.decode read_shape protocol s
  let encode protocol v = Thrift.Writer.encode write_shape protocol v
end

module Tree = struct
  type t = tree = {
    value : int64;
    left : tree option;
    right : tree option;
    children : tree list;
  }

  let read = read_tree
  let write = write_tree
  let decode protocol s = Thrift.Reader.decode read_tree protocol s
  let encode protocol v = Thrift.Writer.encode write_tree protocol v
  let default : t = { value = 0L; left = None; right = None; children = [] }
end

module Empty = struct
  type t = empty

  let read = read_empty
  let write = write_empty
  let decode protocol s = Thrift.Reader.decode read_empty protocol s
  let encode protocol v = Thrift.Writer.encode write_empty protocol v
  let default = ()
end

module Unnumbered = struct
  type t = unnumbered = {
    first : int;
    second : string;
  }

  let read = read_unnumbered
  let write = write_unnumbered
  let decode protocol s = Thrift.Reader.decode read_unnumbered protocol s
  let encode protocol v = Thrift.Writer.encode write_unnumbered protocol v
  let default : t = { first = 0; second = "" }
end

module Calculator = struct
  module type S = sig
    include Shared_thrift.Named.S
    val add : left:int -> right:int -> int
    val divide : by:int -> int
    val reset : unit -> unit
    val hint : text:string -> unit
    val shape : tree:tree option -> shape
  end

  let dispatch (module H : S) name' r =
    match name' with
    | "add" ->
        let args' : calculator_add_args = read_calculator_add_args r in
        ignore args';
        (match H.add ~left:args'.left ~right:args'.right with
        | v' -> Option.some (fun w -> write_calculator_add_result w
            ({ success = Option.some v' } : calculator_add_result))
        )
    | "divide" ->
        let args' : calculator_divide_args = read_calculator_divide_args r in
        ignore args';
        (match H.divide ~by:args'.by with
        | v' -> Option.some (fun w -> write_calculator_divide_result w
            ({ success = Option.some v'; trouble = Option.none } : calculator_divide_result))
        | exception Shared_thrift.Trouble.E e' ->
            Option.some (fun w -> write_calculator_divide_result w
            ({ success = Option.none; trouble = Option.some e' } : calculator_divide_result))
        )
    | "reset" ->
        let args' : calculator_reset_args = read_calculator_reset_args r in
        ignore args';
        (match H.reset () with
        | () -> Option.some (fun w -> write_calculator_reset_result w ())
        )
    | "hint" ->
        let args' : calculator_hint_args = read_calculator_hint_args r in
        ignore args';
        H.hint ~text:args'.text;
        Option.some (fun _ -> ())
    | "shape" ->
        let args' : calculator_shape_args = read_calculator_shape_args r in
        ignore args';
        (match H.shape ~tree:args'.tree with
        | v' -> Option.some (fun w -> write_calculator_shape_result w
            ({ success = Option.some v' } : calculator_shape_result))
        )
    | _ -> Shared_thrift.Named.dispatch (module H) name' r

  module Client = struct
    include Shared_thrift.Named.Client
    let add client' ~left ~right =
      let result' : calculator_add_result =
        Thrift.Rpc.call client' "add"
          (fun w' -> write_calculator_add_args w' ({ left; right } : calculator_add_args))
          read_calculator_add_result in
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "add"
    let divide client' ~by =
      let result' : calculator_divide_result =
        Thrift.Rpc.call client' "divide"
          (fun w' -> write_calculator_divide_args w' ({ by } : calculator_divide_args))
          read_calculator_divide_result in
      Option.iter (fun e -> raise (Shared_thrift.Trouble.E e)) result'.trouble;
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "divide"
    let reset client' () =
      let result' : calculator_reset_result =
        Thrift.Rpc.call client' "reset" (fun w' -> write_calculator_reset_args w' ())
          read_calculator_reset_result in
      ()
    let hint client' ~text =
      Thrift.Rpc.oneway client' "hint"
        (fun w' -> write_calculator_hint_args w' ({ text } : calculator_hint_args))
    let shape client' ~tree =
      let result' : calculator_shape_result =
        Thrift.Rpc.call client' "shape"
          (fun w' -> write_calculator_shape_args w' ({ tree } : calculator_shape_args))
          read_calculator_shape_result in
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "shape"
  end
end

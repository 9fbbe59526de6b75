(* Made by weir-thrift from golden.thrift; do not edit. *)

[@@@ocaml.warning "-a"]

module Thrift = Weir_thrift

type values = int list

and unit_ =
  | Kelvin
  | Pascal
  | Unrecognized of int

and reading = {
  time : int64;
  values : values;
  note : string option;
  unit : unit_;
}

and place =
  | Name of string
  | Position of (string * float) list
  | Unrecognized of int

and unknown_sensor = {
  why : string;
}

and sensors_latest_args = {
  sensor : string;
}

and sensors_latest_result = {
  success : reading option;
  unknown : unknown_sensor option;
}

and sensors_reset_args = unit

let unit__of_int : int -> unit_ = function
  | 0 -> Kelvin
  | 4 -> Pascal
  | n -> Unrecognized n

let unit__to_int : unit_ -> int = function
  | Kelvin -> 0
  | Pascal -> 4
  | Unrecognized n -> n

let read_unit_ r =
  match unit__of_int (Thrift.Reader.i32 r) with
  | Unrecognized _ as v -> Thrift.Reader.spend r 2; v
  | v -> v
let write_unit_ w v = Thrift.Writer.i32 w (unit__to_int v)

let limit : int = (1000)

let rec read_reading r : reading =
  Thrift.Reader.start r 5;
  let time' = ref None in
  let values' = ref [] in
  let note' = ref None in
  let unit' = ref ((unit__of_int 4)) in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x16 -> time' := Thrift.Reader.some r 5 (Thrift.Reader.i64 r)
    | 0x29 -> values' := Thrift.Reader.list r Thrift.Kind.i16 Thrift.Reader.i16
    | 0x38 -> note' := Thrift.Reader.some r 4 (Thrift.Reader.string r)
    | 0x45 -> unit' := read_unit_ r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    time = Thrift.Reader.required r "time" !time';
    values = !values';
    note = !note';
    unit = !unit';
  }

and write_reading w (v : reading) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.i64 in
  Thrift.Writer.i64 w v.time;
  let last = Thrift.Writer.field w last 2 Thrift.Kind.list in
  Thrift.Writer.list w Thrift.Kind.i16 Thrift.Writer.i16 v.values;
  let last =
    match v.note with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 3 Thrift.Kind.string in
        Thrift.Writer.string w x;
        last
  in
  let last = Thrift.Writer.field w last 4 Thrift.Kind.i32 in
  write_unit_ w v.unit;
  ignore last;
  Thrift.Writer.stop w

and read_place r : place =
  Thrift.Reader.enter r;
  let v' = ref (Unrecognized 0 : place) in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x18 -> Thrift.Reader.spend r 4; v' := (Name (Thrift.Reader.string r) : place)
    | 0x2b -> Thrift.Reader.spend r 2;
    v' := (Position (Thrift.Reader.map r Thrift.Kind.string Thrift.Kind.double Thrift.Reader.string
        Thrift.Reader.double) : place)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  !v'

and write_place w (v : place) =
  (match v with
  | Name x ->
      ignore (Thrift.Writer.field w 0 1 Thrift.Kind.string);
      Thrift.Writer.string w x
  | Position x ->
      ignore (Thrift.Writer.field w 0 2 Thrift.Kind.map);
      Thrift.Writer.map w Thrift.Kind.string Thrift.Kind.double Thrift.Writer.string
        Thrift.Writer.double x
  | Unrecognized _ -> ());
  Thrift.Writer.stop w

and read_unknown_sensor r : unknown_sensor =
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

and write_unknown_sensor w (v : unknown_sensor) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
  Thrift.Writer.string w v.why;
  ignore last;
  Thrift.Writer.stop w

and read_sensors_latest_args r : sensors_latest_args =
  Thrift.Reader.start r 4;
  let sensor' = ref "" in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0x18 -> sensor' := Thrift.Reader.string r
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    sensor = !sensor';
  }

and write_sensors_latest_args w (v : sensors_latest_args) =
  let last = 0 in
  let last = Thrift.Writer.field w last 1 Thrift.Kind.string in
  Thrift.Writer.string w v.sensor;
  ignore last;
  Thrift.Writer.stop w

and read_sensors_latest_result r : sensors_latest_result =
  Thrift.Reader.start r 3;
  let success' = ref None in
  let unknown' = ref None in
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | 0xc -> success' := Thrift.Reader.some r 2 (read_reading r)
    | 0x1c -> unknown' := Thrift.Reader.some r 2 (read_unknown_sensor r)
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  {
    success = !success';
    unknown = !unknown';
  }

and write_sensors_latest_result w (v : sensors_latest_result) =
  let last = 0 in
  let last =
    match v.success with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 0 Thrift.Kind.struct_ in
        write_reading w x;
        last
  in
  let last =
    match v.unknown with
    | None -> last
    | Some x ->
        let last = Thrift.Writer.field w last 1 Thrift.Kind.struct_ in
        write_unknown_sensor w x;
        last
  in
  ignore last;
  Thrift.Writer.stop w

and read_sensors_reset_args r : sensors_reset_args =
  Thrift.Reader.start r 1;
  let header = ref (Thrift.Reader.field r 0) in
  while !header <> 0 do
    (match !header with
    | h -> Thrift.Reader.skip_field r h);
    header := Thrift.Reader.field r (!header asr 4)
  done;
  Thrift.Reader.leave r;
  ()

and write_sensors_reset_args w (v : sensors_reset_args) =
  let last = 0 in
  ignore last;
  Thrift.Writer.stop w

module Unit = struct
  type t = unit_ =
    | Kelvin
    | Pascal
    | Unrecognized of int

  let read = read_unit_
  let write = write_unit_
  let of_int = unit__of_int
  let to_int = unit__to_int
end

module Reading = struct
  type t = reading = {
    time : int64;
    values : values;
    note : string option;
    unit : unit_;
  }

  let read = read_reading
  let write = write_reading
  let decode protocol s = Thrift.Reader.decode read_reading protocol s
  let encode protocol v = Thrift.Writer.encode write_reading protocol v
  let default : t = { time = 0L; values = []; note = None; unit = (unit__of_int 4) }
end

module Place = struct
  type t = place =
    | Name of string
    | Position of (string * float) list
    | Unrecognized of int

  let read = read_place
  let write = write_place
  let decode protocol s = Thrift.Reader.decode read_place protocol s
  let encode protocol v = Thrift.Writer.encode write_place protocol v
end

module Unknown_sensor = struct
  type t = unknown_sensor = {
    why : string;
  }

  let read = read_unknown_sensor
  let write = write_unknown_sensor
  let decode protocol s = Thrift.Reader.decode read_unknown_sensor protocol s
  let encode protocol v = Thrift.Writer.encode write_unknown_sensor protocol v
  let default : t = { why = "" }

  exception E of t
end

module Sensors = struct
  module type S = sig
    val latest : sensor:string -> reading
    val reset : unit -> unit
  end

  let dispatch (module H : S) name' r =
    match name' with
    | "latest" ->
        let args' : sensors_latest_args = read_sensors_latest_args r in
        ignore args';
        (match H.latest ~sensor:args'.sensor with
        | v' -> Option.some (fun w -> write_sensors_latest_result w
            ({ success = Option.some v'; unknown = Option.none } : sensors_latest_result))
        | exception Unknown_sensor.E e' ->
            Option.some (fun w -> write_sensors_latest_result w
            ({ success = Option.none; unknown = Option.some e' } : sensors_latest_result))
        )
    | "reset" ->
        let args' : sensors_reset_args = read_sensors_reset_args r in
        ignore args';
        H.reset ();
        Option.some (fun _ -> ())
    | _ -> Option.none

  module Client = struct
    let latest client' ~sensor =
      let result' : sensors_latest_result =
        Thrift.Rpc.call client' "latest"
          (fun w' -> write_sensors_latest_args w' ({ sensor } : sensors_latest_args))
          read_sensors_latest_result in
      Option.iter (fun e -> raise (Unknown_sensor.E e)) result'.unknown;
      if Option.is_some result'.success then Option.get result'.success
      else Thrift.Rpc.no_result "latest"
    let reset client' () =
      Thrift.Rpc.oneway client' "reset" (fun w' -> write_sensors_reset_args w' ())
  end
end

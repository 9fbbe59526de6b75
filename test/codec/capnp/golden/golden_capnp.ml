(* Made by capnpc-weir from golden.capnp; do not edit. *)

[@@@ocaml.warning "-a"]

module Capnp = Weir_capnp

type unit_ =
  | Kelvin
  | Pascal
  | Unrecognized of int

and log = {
  sensor : string;
  unit : unit_;
  readings : reading list;
  raw : string;
  place : log_place;
  which : log_which;
}

and log_which =
  | Open
  | Closed of int64
  | Next of log option
  | Unrecognized of int

and log_place = {
  x : float;
  y : float;
}

and reading = {
  time : int64;
  values : int list;
  valid : bool;
}

let unit__of_int : int -> unit_ = function
  | 0 -> Kelvin
  | 1 -> Pascal
  | n -> Unrecognized n

let unit__to_int : unit_ -> int = function
  | Kelvin -> 0
  | Pascal -> 1
  | Unrecognized n -> n

let rec read_log m (r : log Capnp.Reader.t) : log =
  Capnp.Reader.spend m r 9;
  {
    sensor = Capnp.Reader.string m r 0;
    unit = unit__of_int (Capnp.Reader.uint16 m r 0 lxor 0x1);
    readings = list_reading m (Capnp.Reader.list m r 1 Capnp.Kind.struct_);
    raw = Capnp.Reader.data_string m r 2;
    place = read_log_place m (Capnp.Reader.cast r);
    which = read_log_which m r;
  }

and size_log (v : log) =
  Capnp.Size.text v.sensor
  + room_reading v.readings
  + Capnp.Size.data v.raw
  + size_log_place v.place
  + size_log_which v.which

and write_log buf at (v : log) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.int64 buf (at + 8) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 16) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 48) 0L;
  let next = Capnp.Unsafe.Put.text buf (at + 24) v.sensor next in
  Capnp.Unsafe.Put.uint16 buf at ((unit__to_int v.unit) lxor 0x1);
  let next = put_reading buf (at + 32) v.readings next in
  let next = Capnp.Unsafe.Put.data buf (at + 40) v.raw next in
  let next = write_log_place buf at v.place next in
  write_log_which buf at v.which next

and read_log_which m (r : log Capnp.Reader.t) : log_which =
  Capnp.Reader.spend m r 5;
  match Capnp.Reader.uint16 m r 2 with
  | 0 -> Open
  | 1 -> Closed (Capnp.Reader.int64 m r 16)
  | 2 -> Next (Capnp.Reader.optional m r 3 read_log)
  | n -> Unrecognized n

and size_log_which (v : log_which) =
  match v with
  | Next x -> Capnp.Size.optional size_log 56 x
  | _ -> 0

and write_log_which buf at (v : log_which) next =
  match v with
  | Open ->
      Capnp.Unsafe.Put.uint16 buf (at + 2) 0;
      next
  | Closed x ->
      Capnp.Unsafe.Put.uint16 buf (at + 2) 1;
      Capnp.Unsafe.Put.int64 buf (at + 16) x;
      next
  | Next x ->
      Capnp.Unsafe.Put.uint16 buf (at + 2) 2;
      Capnp.Unsafe.Put.optional write_log 3 4 buf (at + 48) x next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 2) n;
      next

and read_log_place m (r : log_place Capnp.Reader.t) : log_place =
  Capnp.Reader.spend m r 7;
  let d = Capnp.Reader.Unsafe.data_of m r 12 in
  {
    x = Capnp.Reader.Unsafe.float32_at m r d 4;
    y = Capnp.Reader.Unsafe.float32_at m r d 8;
  }

and size_log_place (_ : log_place) = 0

and write_log_place buf at (v : log_place) next =
  Capnp.Unsafe.Put.float32 buf (at + 4) v.x;
  Capnp.Unsafe.Put.float32 buf (at + 8) v.y;
  next

and read_reading m (r : reading Capnp.Reader.t) : reading =
  Capnp.Reader.spend m r 7;
  let d = Capnp.Reader.Unsafe.data_of m r 9 in
  {
    time = Capnp.Reader.Unsafe.int64_at m r d 0;
    values = Capnp.Items.int16s m (Capnp.Reader.list m r 0 Capnp.Kind.two_bytes);
    valid = not (Capnp.Reader.Unsafe.bool_at m r d 64);
  }

and size_reading (v : reading) =
  Capnp.Size.items 2 v.values

and write_reading buf at (v : reading) next =
  Capnp.Unsafe.Put.int64 buf (at + 8) 0L;
  Capnp.Unsafe.Put.uint8 buf (at + 8) (Capnp.Unsafe.Put.bit (not v.valid) 0);
  Capnp.Unsafe.Put.int64 buf at v.time;
  Capnp.Unsafe.Put.int16s buf (at + 16) v.values next

and list_reading m (l : reading Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_reading m l
  else
    let r = Capnp.Items.last m l in
    gather_reading m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_reading m r step n acc =
  if n = 0 then acc
  else
    let v = read_reading m r in
    gather_reading m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_reading buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_reading buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 2 1 buf at next)

and fill_reading buf at l next =
  match l with
  | [] -> next
  | (v : reading) :: rest -> fill_reading buf (at + 24) rest (write_reading buf at v next)

and room_reading l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_reading 8 l)

and sum_reading total l =
  match l with
  | [] -> total
  | (v : reading) :: rest -> sum_reading (total + 24 + size_reading v) rest

module Unit = struct
  type t = unit_ =
    | Kelvin
    | Pascal
    | Unrecognized of int

  let of_int = unit__of_int
  let to_int = unit__to_int
  let item m (l : t Capnp.Items.t) i = of_int (Capnp.Items.uint16 m l i)
  let put b (l : t Capnp.Builder.items) i v = Capnp.Builder.put_uint16 b l i (to_int v)
end

module Log = struct
  type which = log_which =
    | Open
    | Closed of int64
    | Next of log option
    | Unrecognized of int

  type t = log = {
    sensor : string;
    unit : unit_;
    readings : reading list;
    raw : string;
    place : log_place;
    which : which;
  }

  let decode s = Capnp.Reader.decode read_log s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 3 4 (size_log v) in
    Capnp.Unsafe.Record.finish buf (write_log buf 16 v 72)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 3 4 (size_log v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 3 4 (write_log buf 16 v 72)
    else Capnp.Unsafe.Record.write 3 4 size_log write_log b v
  let default = read_log Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 3 4
  let of_reader = read_log
  let to_builder b h v = Capnp.Unsafe.Record.fill 3 4 size_log write_log b h v
  let size = size_log
  let unsafe_put = write_log

  (** Reading in place. *)
  module R = struct
    type t = log Capnp.Reader.t

    type which =
      | Open
      | Closed
      | Next
      | Unrecognized of int

    let which m r : which =
      match Capnp.Reader.uint16 m r 2 with
      | 0 -> Open
      | 1 -> Closed
      | 2 -> Next
      | n -> Unrecognized n

    let has_sensor m r = Capnp.Reader.has m r 0
    let[@inline] sensor m r = Capnp.Reader.text m r 0
    let[@inline] unit m r = unit__of_int (Capnp.Reader.uint16 m r 0 lxor 0x1)
    let has_readings m r = Capnp.Reader.has m r 1
    let[@inline] readings m r = Capnp.Reader.list m r 1 Capnp.Kind.struct_
    let has_raw m r = Capnp.Reader.has m r 2
    let[@inline] raw m r = Capnp.Reader.data m r 2
    let place _ r = Capnp.Reader.cast r
    let open_ _ _ = ()
    let[@inline] closed m r = Capnp.Reader.int64 m r 16
    let has_next m r = Capnp.Reader.has m r 3
    let[@inline] next m r = Capnp.Reader.struct_ m r 3
  end

  (** Building in place. *)
  module B = struct
    type t = log Capnp.Builder.struct_

    let set_sensor b h v = Capnp.Builder.set_text b h 0 v
    let set_unit b h v = Capnp.Builder.set_uint16 b h 0 ((unit__to_int v) lxor 0x1)
    let init_readings b h n = Capnp.Builder.init_struct_list b h 1 n 2 1
    let get_readings b h = Capnp.Builder.get_items b h 1 Capnp.Kind.struct_
    let set_raw b h v = Capnp.Builder.set_data b h 2 v
    let place b h = ignore b; Capnp.Builder.cast h
    let set_open_ b h = Capnp.Builder.set_uint16 b h 2 0; ()
    let set_closed b h v = Capnp.Builder.set_uint16 b h 2 1; Capnp.Builder.set_int64 b h 16 v
    let init_next b h = Capnp.Builder.set_uint16 b h 2 2; Capnp.Builder.init_struct b h 3 3 4
    let get_next b h = Capnp.Any.get_struct b h 3 ~data:3 ~pointers:4
    let copy_next b h m r =
      Capnp.Builder.set_uint16 b h 2 2; Capnp.Any.copy_struct m r b h 3 ~data:3 ~pointers:4
  end

  module Place = struct
    type t = log_place = {
      x : float;
      y : float;
    }

    let default = read_log_place Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_log_place
    let to_builder b h v = Capnp.Unsafe.Record.fill 3 4 size_log_place write_log_place b h v
    let size = size_log_place
    let unsafe_put = write_log_place

    (** Reading in place. *)
    module R = struct
      type t = log_place Capnp.Reader.t

      let[@inline] x m r = Capnp.Reader.float32 m r 4
      let[@inline] y m r = Capnp.Reader.float32 m r 8
    end

    (** Building in place. *)
    module B = struct
      type t = log_place Capnp.Builder.struct_

      let set_x b h v = Capnp.Builder.set_float32 b h 4 v
      let set_y b h v = Capnp.Builder.set_float32 b h 8 v
    end
  end
end

module Reading = struct
  type t = reading = {
    time : int64;
    values : int list;
    valid : bool;
  }

  let decode s = Capnp.Reader.decode read_reading s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 2 1 (size_reading v) in
    Capnp.Unsafe.Record.finish buf (write_reading buf 16 v 40)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 2 1 (size_reading v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 2 1 (write_reading buf 16 v 40)
    else Capnp.Unsafe.Record.write 2 1 size_reading write_reading b v
  let default = read_reading Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 2 1
  let of_reader = read_reading
  let to_builder b h v = Capnp.Unsafe.Record.fill 2 1 size_reading write_reading b h v
  let size = size_reading
  let unsafe_put = write_reading

  (** Reading in place. *)
  module R = struct
    type t = reading Capnp.Reader.t

    let[@inline] time m r = Capnp.Reader.int64 m r 0
    let has_values m r = Capnp.Reader.has m r 0
    let[@inline] values m r = Capnp.Reader.list m r 0 Capnp.Kind.two_bytes
    let[@inline] valid m r = not (Capnp.Reader.bool m r 64)
  end

  (** Building in place. *)
  module B = struct
    type t = reading Capnp.Builder.struct_

    let set_time b h v = Capnp.Builder.set_int64 b h 0 v
    let init_values b h n = Capnp.Builder.init_list b h 0 Capnp.Kind.two_bytes n
    let get_values b h = Capnp.Builder.get_items b h 0 Capnp.Kind.two_bytes
    let set_valid b h v = Capnp.Builder.set_bool b h 64 (not v)
  end
end

let limit = (1000)

module I = Json_in
module J = Json_out
module K = Json_keys

type 'a way = { put : Json_out.t -> 'a -> unit; get : Json_in.t -> 'a }
type Registry.way += Json of Obj.t way

(* Values of types that only descriptors know. What is read at a type is what generated code
   declares for the field: the layout is written by the generator that writes the record. *)
let field m i : 'a = Obj.obj (Obj.field m i)
let set_field m i (v : 'a) = Obj.set_field m i (Obj.repr v)
let untyped_put (put : J.t -> 'a -> unit) : J.t -> Obj.t -> unit = Obj.magic put
let untyped_get (get : I.t -> 'a) : I.t -> Obj.t = Obj.magic get

(* Enums *)

type enum = { e : Descriptor.enum; numbers : int array; by_number : (int, Obj.t) Hashtbl.t }

let enum (e : Descriptor.enum) =
  let by_number = Hashtbl.create 16 in
  let add numbers (_, n) =
    if Hashtbl.mem by_number n then numbers
    else (
      Hashtbl.add by_number n (Obj.repr (List.length numbers));
      n :: numbers)
  in
  let numbers = List.fold_left add [] e.values in
  { e; numbers = Array.of_list (List.rev numbers); by_number }

let number e v = if Obj.is_int v then e.numbers.(Obj.obj v) else field v 0

let unrecognized n =
  let b = Obj.new_block 0 1 in
  set_field b 0 (n : int);
  b

let value_of e n =
  match Hashtbl.find e.by_number n with v -> v | exception Not_found -> unrecognized n

(* Arrays go through lists, slices through strings. *)

let untyped_to_list (f : 'a -> 'b list) : Obj.t -> Obj.t list = Obj.magic f
let untyped_of_list (f : 'b list -> 'a) : Obj.t list -> Obj.t = Obj.magic f

let list_of_array (k : Descriptor.kind) : Obj.t -> Obj.t list =
  match k with
  | Double -> untyped_to_list Arrays.floats_to_list
  | Float -> untyped_to_list Arrays.float32s_to_list
  | Fixed32 -> untyped_to_list Arrays.uint32s_to_list
  | Sfixed32 -> untyped_to_list Arrays.int32s_to_list
  | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64 -> untyped_to_list Arrays.int64s_to_list
  | Bool -> untyped_to_list Arrays.bools_to_list
  | _ -> untyped_to_list Arrays.ints_to_list

let array_of_list (k : Descriptor.kind) : Obj.t list -> Obj.t =
  match k with
  | Double -> untyped_of_list Arrays.floats_of_list
  | Float -> untyped_of_list Arrays.float32s_of_list
  | Fixed32 | Sfixed32 -> untyped_of_list Arrays.int32s_of_list
  | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64 -> untyped_of_list Arrays.int64s_of_list
  | Bool -> untyped_of_list Arrays.bools_of_list
  | _ -> untyped_of_list Arrays.ints_of_list

(* Writing *)

let nested types name =
  match Registry.way types name with
  | Json way -> way
  | _ -> invalid_arg ("Weir_protobuf: JSON of " ^ name ^ " before its module has started")

let put_value types (k : Descriptor.kind) : J.t -> Obj.t -> unit =
  match k with
  | Int32 | Sint32 | Sfixed32 -> untyped_put J.int32
  | Uint32 | Fixed32 -> untyped_put J.uint32
  | Int64 | Sint64 | Sfixed64 -> untyped_put J.int64
  | Uint64 | Fixed64 -> untyped_put J.uint64
  | Bool -> untyped_put J.bool
  | Float -> untyped_put J.float
  | Double -> untyped_put J.double
  | String | Raw_string -> untyped_put J.string
  | Bytes -> untyped_put J.bytes
  | Enum e ->
      let e = enum e in
      fun w v -> J.enum w e.e (number e v)
  | Message m | Delimited m -> (nested types m.full_name).put

let formed_put types (f : Layout.field) =
  let put = put_value types f.field.kind in
  match f.field.form with
  | Slice -> fun w (v : Obj.t) -> put w (Obj.repr (Slice.to_string (Obj.obj v)))
  | Usual | Array -> put

let put_key (k : Descriptor.kind) : J.t -> Obj.t -> unit =
  match k with
  | Int32 | Sint32 | Sfixed32 -> untyped_put J.int32_key
  | Uint32 | Fixed32 -> untyped_put J.uint32_key
  | Int64 | Sint64 | Sfixed64 -> untyped_put J.int64_key
  | Uint64 | Fixed64 -> untyped_put J.uint64_key
  | Bool -> untyped_put J.bool_key
  | _ -> untyped_put J.string

let put_implicit keys i slot (k : Descriptor.kind) : J.t -> Obj.t -> unit =
  match k with
  | Int32 | Sint32 | Sfixed32 -> fun w m -> J.int32_member w keys i (field m slot)
  | Uint32 | Fixed32 -> fun w m -> J.uint32_member w keys i (field m slot)
  | Int64 | Sint64 | Sfixed64 -> fun w m -> J.int64_member w keys i (field m slot)
  | Uint64 | Fixed64 -> fun w m -> J.uint64_member w keys i (field m slot)
  | Bool -> fun w m -> J.bool_member w keys i (field m slot)
  | Float -> fun w m -> J.float_member w keys i (field m slot)
  | Double -> fun w m -> J.double_member w keys i (field m slot)
  | String | Raw_string -> fun w m -> J.string_member w keys i (field m slot)
  | Bytes -> fun w m -> J.bytes_member w keys i (field m slot)
  | Enum e ->
      let e = enum e in
      fun w m -> J.enum_member w keys i e.e (number e (Obj.field m slot))
  | Message _ | Delimited _ -> invalid_arg "Weir_protobuf.Unsafe.Json_table: implicit message"

let entry (f : Descriptor.field) =
  match f.kind with
  | Message { fields = [ k; v ]; map_entry = true; _ } when Descriptor.is_repeated f -> Some (k, v)
  | _ -> None

let put_field keys types i (f : Layout.field) : J.t -> Obj.t -> unit =
  let slot = f.slot and kind = f.field.kind in
  match (f.field.label, entry f.field, f.held) with
  | _, Some (k, v), _ ->
      let key = put_key k.kind and value = put_value types v.kind in
      fun w m -> J.map_member w keys i key value (field m slot)
  | (Repeated | Packed), _, _ -> (
      let put = formed_put types f in
      match f.field.form with
      | Array ->
          let list = list_of_array kind in
          fun w m -> J.list_member w keys i put (list (Obj.field m slot))
      | Usual | Slice -> fun w m -> J.list_member w keys i put (field m slot))
  | Implicit, _, _ when f.field.form = Slice ->
      let put = if kind = Bytes then J.bytes_member else J.string_member in
      fun w m -> put w keys i (Slice.to_string (field m slot))
  | Implicit, _, _ -> put_implicit keys i slot kind
  | (Explicit | Required), _, Plain ->
      let put = formed_put types f in
      fun w m ->
        J.key w keys i;
        put w (Obj.field m slot)
  | (Explicit | Required), _, (Option | Case _) ->
      let put = formed_put types f in
      fun w m -> J.option_member w keys i put (field m slot)

(* The cases of the oneof in a slot, by their constructors. *)
let put_oneof keys types slot cases : J.t -> Obj.t -> unit =
  let count = List.length cases in
  let table = Array.make count (0, fun _ _ -> ()) in
  List.iter (fun (i, case, (f : Layout.field)) -> table.(case) <- (i, formed_put types f)) cases;
  fun w m ->
    match field m slot with
    | None -> ()
    | Some v ->
        let i, put = table.(Obj.tag v) in
        J.key w keys i;
        put w (Obj.field v 0)

let putters keys types (m : Layout.message) =
  let indexed = List.mapi (fun i (f : Layout.field) -> (i, f)) m.fields in
  let in_slot slot = List.filter (fun (_, (f : Layout.field)) -> f.slot = slot) indexed in
  let slots =
    List.sort_uniq Int.compare (List.map (fun (_, (f : Layout.field)) -> f.slot) indexed)
  in
  let one slot =
    match in_slot slot with
    | [ (i, ({ held = Plain | Option; _ } as f)) ] -> put_field keys types i f
    | cases ->
        let case (i, (f : Layout.field)) =
          match f.held with Case c -> (i, c, f) | Plain | Option -> (i, 0, f)
        in
        put_oneof keys types slot (List.map case cases)
  in
  Array.of_list (List.map one slots)

(* Reading *)

let get_value types (k : Descriptor.kind) : I.t -> Obj.t =
  match k with
  | Int32 | Sint32 | Sfixed32 -> untyped_get I.int32
  | Uint32 | Fixed32 -> untyped_get I.uint32
  | Int64 | Sint64 | Sfixed64 -> untyped_get I.int64
  | Uint64 | Fixed64 -> untyped_get I.uint64
  | Bool -> untyped_get I.bool
  | Float -> untyped_get I.float
  | Double -> untyped_get I.double
  | String | Raw_string -> untyped_get I.string
  | Bytes -> untyped_get I.bytes
  | Message m | Delimited m -> (nested types m.full_name).get
  | Enum _ -> invalid_arg "Weir_protobuf.Unsafe.Json_table: enum"

let formed_get types (f : Layout.field) =
  let get = get_value types f.field.kind in
  match f.field.form with
  | Slice -> fun r -> Obj.repr (I.slice r (fun r -> Obj.obj (get r)))
  | Usual | Array -> get

let get_key (k : Descriptor.kind) : I.t -> string -> Obj.t =
  match k with
  | Int32 | Sint32 | Sfixed32 -> Obj.magic I.int32_key
  | Uint32 | Fixed32 -> Obj.magic I.uint32_key
  | Int64 | Sint64 | Sfixed64 -> Obj.magic I.int64_key
  | Uint64 | Fixed64 -> Obj.magic I.uint64_key
  | Bool -> Obj.magic I.bool_key
  | _ -> Obj.magic I.string_key

(* Unknown fields are the last of the record, and dropped if that is at -1. *)
let keep last m bytes =
  if last >= 0 && bytes <> "" then set_field m last ((field m last : string) ^ bytes)

let keeping last m f =
  let b = Buffer.create 16 in
  f b;
  keep last m (Buffer.contents b)

(* A closed enum's unknown number is an unknown field. *)
let add_number b (f : Descriptor.field) n =
  Wire_buffer.tag b f.number 0;
  Wire_buffer.varint b (Int64.of_int n)

let get_enum last (f : Descriptor.field) (d : Descriptor.enum) ~store : I.t -> Obj.t -> unit =
  let e = enum d in
  fun r m ->
    match I.enum_option r d Fun.id None with
    | None -> ()
    | Some n -> (
        match Hashtbl.find_opt e.by_number n with
        | Some v -> store m v
        | None ->
            if d.closed then keeping last m (fun b -> add_number b f n)
            else store m (unrecognized n))

let get_enums last (f : Layout.field) (d : Descriptor.enum) : I.t -> Obj.t -> unit =
  let e = enum d in
  if not d.closed then fun r m -> set_field m f.slot (I.enums r d (value_of e))
  else fun r m ->
    let numbers = I.enums r d Fun.id in
    keeping last m @@ fun b ->
    let value n =
      let v = Hashtbl.find_opt e.by_number n in
      if v = None then add_number b f.field n;
      v
    in
    set_field m f.slot (List.filter_map value numbers)

(* A map's key as it is encoded in an entry. *)
let key_bytes b (k : Descriptor.kind) key =
  Wire_buffer.tag b 1 (Descriptor.wire_type k);
  match k with
  | String | Raw_string -> Wire_buffer.block b (Obj.obj key)
  | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64 -> Wire_buffer.integer b k (Obj.obj key)
  | _ -> Wire_buffer.integer b k (Int64.of_int (Obj.obj key))

(* An entry of a closed enum's unknown number is an unknown field as a whole. *)
let add_entry b (f : Layout.field) (k : Descriptor.kind) (key, n) =
  let entry = Buffer.create 16 in
  key_bytes entry k key;
  Wire_buffer.tag entry 2 0;
  Wire_buffer.varint entry (Int64.of_int n);
  Wire_buffer.tag b f.field.number 2;
  Wire_buffer.block b (Buffer.contents entry)

let get_closed_map last (f : Layout.field) (k : Descriptor.field) d =
  let e = enum d and key = get_key k.kind in
  fun r m ->
    let entries = I.enum_entries r key d in
    let known, unknown = List.partition (fun (_, n) -> Hashtbl.mem e.by_number n) entries in
    keeping last m (fun b -> List.iter (add_entry b f k.kind) (List.rev unknown));
    set_field m f.slot (Decode.last_wins [] (List.map (fun (k, n) -> (k, value_of e n)) known))

let get_map last types (f : Layout.field) (k : Descriptor.field) (v : Descriptor.field) =
  let key = get_key k.kind in
  match v.kind with
  | Enum ({ closed = true; _ } as d) -> get_closed_map last f k d
  | Enum d ->
      let e = enum d in
      fun r m -> set_field m f.slot (I.enum_map r key d (value_of e))
  | kind ->
      let value = get_value types kind in
      fun r m -> set_field m f.slot (I.map r key value)

let get_field last types (f : Layout.field) : I.t -> Obj.t -> unit =
  let slot = f.slot in
  let store : Obj.t -> Obj.t -> unit =
    match f.held with
    | Plain -> fun m v -> Obj.set_field m slot v
    | Option -> fun m v -> set_field m slot (Some v)
    | Case case ->
        fun m v ->
          let b = Obj.new_block case 1 in
          Obj.set_field b 0 v;
          set_field m slot (Some b)
  in
  match (entry f.field, f.field.kind) with
  | Some (k, v), _ -> get_map last types f k v
  | None, Enum d when Descriptor.is_repeated f.field -> get_enums last f d
  | None, Enum d -> get_enum last f.field d ~store
  | None, kind ->
      let get = formed_get types f in
      if not (Descriptor.is_repeated f.field) then fun r m -> store m (get r)
      else if f.field.form = Array then
        let array = array_of_list kind in
        fun r m -> Obj.set_field m slot (array (I.numbers r get))
      else fun r m -> set_field m slot (I.list r get)

type table = {
  keys : K.t;
  putters : (J.t -> Obj.t -> unit) array;
  getters : (I.t -> Obj.t -> unit) array;
  small : bool;
  required : (int * string) list; (* index and name *)
  extensible : bool;
  last : int; (* where unknown fields are *)
}

let table types (m : Layout.message) default =
  let keys = K.make m.descriptor in
  (* A record without fields is unit. *)
  let size = if Obj.is_int default then 0 else Obj.size default in
  let last = if m.keeps then size - 1 else -1 in
  let members = if m.keeps then size - 1 else size in
  let required i (f : Layout.field) =
    if f.field.label = Required then Some (i, f.field.name) else None
  in
  {
    keys;
    putters = putters keys types m;
    getters = Array.of_list (List.map (get_field last types) m.fields);
    small = members <= K.bits && keys.count < 1 lsl K.index_bits;
    required = List.filter_map Fun.id (List.mapi required m.fields);
    extensible = m.descriptor.extensible <> [];
    last;
  }

let put t w m =
  let start = J.mark w in
  for i = 0 to Array.length t.putters - 1 do
    (Array.unsafe_get t.putters i) w m
  done;
  J.close w start

let get_small t r m ~note =
  let state = ref (I.first r t.keys) in
  while !state >= 0 do
    let i = I.index !state in
    t.getters.(i) r m;
    note i;
    state := I.next r t.keys !state
  done

let get_many t r m ~note =
  let seen = I.seen t.keys in
  let i = ref (I.first_of_many r t.keys seen) in
  while !i >= 0 do
    t.getters.(!i) r m;
    note !i;
    i := I.next_of_many r t.keys seen !i
  done

let get_members t r m =
  let read = if t.small then get_small else get_many in
  match t.required with
  | [] -> read t r m ~note:ignore
  | required ->
      let found = Bytes.make t.keys.count '\000' in
      read t r m ~note:(fun i -> Bytes.unsafe_set found i '\001');
      List.iter
        (fun (i, name) -> if Bytes.get found i = '\000' then Decode.missing 0 [ name ] 0)
        required

let get t r default =
  let m = if Obj.is_int default then default else Obj.dup default in
  if t.extensible then keep t.last m (I.with_extensions r (fun () -> get_members t r m))
  else get_members t r m;
  m

let special = function
  | "Any" | "Timestamp" | "Duration" | "FieldMask" | "Struct" | "Value" | "ListValue"
  | "DoubleValue" | "FloatValue" | "Int64Value" | "UInt64Value" | "Int32Value" | "UInt32Value"
  | "BoolValue" | "StringValue" | "BytesValue" ->
      true
  | _ -> false

let is_special (m : Descriptor.message) =
  let prefix = "google.protobuf." in
  String.starts_with ~prefix m.full_name
  && special (String.sub m.full_name 16 (String.length m.full_name - 16))

let set (m : Layout.message) types (way : 'a way) =
  Registry.set_way types m.descriptor.full_name (Json (Obj.magic way))

let make (m : Layout.message) types ~default ~encode ~decode =
  let d = m.descriptor in
  let by_descriptor = is_special d || d.message_set in
  let made = Atomic.make None in
  (* Two domains may both make it: they make the same. *)
  let table () =
    match Atomic.get made with
    | Some t -> t
    | None ->
        let t = table types m (Obj.repr default) in
        Atomic.set made (Some t);
        t
  in
  let unknown v : string = field (Obj.repr v) (Obj.size (Obj.repr v) - 1) in
  let has_unknown v = d.extensible <> [] && unknown v <> "" in
  let way =
    {
      put =
        (fun w v ->
          if by_descriptor || has_unknown v then J.by_descriptor w d (encode v)
          else put (table ()) w (Obj.repr v));
      get =
        (fun r ->
          if by_descriptor then decode (I.by_descriptor r d)
          else Obj.obj (get (table ()) r (Obj.repr default)));
    }
  in
  set m types way;
  way

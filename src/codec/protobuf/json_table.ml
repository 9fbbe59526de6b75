module I = Json_in
module J = Json_out
module K = Json_keys

type 'a way = { put : Json_out.t -> 'a -> unit; get : Json_in.t -> 'a }
type Registry.way += Json of Obj.t way

(* Values of types that only descriptors know. What is read at a type is what generated code
   declares for the field: the layout is written by the generator that writes the record. *)
let field m i : 'a = Obj.obj (Obj.field m i)
let set_field m i (v : 'a) = Obj.set_field m i (Obj.repr v)

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

type conversion = { to_list : Obj.t -> Obj.t list; of_list : Obj.t list -> Obj.t }

let conversion (to_list : 'a -> 'b list) (of_list : 'b list -> 'a) =
  { to_list = Obj.magic to_list; of_list = Obj.magic of_list }

let array (f : Descriptor.field) =
  let open Arrays in
  match f.kind with
  | Double when f.form = Slice -> conversion float64s_to_list float64s_of_list
  | Double -> conversion floats_to_list floats_of_list
  | Float -> conversion float32s_to_list float32s_of_list
  | Fixed32 -> conversion uint32s_to_list int32s_of_list
  | Sfixed32 -> conversion int32s_to_list int32s_of_list
  | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64 -> conversion int64s_to_list int64s_of_list
  | Bool -> conversion bools_to_list bools_of_list
  | _ -> conversion ints_to_list ints_of_list

(* Scalars: values, members of implicit presence, and those that are a map's keys *)

type scalar = {
  put : J.t -> Obj.t -> unit;
  member : J.t -> K.t -> int -> Obj.t -> unit;
  get : I.t -> Obj.t;
  put_key : J.t -> Obj.t -> unit;
  get_key : I.t -> string -> Obj.t;
}

let key (put : J.t -> 'a -> unit) (member : J.t -> K.t -> int -> 'a -> unit) (get : I.t -> 'a)
    (put_key : J.t -> 'a -> unit) (get_key : I.t -> string -> 'a) : scalar option =
  Some (Obj.magic (put, member, get, put_key, get_key))

let no_key (put : J.t -> 'a -> unit) (member : J.t -> K.t -> int -> 'a -> unit) (get : I.t -> 'a) =
  let none _ = invalid_arg "Weir_protobuf.Json_table: key" in
  key put member get none none

let scalar (k : Descriptor.kind) =
  match k with
  | Int32 | Sint32 | Sfixed32 -> key J.int32 J.int32_member I.int32 J.int32_key I.int32_key
  | Uint32 | Fixed32 -> key J.uint32 J.uint32_member I.uint32 J.uint32_key I.uint32_key
  | Int64 | Sint64 | Sfixed64 -> key J.int64 J.int64_member I.int64 J.int64_key I.int64_key
  | Uint64 | Fixed64 -> key J.uint64 J.uint64_member I.uint64 J.uint64_key I.uint64_key
  | Bool -> key J.bool J.bool_member I.bool J.bool_key I.bool_key
  | String | Raw_string -> key J.string J.string_member I.string J.string I.string_key
  | Float -> no_key J.float J.float_member I.float
  | Double -> no_key J.double J.double_member I.double
  | Bytes -> no_key J.bytes J.bytes_member I.bytes
  | Enum _ | Message _ | Delimited _ -> None

let key_of (k : Descriptor.kind) =
  match scalar k with Some s -> s | None -> invalid_arg "Weir_protobuf.Json_table: key"

(* Writing *)

let nested types name =
  match Registry.way types name with
  | Json way -> way
  | _ -> invalid_arg ("Weir_protobuf: JSON of " ^ name ^ " before its module has started")

let put_value types (k : Descriptor.kind) : J.t -> Obj.t -> unit =
  match (k, scalar k) with
  | _, Some s -> s.put
  | (Message m | Delimited m), None -> (nested types m.full_name).put
  | Enum e, None ->
      let e = enum e in
      fun w v -> J.enum w e.e (number e v)
  | _, None -> invalid_arg "Weir_protobuf.Json_table: kind"

let formed_put types (f : Layout.field) =
  let put = put_value types f.field.kind in
  match f.field.form with
  | Slice when Descriptor.is_array f.field -> put
  | Slice -> fun w (v : Obj.t) -> put w (Obj.repr (Slice.to_string (Obj.obj v)))
  | Usual | Array | Boxed _ -> put

let put_implicit keys i slot (k : Descriptor.kind) : J.t -> Obj.t -> unit =
  match (k, scalar k) with
  | _, Some { member; _ } -> fun w m -> member w keys i (Obj.field m slot)
  | Enum e, None ->
      let e = enum e in
      fun w m -> J.enum_member w keys i e.e (number e (Obj.field m slot))
  | _, None -> invalid_arg "Weir_protobuf.Unsafe.Json_table: implicit message"

let entry (f : Descriptor.field) =
  match f.kind with
  | Message { fields = [ k; v ]; map_entry = true; _ } when Descriptor.is_repeated f -> Some (k, v)
  | _ -> None

let put_field keys types i (f : Layout.field) : J.t -> Obj.t -> unit =
  let slot = f.slot and kind = f.field.kind in
  match (f.field.label, entry f.field, f.held) with
  | _, Some (k, v), _ ->
      let key = (key_of k.kind).put_key and value = put_value types v.kind in
      fun w m -> J.map_member w keys i key value (field m slot)
  | (Repeated | Packed), _, _ ->
      let put = formed_put types f in
      if Descriptor.is_array f.field then
        let list = (array f.field).to_list in
        fun w m -> J.list_member w keys i put (list (Obj.field m slot))
      else fun w m -> J.list_member w keys i put (field m slot)
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
  match (k, scalar k) with
  | _, Some s -> s.get
  | (Message m | Delimited m), None -> (nested types m.full_name).get
  | _, None -> invalid_arg "Weir_protobuf.Unsafe.Json_table: enum"

let formed_get types (f : Layout.field) =
  let get = get_value types f.field.kind in
  match f.field.form with
  | Slice when Descriptor.is_array f.field -> get
  | Slice -> fun r -> Obj.repr (I.slice r (fun r -> Obj.obj (get r)))
  | Usual | Array | Boxed _ -> get

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
  let e = enum d and key = (key_of k.kind).get_key in
  fun r m ->
    let entries = I.enum_entries r key d in
    let known, unknown = List.partition (fun (_, n) -> Hashtbl.mem e.by_number n) entries in
    keeping last m (fun b -> List.iter (add_entry b f k.kind) (List.rev unknown));
    set_field m f.slot (Decode.last_wins [] (List.map (fun (k, n) -> (k, value_of e n)) known))

let get_map last types (f : Layout.field) (k : Descriptor.field) (v : Descriptor.field) =
  let key = (key_of k.kind).get_key in
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
  | None, _ ->
      let get = formed_get types f in
      if not (Descriptor.is_repeated f.field) then fun r m -> store m (get r)
      else if Descriptor.is_array f.field then
        let array = (array f.field).of_list in
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

(* A record whose JSON is that of the field that [pick] says. *)
let get_one t pick r default =
  let m = Obj.dup default in
  I.enter r (Obj.size m + 6);
  t.getters.(pick r) r m;
  I.leave r;
  m

let set (m : Layout.message) types (way : 'a way) =
  Registry.set_way types m.descriptor.full_name (Json (Obj.magic way))

let make (m : Layout.message) types ~default ~encode ~decode =
  let d = m.descriptor in
  let special = Json_parse.is_special d.full_name || d.message_set in
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
  let by_one pick r = Obj.obj (get_one (table ()) pick r (Obj.repr default)) in
  let way =
    {
      put =
        (fun w v ->
          if special || has_unknown v then J.by_descriptor w d (encode v)
          else put (table ()) w (Obj.repr v));
      get =
        (if d.full_name = "google.protobuf.Value" then by_one I.value_field
         else if Json_parse.is_only_field d.full_name then by_one (fun _ -> 0)
         else if special then fun r -> decode (I.by_descriptor r d)
         else fun r -> Obj.obj (get (table ()) r (Obj.repr default)));
    }
  in
  set m types way;
  way

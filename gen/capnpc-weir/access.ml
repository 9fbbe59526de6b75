open Model
open Types
open Printf

let width = function
  | Bool -> 1
  | Int8 | Uint8 -> 8
  | Int16 | Uint16 | Enum _ -> 16
  | Int32 | Uint32 | Float32 -> 32
  | Int64 | Uint64 | Float64 -> 64
  | _ -> 0

(* Bits for booleans, bytes for the rest of the data, the index for pointers. *)
let place ty offset =
  match ty with Bool -> offset | _ when width ty > 0 -> offset * width ty / 8 | _ -> offset

let bits ty = function
  | Number n when width ty < 64 -> Int64.logand n (Int64.pred (Int64.shift_left 1L (width ty)))
  | Number n -> n
  | _ -> 0L

let is_pointer = function Text | Data | List _ | Struct _ | Interface _ | Any -> true | _ -> false

(* A default that a null pointer stands for. *)
let pointed f =
  match f.kind with
  | Slot { default = Bytes s; _ } when s <> "" -> true
  | Slot { default = Pointed d; _ } when d <> Weir_capnp.Any.none -> true
  | _ -> false

let want : ty -> string = function
  | Void -> "Capnp.Kind.void"
  | Bool -> "Capnp.Kind.bit"
  | Int8 | Uint8 -> "Capnp.Kind.byte"
  | Int16 | Uint16 | Enum _ -> "Capnp.Kind.two_bytes"
  | Int32 | Uint32 | Float32 -> "Capnp.Kind.four_bytes"
  | Int64 | Uint64 | Float64 -> "Capnp.Kind.eight_bytes"
  | Struct _ -> "Capnp.Kind.struct_"
  | Text | Data | List _ | Interface _ | Any -> "Capnp.Kind.pointer"

let scalar ?(placed = false) env ty offset default =
  let at = place ty offset and d = bits ty default in
  let get name =
    if placed then sprintf "Capnp.Reader.Unsafe.%s_at m r d %d" name at
    else sprintf "Capnp.Reader.%s m r %d" name at
  in
  let signed name =
    if d = 0L then get name
    else
      let sign = "sign" ^ String.sub name 3 (String.length name - 3) in
      sprintf "Capnp.Reader.%s (%s lxor 0x%Lx)" sign (get ("u" ^ name)) d
  in
  let unsigned name = if d = 0L then get name else sprintf "%s lxor 0x%Lx" (get name) d in
  let xored name = if d = 0L then get name else sprintf "%s 0x%LxL" (get (name ^ "_xor")) d in
  match ty with
  | Void -> "()"
  | Bool -> if d = 0L then get "bool" else sprintf "not (%s)" (get "bool")
  | Int8 -> signed "int8"
  | Int16 -> signed "int16"
  | Int32 -> signed "int32"
  | Uint8 -> unsigned "uint8"
  | Uint16 -> unsigned "uint16"
  | Uint32 -> unsigned "uint32"
  | Int64 | Uint64 -> xored "int64"
  | Float64 -> xored "float64"
  | Float32 -> if d = 0L then get "float32" else sprintf "%s 0x%Lx" (get "float32_xor") d
  | Enum id -> sprintf "%s (%s)" (of_int env id) (unsigned "uint16")
  | Text | Data | List _ | Struct _ | Interface _ | Any -> assert false

(* A function from a message and a list to an OCaml list. *)
let rec lists env : ty -> string = function
  | Void -> "Capnp.Items.voids"
  | Bool -> "Capnp.Items.bits"
  | Int16 -> "Capnp.Items.int16s"
  | Int32 -> "Capnp.Items.int32s"
  | Int8 | Uint8 -> "Capnp.Items.octets"
  | Uint16 -> "Capnp.Items.uint16s"
  | Uint32 -> "Capnp.Items.uint32s"
  | Int64 | Uint64 -> "Capnp.Items.int64s"
  | Float32 -> "Capnp.Items.float32s"
  | Float64 -> "Capnp.Items.float64s"
  | Text -> "Capnp.Items.texts"
  | Data -> "Capnp.Items.datas"
  | Enum id -> sprintf "Capnp.Items.enums %s ~known:%d" (of_int env id) (enumerants env id)
  | Struct id when has_list env id -> list_function env "list_" id
  | Struct id -> "Capnp.Items.structs " ^ reader env id
  | List t ->
      let inner = lists env t in
      sprintf
        (if String.contains inner ' ' then "Capnp.Items.lists (%s)" else "Capnp.Items.lists %s")
        inner
  | Interface _ -> "Capnp.Items.capabilities"
  | Any -> "Capnp.Any.details"

let sizes env id =
  let l = layout env id in
  (l.data, l.pointers)

(* The name of the message that holds a default; the messages are printed first. *)
let default_message env d =
  let rec find n = function
    | [] -> None
    | x :: rest -> if x = d then Some n else find (n - 1) rest
  in
  let n =
    match find (List.length !(env.defaults)) !(env.defaults) with
    | Some n -> n
    | None ->
        env.defaults := d :: !(env.defaults);
        List.length !(env.defaults)
  in
  sprintf "default_%d" n

(* Reads a whole value into OCaml, from the root of a message of a default or constant. *)
let from_root env ty msg =
  match ty with
  | Struct id -> sprintf "%s %s (Capnp.Reader.root %s)" (reader env id) msg msg
  | List t ->
      sprintf "%s %s (Capnp.Any.list %s (Capnp.Any.root %s) %s)" (lists env t) msg msg msg (want t)
  | _ -> sprintf "Capnp.Any.detach %s (Capnp.Any.root %s)" msg msg

(* How many words a record of [fields] and [more] takes when it is read, but for what is counted
   where it is read: strings, lists, groups, structs. *)
let memory ?(more = 0) fields =
  let boxed f =
    match f.kind with
    | Slot { ty = Int64 | Uint64; _ } -> 3
    | Slot { ty = Float32 | Float64 | Enum _ | Interface _; _ } -> 2
    | Slot _ | Group _ -> 0
  in
  List.fold_left (fun n f -> n + 1 + boxed f) (1 + more) fields

(* Whether a default of struct [id] has room for another of the field [f]. *)
let holds_itself env id f =
  let seen = Hashtbl.create 8 in
  let rec from id =
    (not (Hashtbl.mem seen id))
    &&
    (Hashtbl.add seen id ();
     let l = layout env id in
     List.memq f l.fields || List.exists through l.fields)
  and through f = match f.kind with Group id -> from id | Slot { ty; _ } -> inside ty
  and inside = function Struct id -> from id | List t -> inside t | _ -> false in
  from id

let record_read ?(texts_placed = false) ?(data_placed = false) env f =
  match f.kind with
  | Group id -> sprintf "%s m (Capnp.Reader.cast r)" (reader env id)
  | Slot { offset = i; ty; default; _ } -> (
      let or_default read =
        match default with
        | Bytes s when s <> "" -> sprintf "if Capnp.Reader.has m r %d then %s else %S" i read s
        | Pointed d when d <> Weir_capnp.Any.none ->
            let msg = default_message env d in
            let value =
              sprintf "Capnp.Reader.default m %s (fun m -> %s)" msg (from_root env ty "m")
            in
            let value =
              match ty with
              | Struct id when holds_itself env id f ->
                  env.endless := true;
                  sprintf "if is_default m then Option.none else Option.some (%s)" value
              | Struct _ -> sprintf "Option.some (%s)" value
              | _ -> value
            in
            sprintf "if Capnp.Reader.has m r %d then %s else %s" i read value
        | _ -> read
      in
      match ty with
      | Text ->
          or_default
            (sprintf "Capnp.Reader.%s %d"
               (if texts_placed then "Unsafe.string_at m r p" else "string m r")
               i)
      | Data -> or_default (sprintf "Capnp.Reader.data_string m r %d" i)
      | Struct id -> or_default (sprintf "Capnp.Reader.optional m r %d %s" i (reader env id))
      | List t -> or_default (sprintf "%s m (Capnp.Reader.list m r %d %s)" (lists env t) i (want t))
      | Interface _ -> sprintf "Capnp.Reader.capability m r %d" i
      | Any -> or_default (sprintf "Capnp.Any.detach m (Capnp.Any.field m r %d)" i)
      | _ -> scalar ~placed:data_placed env ty i default)

let set_scalar env ty offset default v =
  let at = place ty offset and d = bits ty default in
  let set name v = sprintf "Capnp.Builder.set_%s b h %d %s" name at v in
  let mixed = if d = 0L then v else sprintf "(%s lxor 0x%Lx)" v d in
  let xored name =
    if d = 0L then set name v else sprintf "Capnp.Builder.set_%s_xor b h %d 0x%LxL %s" name at d v
  in
  match ty with
  | Void -> "()"
  | Bool -> set "bool" (if d = 0L then v else sprintf "(not %s)" v)
  | Int8 | Uint8 -> set "uint8" mixed
  | Int16 | Uint16 -> set "uint16" mixed
  | Int32 | Uint32 -> set "uint32" mixed
  | Int64 | Uint64 -> xored "int64"
  | Float64 -> xored "float64"
  | Float32 ->
      if d = 0L then set "float32" v
      else sprintf "Capnp.Builder.set_float32_xor b h %d 0x%Lx %s" at d v
  | Enum id ->
      let n = sprintf "(%s %s)" (to_int env id) v in
      set "uint16" (if d = 0L then n else sprintf "(%s lxor 0x%Lx)" n d)
  | _ -> assert false

let rec clear env id =
  let l = Types.layout env id in
  let field f =
    match f.kind with
    | Group id -> clear env id
    | Slot { ty = Void; _ } -> []
    | Slot { ty; offset; _ } when is_pointer ty ->
        [ sprintf "Capnp.Builder.set_null b h %d" offset ]
    | Slot { ty = Bool; offset; _ } -> [ sprintf "Capnp.Builder.set_bool b h %d false" offset ]
    | Slot { ty; offset; _ } ->
        let at = place ty offset in
        [
          (if width ty = 64 then sprintf "Capnp.Builder.set_int64 b h %d 0L" at
           else sprintf "Capnp.Builder.set_uint%d b h %d 0" (width ty) at);
        ]
  in
  let tag =
    if Types.members l = [] then []
    else [ sprintf "Capnp.Builder.set_uint16 b h %d 0" (2 * l.tag_offset) ]
  in
  tag @ List.concat_map field l.fields

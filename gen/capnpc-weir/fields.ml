open Model
open Types
open Access
open Printf

let byte n = if n = 0 then "at" else sprintf "(at + %d)" n

(* {1 Sizes} *)

let sizes env id =
  let d, p = Access.sizes env id in
  (8 * (d + p), p)

let atom e = if String.contains e ' ' then "(" ^ e ^ ")" else e

let rec list_size env : ty -> string = function
  | Void -> "Capnp.Size.voids"
  | Bool -> "Capnp.Size.bits"
  | Int8 | Uint8 -> "Capnp.Size.octets"
  | (Int16 | Uint16 | Int32 | Uint32 | Int64 | Uint64 | Float32 | Float64 | Enum _) as ty ->
      sprintf "Capnp.Size.items %d" (width ty / 8)
  | Text -> "Capnp.Size.pointers Capnp.Size.text"
  | Data -> "Capnp.Size.pointers Capnp.Size.data"
  | Struct id -> (
      match sizes env id with
      | own, 0 -> sprintf "Capnp.Size.flat_structs %d" own
      | _ when has_list env id -> list_function env "room_" id
      | own, _ -> sprintf "Capnp.Size.structs %s %d" (sizer env id) own)
  | List t -> sprintf "Capnp.Size.pointers %s" (atom (list_size env t))
  | Interface _ -> "Capnp.Size.items 8"
  | Any -> "Capnp.Size.pointers Capnp.Any.size"

(* A value that is there though it is empty, since null stands for a default, takes [room] too. *)
let or_empty f v ~pattern ~empty ~usual =
  if not (pointed f) then usual v
  else sprintf "(match %s with %s -> %s | x -> %s)" v pattern empty (usual "x")

let no_items : ty -> string = function
  | Void -> "0"
  | Bool -> "x when Capnp.Bits.length x = 0"
  | Int8 | Uint8 -> {|""|}
  | _ -> "[]"

let size env f v =
  match f.kind with
  | Group id -> Some (sprintf "%s %s" (sizer env id) v)
  | Slot { ty; _ } -> (
      match ty with
      | Text ->
          let usual = sprintf "Capnp.Size.text %s" in
          Some (or_empty f v ~pattern:{|""|} ~empty:"8" ~usual)
      | Data -> Some (sprintf "Capnp.Size.data %s" v)
      | Struct id ->
          Some (sprintf "Capnp.Size.optional %s %d %s" (sizer env id) (fst (sizes env id)) v)
      | List t ->
          let usual = sprintf "%s %s" (list_size env t) in
          let empty = match t with Struct _ -> "8" | _ -> "0" in
          Some (or_empty f v ~pattern:(no_items t) ~empty ~usual)
      | Any -> Some (sprintf "Capnp.Any.size %s" v)
      | _ -> None)

(* {1 Statements} *)

type statement = Unit of string | Next of string

let sequence indent l =
  let rec go = function
    | [] -> [ "next" ]
    | [ Next e ] -> [ e ]
    | Next e :: rest -> sprintf "let next = %s in" e :: go rest
    | Unit e :: rest -> (e ^ ";") :: go rest
  in
  String.concat ("\n" ^ indent) (go l)

let scalar env ty offset default v =
  let d = bits ty default in
  let put name v = Unit (sprintf "Capnp.Unsafe.Put.%s buf %s %s" name (byte (place ty offset)) v) in
  let mixed name v = put name (if d = 0L then v else sprintf "(%s lxor 0x%Lx)" v d) in
  let xored name suffix =
    if d = 0L then put name v else put (name ^ "_xor") (sprintf "0x%Lx%s %s" d suffix v)
  in
  match ty with
  | Bool ->
      let v = if d = 0L then v else sprintf "(not %s)" v in
      Unit (sprintf "Capnp.Unsafe.Put.bool buf %s %d %s" (byte (offset / 8)) (offset mod 8) v)
  | Int8 | Uint8 -> mixed "uint8" v
  | Int16 | Uint16 -> mixed "uint16" v
  | Int32 | Uint32 -> mixed "uint32" v
  | Int64 | Uint64 -> xored "int64" "L"
  | Float32 -> xored "float32" ""
  | Float64 -> xored "float64" "L"
  | Enum id -> mixed "uint16" (sprintf "(%s %s)" (to_int env id) v)
  | _ -> Unit "()"

(* A function from the bytes, a pointer's place, a list and the room to the room left. *)
let rec list_writer env : ty -> string = function
  | Void -> "Capnp.Unsafe.Put.voids"
  | Bool -> "Capnp.Unsafe.Put.bits"
  | Int8 | Uint8 -> "Capnp.Unsafe.Put.octets"
  | Int16 | Uint16 -> "Capnp.Unsafe.Put.int16s"
  | Int32 | Uint32 -> "Capnp.Unsafe.Put.int32s"
  | Int64 | Uint64 -> "Capnp.Unsafe.Put.int64s"
  | Float32 -> "Capnp.Unsafe.Put.float32s"
  | Float64 -> "Capnp.Unsafe.Put.float64s"
  | Text -> "Capnp.Unsafe.Put.pointers Capnp.Unsafe.Put.text"
  | Data -> "Capnp.Unsafe.Put.pointers Capnp.Unsafe.Put.data"
  | Enum id -> "Capnp.Unsafe.Put.enums " ^ to_int env id
  | Struct id when has_list env id -> list_function env "put_" id
  | Struct id ->
      let d, p = Access.sizes env id in
      sprintf "Capnp.Unsafe.Put.structs %s %d %d" (writer env id) d p
  | List t -> sprintf "Capnp.Unsafe.Put.pointers %s" (atom (list_writer env t))
  | Interface _ -> "Capnp.Unsafe.Put.capabilities"
  | Any -> "Capnp.Unsafe.Put.pointers Capnp.Any.write"

let write env (l : layout) f v =
  match f.kind with
  | Group id -> Next (sprintf "%s buf at %s next" (writer env id) v)
  | Slot { offset; ty; default; _ } -> (
      let at = byte (8 * (l.data + offset)) in
      let put = sprintf "%s buf %s %s next" in
      match ty with
      | Text ->
          let empty = sprintf "Capnp.Unsafe.Put.empty_text buf %s next" at in
          Next (or_empty f v ~pattern:{|""|} ~empty ~usual:(put "Capnp.Unsafe.Put.text" at))
      | Data ->
          let empty = sprintf "Capnp.Unsafe.Put.empty_items Capnp.Kind.byte buf %s next" at in
          Next (or_empty f v ~pattern:{|""|} ~empty ~usual:(put "Capnp.Unsafe.Put.data" at))
      | Struct id ->
          let d, p = Access.sizes env id in
          let writer = sprintf "Capnp.Unsafe.Put.optional %s %d %d" (writer env id) d p in
          Next (put writer at v)
      | List t ->
          let empty =
            match t with
            | Struct id ->
                let d, p = Access.sizes env id in
                sprintf "Capnp.Unsafe.Put.empty_structs %d %d buf %s next" d p at
            | _ -> sprintf "Capnp.Unsafe.Put.empty_items %s buf %s next" (want t) at
          in
          Next (or_empty f v ~pattern:(no_items t) ~empty ~usual:(put (list_writer env t) at))
      | Interface _ -> Unit (sprintf "Capnp.Unsafe.Put.capability buf %s %s" at v)
      | Any -> Next (put "Capnp.Any.write" at v)
      | _ -> scalar env ty offset default v)

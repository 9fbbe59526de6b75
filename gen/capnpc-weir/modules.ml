open Model
open Types
open Printf
open Weir_naming.Files

(* [item o ind name ty def] is one value in both files. *)
let item o ind name ty def =
  ml o "%slet %s = %s\n" ind name def;
  mli o "%sval %s : %s\n" ind name ty

let func o ind name args ty def =
  let space = if String.starts_with ~prefix:"\n" def then "" else " " in
  ml o "%slet %s %s =%s%s\n" ind name args space def;
  mli o "%sval %s : %s\n" ind name ty

let message = "Capnp.Message.t"

let reader_type env f =
  match f.kind with
  | Group id -> sprintf "%s Capnp.Reader.t" (type_name env id)
  | Slot { ty; _ } -> (
      match ty with
      | Struct id -> sprintf "%s Capnp.Reader.t" (type_name env id)
      | List t -> sprintf "%s Capnp.Items.t" (phantom env t)
      | Text | Data -> "Capnp.Blob.t"
      | Any -> "Capnp.Any.t"
      | ty -> element env ty)

let reader_field env o ind self taken (f, name) =
  let value get = func o ind name "m r" (sprintf "%s -> %s -> %s" message self get) in
  match f.kind with
  | Group _ ->
      func o ind name "_ r"
        (sprintf "%s -> %s -> %s" message self (reader_type env f))
        "Capnp.Reader.cast r"
  | Slot { offset; ty; default; _ } when not (Access.is_pointer ty) ->
      let def = Access.scalar env ty offset default in
      if ty = Void then func o ind name "_ _" (sprintf "%s -> %s -> unit" message self) def
      else (
        ml o "%slet[@inline] %s m r = %s\n" ind name def;
        mli o "%sval %s : %s -> %s -> %s\n" ind name message self (element env ty))
  | Slot { offset = i; ty; default; _ } ->
      let has = Names.free taken ("has_" ^ name) in
      func o ind has "m r"
        (sprintf "%s -> %s -> bool" message self)
        (sprintf "Capnp.Reader.has m r %d" i);
      let get =
        match ty with
        | Struct _ -> sprintf "Capnp.Reader.struct_ m r %d" i
        | List t -> sprintf "Capnp.Reader.list m r %d %s" i (Access.want t)
        | Text -> sprintf "Capnp.Reader.text m r %d" i
        | Data -> sprintf "Capnp.Reader.data m r %d" i
        | Interface _ -> sprintf "Capnp.Reader.capability m r %d" i
        | _ -> sprintf "Capnp.Any.field m r %d" i
      in
      if not (Access.pointed f) then (
        ml o "%slet[@inline] %s m r = %s\n" ind name get;
        mli o "%sval %s : %s -> %s -> %s\n" ind name message self (reader_type env f))
      else
        let d =
          match default with
          | Pointed d -> d
          | Bytes s ->
              let b = Weir_capnp.Builder.create () in
              (if ty = Text then Weir_capnp.Builder.new_text else Weir_capnp.Builder.new_data)
                b Weir_capnp.Builder.first s;
              Weir_capnp.Any.of_builder b
          | _ -> ""
        in
        let d = Access.default_message env d in
        let other =
          match ty with
          | Struct _ -> sprintf "Capnp.Reader.root %s" d
          | List t -> sprintf "Capnp.Any.list %s (Capnp.Any.root %s) %s" d d (Access.want t)
          | Text -> sprintf "Capnp.Any.text %s (Capnp.Any.root %s)" d d
          | Data -> sprintf "Capnp.Any.data %s (Capnp.Any.root %s)" d d
          | _ -> sprintf "Capnp.Any.root %s" d
        in
        value
          (sprintf "%s * %s" message (reader_type env f))
          (sprintf "if Capnp.Reader.has m r %d then (m, %s) else (%s, %s)" i get d other)

let which_of env o ind self l =
  let cons = constructors (members l) in
  let arms f = String.concat "" (List.map f cons) in
  both o "%stype which =\n%s%s  | Unrecognized of int\n\n" ind
    (arms (fun (_, c) -> sprintf "%s  | %s\n" ind c))
    ind;
  ignore env;
  ml o
    "%slet which m r : which =\n\
     %s  match Capnp.Reader.uint16 m r %d with\n\
     %s%s  | n -> Unrecognized n\n\n"
    ind ind (2 * l.tag_offset)
    (arms (fun (f, c) -> sprintf "%s  | %d -> %s\n" ind (Option.get f.tag) c))
    ind;
  mli o "%sval which : %s -> %s -> which\n" ind message self

(* What the accessors and constants stand before, and call. *)
let library = [ "ignore"; "is_default"; "not" ]

let reader_module env o ind flat l =
  both o "\n%s(** Reading in place. *)\n" ind;
  ml o "%smodule R = struct\n" ind;
  mli o "%smodule R : sig\n" ind;
  let inner = ind ^ "  " and self = "t" in
  both o "%stype t = %s Capnp.Reader.t\n\n" inner flat;
  if members l <> [] then which_of env o inner self l;
  let named = labelled ~taken:("which" :: library) l.fields in
  List.iter (reader_field env o inner self (List.map snd named)) named;
  both o "%send\n" ind

let builder_field env o ind self at taken (f, name) =
  let tag =
    match f.tag with None -> "" | Some n -> sprintf "Capnp.Builder.set_uint16 b h %d %d; " at n
  in
  let set = Names.free taken ("set_" ^ name) and init = Names.free taken ("init_" ^ name) in
  let b = "Capnp.Builder.t" in
  let setter ty def =
    func o ind set "b h v" (sprintf "%s -> %s -> %s -> unit" b self ty) (tag ^ def)
  in
  match f.kind with
  | Group id ->
      let name = if f.tag = None then name else init in
      func o ind name "b h"
        (sprintf "%s -> %s -> %s Capnp.Builder.struct_" b self (type_name env id))
        (if f.tag = None then "ignore b; Capnp.Builder.cast h"
         else
           (* The group's place may hold what another member left there. *)
           tag ^ String.concat "; " (Access.clear env id @ [ "Capnp.Builder.cast h" ]))
  | Slot { ty = Void; _ } ->
      if f.tag <> None then func o ind set "b h" (sprintf "%s -> %s -> unit" b self) (tag ^ "()")
  | Slot { offset = i; ty; default; _ } -> (
      match ty with
      | Text -> setter "string" (sprintf "Capnp.Builder.set_text b h %d v" i)
      | Data -> setter "string" (sprintf "Capnp.Builder.set_data b h %d v" i)
      | Interface _ -> setter "int" (sprintf "Capnp.Builder.set_capability b h %d v" i)
      | Any -> setter "Capnp.Any.detached" (sprintf "Capnp.Any.set b h %d v" i)
      | Struct id ->
          let d, p = Access.sizes env id in
          let t = type_name env id in
          func o ind init "b h"
            (sprintf "%s -> %s -> %s Capnp.Builder.struct_" b self t)
            (sprintf "%sCapnp.Builder.init_struct b h %d %d %d" tag i d p);
          func o ind
            (Names.free taken ("get_" ^ name))
            "b h"
            (sprintf "%s -> %s -> %s Capnp.Builder.struct_ option" b self t)
            (sprintf "Capnp.Any.get_struct b h %d ~data:%d ~pointers:%d" i d p);
          func o ind
            (Names.free taken ("copy_" ^ name))
            "b h m r"
            (sprintf "%s -> %s -> %s -> %s Capnp.Reader.t -> unit" b self message t)
            (sprintf "%sCapnp.Any.copy_struct m r b h %d ~data:%d ~pointers:%d" tag i d p)
      | List t ->
          let ty = sprintf "%s -> %s -> int -> %s Capnp.Builder.items" b self (phantom env t) in
          func o ind init "b h n" ty
            (match t with
            | Struct id ->
                let d, p = Access.sizes env id in
                sprintf "%sCapnp.Builder.init_struct_list b h %d n %d %d" tag i d p
            | t -> sprintf "%sCapnp.Builder.init_list b h %d %s n" tag i (Access.want t));
          func o ind
            (Names.free taken ("get_" ^ name))
            "b h"
            (sprintf "%s -> %s -> %s Capnp.Builder.items option" b self (phantom env t))
            (sprintf "Capnp.Builder.get_items b h %d %s" i (Access.want t))
      | ty -> setter (element env ty) (Access.set_scalar env ty i default "v"))

let builder_module env o ind flat l =
  both o "\n%s(** Building in place. *)\n" ind;
  ml o "%smodule B = struct\n" ind;
  mli o "%smodule B : sig\n" ind;
  both o "%s  type t = %s Capnp.Builder.struct_\n\n" ind flat;
  let self = "t" in
  let named = labelled ~taken:library l.fields in
  List.iter (builder_field env o (ind ^ "  ") self (2 * l.tag_offset) (List.map snd named)) named;
  both o "%send\n" ind

let helpers o ind flat l ~group =
  let record name =
    sprintf "Capnp.Unsafe.Record.%s %d %d size_%s write_%s" name l.data l.pointers flat flat
  in
  let start name = sprintf "Capnp.Unsafe.Record.%s %d %d (size_%s v)" name l.data l.pointers flat in
  let written buf = sprintf "(write_%s %s 16 v %d)" flat buf (8 * (2 + l.data + l.pointers)) in
  if not group then (
    func o ind "decode" "s" "string -> (t, Capnp.Message.error) result"
      (sprintf "Capnp.Reader.decode read_%s s" flat);
    func o ind "encode" "v" "t -> string"
      (sprintf "\n%s  let buf = %s in\n%s  Capnp.Unsafe.Record.finish buf %s" ind (start "start")
         ind (written "buf"));
    func o ind "write" "b v" "Capnp.Builder.t -> t -> unit"
      (sprintf
         "\n\
          %s  let buf = %s in\n\
          %s  if Bytes.length buf > 0 then\n\
          %s    Capnp.Unsafe.Record.built b buf %d %d %s\n\
          %s  else %s b v"
         ind (start "restart b") ind ind l.data l.pointers (written "buf") ind (record "write")));
  item o ind "default" "t" (sprintf "read_%s Capnp.Reader.nothing Capnp.Reader.null" flat);
  if not group then (
    func o ind "root" "m : t Capnp.Reader.t"
      (sprintf "%s -> t Capnp.Reader.t" message)
      "Capnp.Reader.root m";
    func o ind "init" "b : t Capnp.Builder.struct_" "Capnp.Builder.t -> t Capnp.Builder.struct_"
      (sprintf "Capnp.Builder.init_root b %d %d" l.data l.pointers));
  item o ind "of_reader" (sprintf "%s -> t Capnp.Reader.t -> t" message) ("read_" ^ flat);
  func o ind "to_builder" "b h v" "Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit"
    (record "fill" ^ " b h v");
  mli o "\n%s(**/**)\n\n" ind;
  item o ind "size" "t -> int" ("size_" ^ flat);
  item o ind "unsafe_put" "Bytes.t -> int -> t -> int -> int" ("write_" ^ flat);
  mli o "\n%s(**/**)\n" ind

let helper_names =
  [
    "of_reader";
    "to_builder";
    "root";
    "init";
    "decode";
    "encode";
    "write";
    "default";
    "size";
    "unsafe_put";
  ]

(* Not as the file's own functions, which a constant may not hide from what follows. *)
let rec not_own env name =
  let is_own =
    Scanf.sscanf_opt name "default_%d%!" Fun.id <> None
    || Hashtbl.fold
         (fun _ (h : Names.home) found ->
           found
           || List.mem name
                (List.map (fun f -> f ^ h.flat) [ "read_"; "size_"; "write_" ]
                @ List.map (fun f -> h.flat ^ f) [ "_of_int"; "_to_int" ]))
         env.homes false
  in
  if is_own then not_own env (name ^ "_") else name

let constant env o ind (tree : Names.tree) ty v =
  let name = not_own env (Names.value ~taken:(helper_names @ library) tree.node.short) in
  both o "\n";
  mli o "%s" (doc ind tree.node.comment);
  let def =
    match (ty, v) with
    | (Text | Data), Bytes s -> sprintf "%S" s
    | (Text | Data), _ -> {|""|}
    | Void, _ -> "()"
    | Interface _, _ -> "Option.none"
    | Bool, Number n -> string_of_bool (n <> 0L)
    | (Int64 | Uint64), Number n -> sprintf "%LdL" n
    | Float64, Number n -> sprintf "Capnp.Reader.float_of_bits 0x%LxL" n
    | Float32, Number n -> sprintf "Capnp.Reader.float32_of_bits 0x%Lx" n
    | Enum id, Number n -> sprintf "%s %Ld" (of_int env id) n
    | _, Number n -> sprintf "(%Ld)" n
    | _, Pointed d -> Access.from_root env ty (Access.default_message env d)
    | _ -> Access.from_root env ty (Access.default_message env "")
  in
  let flat_type = match ty with Interface _ -> "int option" | _ -> element env ty in
  item o ind name flat_type def

let rec modul env o ind (tree : Names.tree) =
  let inner = ind ^ "  " and flat = tree.here.flat in
  let opening () =
    both o "\n";
    mli o "%s" (doc ind tree.node.comment);
    ml o "%smodule %s = struct\n" ind tree.modul;
    mli o "%smodule %s : sig\n" ind tree.modul
  in
  let closing () =
    List.iter (modul env o inner) tree.kids;
    both o "%send\n" ind
  in
  match tree.node.body with
  | Const (ty, v) -> constant env o ind tree ty v
  | Struct_node l ->
      opening ();
      let which = if members l <> [] && not (only_union l) then Some (flat ^ "_which") else None in
      Option.iter
        (fun w ->
          ml o "%stype which = %s =\n%s\n" inner w (variant env (inner ^ "  ") (no_docs l));
          mli o "%stype which = %s =\n%s\n" inner w (variant env (inner ^ "  ") l))
        which;
      let body l = struct_body env (inner ^ "  ") ~which:"which" l in
      if is_unit l then both o "%stype t = %s\n\n" inner flat
      else (
        ml o "%stype t = %s = %s\n" inner flat (body (no_docs l));
        mli o "%stype t = %s = %s\n" inner flat (body l));
      let group = Hashtbl.mem env.groups tree.node.id in
      helpers o inner flat l ~group;
      reader_module env o inner flat l;
      builder_module env o inner flat l;
      closing ()
  | Enum_node names ->
      opening ();
      both o "%stype t = %s =\n%s\n" inner flat (enum_body (inner ^ "  ") names);
      item o inner "of_int" "int -> t" (flat ^ "_of_int");
      item o inner "to_int" "t -> int" (flat ^ "_to_int");
      func o inner "item" "m (l : t Capnp.Items.t) i"
        (sprintf "%s -> t Capnp.Items.t -> int -> t" message)
        "of_int (Capnp.Items.uint16 m l i)";
      func o inner "put" "b (l : t Capnp.Builder.items) i v"
        "Capnp.Builder.t -> t Capnp.Builder.items -> int -> t -> unit"
        "Capnp.Builder.put_uint16 b l i (to_int v)";
      closing ()
  | Interface_node methods ->
      opening ();
      both o "%s(* An interface: its calls are not supported, its capabilities are indexes. *)\n"
        inner;
      item o inner "interface_id" "int64" (sprintf "0x%LxL" tree.node.id);
      item o inner "methods" "string list"
        (sprintf "[ %s ]"
           (String.concat "; " (List.map (fun m -> sprintf "%S" m.method_name) methods)));
      closing ()
  | File | Annotation_node -> ()

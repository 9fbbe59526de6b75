open Idl

type t = {
  base : string;  (** the file's name without folder and extension: what others' names begin with *)
  idl : Idl.t;
  includes : t list;
  own_options : bool;  (** whether a member of an enum or union is called [None] or [Some] *)
  names : Names.t;
}

exception Failed of string

let failed fmt = Printf.ksprintf (fun s -> raise (Failed s)) fmt
let base path = Filename.remove_extension (Filename.basename path)
let read path = In_channel.with_open_bin path In_channel.input_all

let named_as_options (idl : Idl.t) =
  let clash n = List.mem (Weir_naming.capital n) [ "None"; "Some" ] in
  List.exists
    (fun d ->
      match d.body with
      | Enum l -> List.exists (fun (n, _, _) -> clash n) l
      | Fields (Union, l) -> List.exists (fun (f : field) -> clash f.name) l
      | _ -> false)
    idl.definitions

(* What names a file is its base: of two files only one can be meant. *)
let check_includes path includes =
  let rec go = function
    | [] -> ()
    | t :: rest ->
        if List.exists (fun u -> u.base = t.base && u.idl <> t.idl) rest then
          failed "%s includes two files called %s.thrift" path t.base;
        go rest
  in
  go includes

let rec load ~folders ~known ~within path =
  if List.mem path within then failed "%s includes itself" path;
  match Hashtbl.find_opt known path with
  | Some t -> t
  | None ->
      let idl =
        try Parser.file (read path)
        with Lexer.Error (line, why) -> failed "%s, line %d: %s" path line why
      in
      let find name =
        let tries = List.map (fun d -> Filename.concat d name) (Filename.dirname path :: folders) in
        match List.find_opt Sys.file_exists tries with
        | Some p -> load ~folders ~known ~within:(path :: within) p
        | None ->
            failed "%s includes %s, which is not found; -I FOLDER tells where to look" path name
      in
      let includes = List.map find idl.includes in
      check_includes path includes;
      let names = Names.of_idl idl in
      let t = { base = base path; idl; includes; own_options = named_as_options idl; names } in
      Hashtbl.replace known path t;
      t

let load ~folders path = load ~folders ~known:(Hashtbl.create 16) ~within:[] path
let find_here t name = List.find_opt (fun d -> d.name = name) t.idl.definitions

(* [find t name] is the file and the definition of a name that [t] uses. *)
let find t name =
  match find_here t name with
  | Some d -> Some (t, d)
  | None ->
      (* A file's name may hold dots, and a file may name itself. *)
      let within f =
        let prefix = f.base ^ "." in
        if not (String.starts_with ~prefix name) then None
        else
          let n = String.length prefix in
          Option.map (fun d -> (f, d)) (find_here f (String.sub name n (String.length name - n)))
      in
      List.find_map within (t :: t.includes)

let definition t name =
  match find t name with Some found -> found | None -> failed "%s: no type %s" t.base name

(* [resolve t ty] is [ty] without typedefs, and the file in which its names are to be understood. *)
let rec resolve t ty =
  match ty with
  | Named name -> (
      match definition t name with
      | file, { body = Typedef ty; _ } -> resolve file ty
      | file, d -> (file, Named d.name))
  | ty -> (t, ty)

(* The value of an enum's member, written [Enum.MEMBER] or [file.Enum.MEMBER]. *)
let enum_member t name =
  match String.rindex_opt name '.' with
  | None -> None
  | Some i -> (
      let enum = String.sub name 0 i
      and member = String.sub name (i + 1) (String.length name - i - 1) in
      match find t enum with
      | Some (_, { body = Enum l; _ }) ->
          List.find_map (fun (n, v, _) -> if n = member then Some v else None) l
      | _ -> None)

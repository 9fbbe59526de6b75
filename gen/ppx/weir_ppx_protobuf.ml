open Ppxlib

(* [{ proto = true }] or [{ proto }]; ppx_deriving_protobuf's [{ protoc }] wrote
   a file from within the compiler, which build systems do not expect. *)
let wants_proto proto protoc =
  (match protoc with
  | Some (e : expression) ->
      Attrs.error ~loc:e.pexp_loc
        "{ protoc } is not supported: { proto = true } gives the .proto file as a string"
  | None -> ());
  match proto with
  | None -> false
  | Some { pexp_desc = Pexp_construct ({ txt = Lident "true"; _ }, None); _ }
  | Some { pexp_desc = Pexp_ident { txt = Lident "proto"; _ }; _ } ->
      true
  | Some { pexp_desc = Pexp_construct ({ txt = Lident "false"; _ }, None); _ } -> false
  | Some e -> Attrs.error ~loc:e.pexp_loc "proto must be true or false"

let arguments () = Deriving.Args.(empty +> arg "proto" __ +> arg "protoc" __)

let structure ~ctxt (rec_flag, declarations) proto protoc =
  let proto = wants_proto proto protoc in
  let path = Code_path.fully_qualified_path (Expansion_context.Deriver.code_path ctxt) in
  Generate.structure ~path ~proto rec_flag declarations

let signature ~ctxt:_ (_, declarations) proto protoc =
  Generate.signature ~proto:(wants_proto proto protoc) declarations

let deriver =
  Deriving.add "protobuf"
    ~str_type_decl:(Deriving.Generator.V2.make (arguments ()) structure)
    ~sig_type_decl:(Deriving.Generator.V2.make (arguments ()) signature)

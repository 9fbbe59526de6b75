open Weir_test

let definitions =
  [
    "type t = { a : int [@key 1]; b : int [@key 1] } [@@deriving protobuf]";
    "type t = { a : int; b : int [@key 2] } [@@deriving protobuf]";
    "type t = { a : int [@key 0] } [@@deriving protobuf]";
    "type t = { a : int [@key 536870912] } [@@deriving protobuf]";
    "type t = { a : int [@key 99999999999999999999999] } [@@deriving protobuf]";
    "type t = { a : int [@key 19000] } [@@deriving protobuf]";
    "type t = { a : int [@key \"1\"] } [@@deriving protobuf]";
    "type t = A | B [@key 2] [@@deriving protobuf]";
    "type t = A [@key 2] | B [@key 2] [@@deriving protobuf]";
    "type t = A [@key 2] | B of int [@key 18999] [@@deriving protobuf]";
    "type t = [ `A [@key 1] | `B ] [@@deriving protobuf]";
    "type t = [ `A [@key 1] | `B of int [@key 1] ] [@@deriving protobuf]";
    "type u = [ `A [@key 1] ]\ntype t = [ u | `B [@key 2] ] [@@deriving protobuf]";
    "type t = { a : [> `A [@key 1] ] [@key 1] } [@@deriving protobuf]";
    "type t = { a : int -> int [@key 1] } [@@deriving protobuf]";
    "type t = { a : int list list [@key 1] } [@@deriving protobuf]";
    "type t = { a : int option list [@key 1] } [@@deriving protobuf]";
    "type t = { a : (int -> string) M.t [@key 1] } [@@deriving protobuf]";
    "type t = { a : < m : int > [@key 1] } [@@deriving protobuf]";
    "type t = { a : string list [@key 1] [@packed] } [@@deriving protobuf]";
    "type u = { b : int [@key 1] }\nand t = { a : u list [@key 1] [@packed] } [@@deriving protobuf]";
    "type t = { a : int [@key 1] [@packed] } [@@deriving protobuf]";
    "type t = { a : int list [@key 1] [@packed true] } [@@deriving protobuf]";
    "type t = { a : int [@key 1] [@bare] } [@@deriving protobuf]";
    "type u = A of int [@key 1]\nand t = { a : u [@key 1] [@bare] } [@@deriving protobuf]";
    "type t = { a : [ `A of int [@key 1] ] [@key 1] [@bare] } [@@deriving protobuf]";
    "type t = { a : string [@key 1] [@encoding `varint] } [@@deriving protobuf]";
    "type t = { a : float [@key 1] [@encoding `zigzag] } [@@deriving protobuf]";
    "type t = { a : int [@key 1] [@encoding `bytes] } [@@deriving protobuf]";
    "type t = { a : int * int [@key 1] [@encoding `bits32] } [@@deriving protobuf]";
    "type t = { a : int [@key 1] [@encoding varint] } [@@deriving protobuf]";
    "type t = { a : int option [@key 1] [@default None] } [@@deriving protobuf]";
    "type t = { a : int [@key 1] [@default] } [@@deriving protobuf]";
    "type t = A of (int [@default 1]) [@key 1] [@@deriving protobuf]";
    "type t = A of { a : int } [@key 1] [@@deriving protobuf]";
    "type t [@@deriving protobuf]";
    "type t = .. [@@deriving protobuf]";
    "type t = | [@@deriving protobuf]";
    "type _ t = A : int t [@key 1] [@@deriving protobuf]";
    "type 'a t = { a : 'a [@key 1] } constraint 'a = int [@@deriving protobuf]";
    "type t = { a : t [@key 1] } [@@deriving protobuf]";
    "type t = A of u [@key 1]\nand u = { t : t [@key 1] } [@@deriving protobuf]";
    "type t = { a : Set.Make(String).t [@key 1] } [@@deriving protobuf]";
    "type t = int [@@deriving protobuf { proto = 1 }]";
    "type t = int [@@deriving protobuf { protoc }]";
  ]

let errors =
  object
    inherit [(Ppxlib.location * string) list] Ppxlib.Ast_traverse.fold as super

    method! extension e acc =
      match Ppxlib.Location.Error.of_extension e with
      | Some error ->
          (Ppxlib.Location.Error.get_location error, Ppxlib.Location.Error.message error) :: acc
      | None -> super#extension e acc
  end

let said definition =
  let lexbuf = Lexing.from_string definition in
  Lexing.set_filename lexbuf "t.ml";
  let found =
    match Ppxlib.Driver.map_structure (Ppxlib.Parse.implementation lexbuf) with
    | structure -> errors#structure structure []
    | exception Ppxlib.Location.Error e ->
        [ (Ppxlib.Location.Error.get_location e, Ppxlib.Location.Error.message e) ]
  in
  let line ((loc : Ppxlib.location), message) =
    let column (p : Lexing.position) = p.pos_cnum - p.pos_bol in
    Printf.sprintf "  line %d, %d to %d: %s" loc.loc_start.pos_lnum (column loc.loc_start)
      (column loc.loc_end) message
  in
  match found with [] -> "  accepted" | found -> String.concat "\n" (List.rev_map line found)

let messages () =
  List.map (fun d -> Printf.sprintf "%s\n%s\n" d (said d)) definitions |> String.concat "\n"

let groups =
  [
    ( "definitions",
      [
        Suite.case "refused" (fun () ->
            Suite.expected ~file:"test/codec/protobuf_ppx/rejected.expected" (messages ()));
      ] );
  ]

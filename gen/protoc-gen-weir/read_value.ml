open Schema
open Printf

type t = { before : string list; value : string; next : string }

let tag f wire = (f.number lsl 3) lor wire
let block name = { before = []; value = sprintf "D.%s s p v limit" name; next = "p + v" }

let scalar (k : Weir_protobuf.Descriptor.kind) =
  let varint value = { before = []; value; next = "p" }
  and fixed size name =
    {
      before = [ sprintf "D.need %d from limit;" size ];
      value = sprintf "D.%s s from" name;
      next = sprintf "from + %d" size;
    }
  in
  match k with
  | Int32 -> varint "D.signed v"
  | Uint32 -> varint "D.unsigned v"
  | Sint32 -> varint "D.zigzag v"
  | Bool -> varint "(v <> 0)"
  | Int64 | Uint64 -> varint "D.wide v s from p"
  | Sint64 -> varint "D.wide_zigzag v s from p"
  | Fixed32 -> fixed 4 "fixed32"
  | Sfixed32 -> fixed 4 "sfixed32"
  | Float -> fixed 4 "float"
  | Fixed64 | Sfixed64 -> fixed 8 "fixed64"
  | Double -> fixed 8 "double"
  | String -> block "string"
  | Bytes | Raw_string -> block "raw"
  | Enum _ | Message _ | Delimited _ -> assert false

let wire_type = function
  | Scalar k -> Weir_protobuf.Descriptor.wire_type k
  | Slice _ -> 2
  | Enum _ -> 0
  | Message _ -> 2
  | Delimited _ -> 3

(* [init] is what a message is merged into. *)
let value p ~number ~init = function
  | Scalar k -> scalar k
  | Slice String -> block "slice_text"
  | Slice _ -> block "slice"
  | Enum name ->
      {
        before = [];
        value = sprintf "%s.of_int (D.signed v)" (Ocaml.enum_module p name);
        next = "p";
      }
  | Message name ->
      {
        before = [ "let stop = D.enter s p v limit depth in" ];
        value = sprintf "%s %s s p stop (depth - 1)" (Ocaml.reader p name) init;
        next = "stop";
      }
  | Delimited name ->
      {
        before = [ sprintf "let stop = D.group_end s %d from limit depth in" number ];
        value = sprintf "%s %s s from stop (D.deeper depth p)" (Ocaml.reader p name) init;
        next = "D.after_tag s stop limit";
      }

let is_message = function Message _ | Delimited _ -> true | Scalar _ | Slice _ | Enum _ -> false

let message_name = function
  | Message n | Delimited n -> n
  | Scalar _ | Slice _ | Enum _ -> invalid_arg "Read_value.message_name"

let is_closed p = function
  | Enum name -> (Schema.enum p.Ocaml.schema name).closed
  | Scalar _ | Slice _ | Message _ | Delimited _ -> false

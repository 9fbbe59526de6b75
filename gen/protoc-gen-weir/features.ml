module P = Weir_protobuf_types.Descriptor_pb

type t = {
  presence : [ `Explicit | `Implicit | `Required ];
  closed_enums : bool;
  packed : bool;
  check_utf8 : bool;
  delimited : bool;
  legacy_json : bool;
}

let proto2 =
  {
    presence = `Explicit;
    closed_enums = true;
    packed = false;
    check_utf8 = false;
    delimited = false;
    legacy_json = true;
  }

let proto3 =
  {
    presence = `Implicit;
    closed_enums = false;
    packed = true;
    check_utf8 = true;
    delimited = false;
    legacy_json = false;
  }

let edition_2023 = { proto3 with presence = `Explicit }

let refine t (options : P.Feature_set.t option) =
  match options with
  | None -> t
  | Some f ->
      {
        presence =
          (match f.field_presence with
          | Some P.Feature_set.Field_presence.Explicit -> `Explicit
          | Some Implicit -> `Implicit
          | Some Legacy_required -> `Required
          | Some Unknown | None -> t.presence);
        closed_enums =
          (match f.enum_type with
          | Some P.Feature_set.Enum_type.Closed -> true
          | Some Open -> false
          | Some Unknown | None -> t.closed_enums);
        packed =
          (match f.repeated_field_encoding with
          | Some P.Feature_set.Repeated_field_encoding.Packed -> true
          | Some Expanded -> false
          | Some Unknown | None -> t.packed);
        check_utf8 =
          (match f.utf8_validation with
          | Some P.Feature_set.Utf8_validation.Verify -> true
          | Some None_ -> false
          | Some Unknown | None -> t.check_utf8);
        delimited =
          (match f.message_encoding with
          | Some P.Feature_set.Message_encoding.Delimited -> true
          | Some Length_prefixed -> false
          | Some Unknown | None -> t.delimited);
        legacy_json =
          (match f.json_format with
          | Some P.Feature_set.Json_format.Legacy_best_effort -> true
          | Some Allow -> false
          | Some Unknown | None -> t.legacy_json);
      }

let of_file (f : P.File_descriptor_proto.t) =
  let name = Option.value f.name ~default:"" in
  let base =
    match (f.syntax, f.edition) with
    | (None | Some "proto2"), _ -> proto2
    | Some "proto3", _ -> proto3
    | Some "editions", Some (P.Edition.Edition_2023 | Edition_2024) -> edition_2023
    | Some "editions", Some Proto2 -> proto2
    | Some "editions", Some Proto3 -> proto3
    | Some _, _ -> failwith (name ^ ": this edition is not supported (2023 and 2024 are)")
  in
  refine base (Option.bind f.options (fun (o : P.File_options.t) -> o.features))

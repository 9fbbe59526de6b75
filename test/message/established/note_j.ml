(* Auto-generated from "note.atd" *)
[@@@ocaml.warning "-27-32-33-35-39"]

type note = Note_t.note = { title : string; pages : int list; author : string option }

let write__string_option = Atdgen_runtime.Oj_run.write_std_option Yojson.Safe.write_string

let string_of__string_option ?(len = 1024) x =
  let ob = Buffer.create len in
  write__string_option ob x;
  Buffer.contents ob

let read__string_option =
 fun p lb ->
  Yojson.Safe.read_space p lb;
  match Atdgen_runtime.Yojson_extra.start_any_variant p lb with
  | `Double_quote -> (
      match Yojson.Safe.finish_string p lb with
      | "None" -> (None : _ option)
      | x -> Atdgen_runtime.Oj_run.invalid_variant_tag p x)
  | `Square_bracket -> (
      match Atdgen_runtime.Oj_run.read_string p lb with
      | "Some" ->
          Yojson.Safe.read_space p lb;
          Yojson.Safe.read_comma p lb;
          Yojson.Safe.read_space p lb;
          let x = Atdgen_runtime.Oj_run.read_string p lb in
          Yojson.Safe.read_space p lb;
          Yojson.Safe.read_rbr p lb;
          (Some x : _ option)
      | x -> Atdgen_runtime.Oj_run.invalid_variant_tag p x)

let _string_option_of_string s =
  read__string_option (Yojson.Safe.init_lexer ()) (Lexing.from_string s)

let write__int_list = Atdgen_runtime.Oj_run.write_list Yojson.Safe.write_int

let string_of__int_list ?(len = 1024) x =
  let ob = Buffer.create len in
  write__int_list ob x;
  Buffer.contents ob

let read__int_list = Atdgen_runtime.Oj_run.read_list Atdgen_runtime.Oj_run.read_int
let _int_list_of_string s = read__int_list (Yojson.Safe.init_lexer ()) (Lexing.from_string s)

let write_note : _ -> note -> _ =
 fun ob (x : note) ->
  Buffer.add_char ob '{';
  let is_first = ref true in
  if !is_first then is_first := false else Buffer.add_char ob ',';
  Buffer.add_string ob "\"title\":";
  Yojson.Safe.write_string ob x.title;
  if !is_first then is_first := false else Buffer.add_char ob ',';
  Buffer.add_string ob "\"pages\":";
  write__int_list ob x.pages;
  (match x.author with
  | None -> ()
  | Some x ->
      if !is_first then is_first := false else Buffer.add_char ob ',';
      Buffer.add_string ob "\"author\":";
      Yojson.Safe.write_string ob x);
  Buffer.add_char ob '}'

let string_of_note ?(len = 1024) x =
  let ob = Buffer.create len in
  write_note ob x;
  Buffer.contents ob

let read_note =
 fun p lb ->
  Yojson.Safe.read_space p lb;
  Yojson.Safe.read_lcurl p lb;
  let field_title = ref None in
  let field_pages = ref None in
  let field_author = ref None in
  try
    Yojson.Safe.read_space p lb;
    Yojson.Safe.read_object_end lb;
    Yojson.Safe.read_space p lb;
    let f =
     fun s pos len ->
      if pos < 0 || len < 0 || pos + len > String.length s then
        invalid_arg
          (Printf.sprintf
             "out-of-bounds substring position or length: string = %S, requested position = %i, \
              requested length = %i"
             s pos len);
      match len with
      | 5 -> (
          match String.unsafe_get s pos with
          | 'p' ->
              if
                String.unsafe_get s (pos + 1) = 'a'
                && String.unsafe_get s (pos + 2) = 'g'
                && String.unsafe_get s (pos + 3) = 'e'
                && String.unsafe_get s (pos + 4) = 's'
              then 1
              else -1
          | 't' ->
              if
                String.unsafe_get s (pos + 1) = 'i'
                && String.unsafe_get s (pos + 2) = 't'
                && String.unsafe_get s (pos + 3) = 'l'
                && String.unsafe_get s (pos + 4) = 'e'
              then 0
              else -1
          | _ -> -1)
      | 6 ->
          if
            String.unsafe_get s pos = 'a'
            && String.unsafe_get s (pos + 1) = 'u'
            && String.unsafe_get s (pos + 2) = 't'
            && String.unsafe_get s (pos + 3) = 'h'
            && String.unsafe_get s (pos + 4) = 'o'
            && String.unsafe_get s (pos + 5) = 'r'
          then 2
          else -1
      | _ -> -1
    in
    let i = Yojson.Safe.map_ident p f lb in
    Atdgen_runtime.Oj_run.read_until_field_value p lb;
    (match i with
    | 0 -> field_title := Some (Atdgen_runtime.Oj_run.read_string p lb)
    | 1 -> field_pages := Some (read__int_list p lb)
    | 2 ->
        if not (Yojson.Safe.read_null_if_possible p lb) then
          field_author := Some (Atdgen_runtime.Oj_run.read_string p lb)
    | _ -> Yojson.Safe.skip_json p lb);
    while true do
      Yojson.Safe.read_space p lb;
      Yojson.Safe.read_object_sep p lb;
      Yojson.Safe.read_space p lb;
      let f =
       fun s pos len ->
        if pos < 0 || len < 0 || pos + len > String.length s then
          invalid_arg
            (Printf.sprintf
               "out-of-bounds substring position or length: string = %S, requested position = %i, \
                requested length = %i"
               s pos len);
        match len with
        | 5 -> (
            match String.unsafe_get s pos with
            | 'p' ->
                if
                  String.unsafe_get s (pos + 1) = 'a'
                  && String.unsafe_get s (pos + 2) = 'g'
                  && String.unsafe_get s (pos + 3) = 'e'
                  && String.unsafe_get s (pos + 4) = 's'
                then 1
                else -1
            | 't' ->
                if
                  String.unsafe_get s (pos + 1) = 'i'
                  && String.unsafe_get s (pos + 2) = 't'
                  && String.unsafe_get s (pos + 3) = 'l'
                  && String.unsafe_get s (pos + 4) = 'e'
                then 0
                else -1
            | _ -> -1)
        | 6 ->
            if
              String.unsafe_get s pos = 'a'
              && String.unsafe_get s (pos + 1) = 'u'
              && String.unsafe_get s (pos + 2) = 't'
              && String.unsafe_get s (pos + 3) = 'h'
              && String.unsafe_get s (pos + 4) = 'o'
              && String.unsafe_get s (pos + 5) = 'r'
            then 2
            else -1
        | _ -> -1
      in
      let i = Yojson.Safe.map_ident p f lb in
      Atdgen_runtime.Oj_run.read_until_field_value p lb;
      match i with
      | 0 -> field_title := Some (Atdgen_runtime.Oj_run.read_string p lb)
      | 1 -> field_pages := Some (read__int_list p lb)
      | 2 ->
          if not (Yojson.Safe.read_null_if_possible p lb) then
            field_author := Some (Atdgen_runtime.Oj_run.read_string p lb)
      | _ -> Yojson.Safe.skip_json p lb
    done;
    assert false
  with Yojson.End_of_object ->
    ({
       title =
         (match !field_title with
         | Some x -> x
         | None -> Atdgen_runtime.Oj_run.missing_field p "title");
       pages =
         (match !field_pages with
         | Some x -> x
         | None -> Atdgen_runtime.Oj_run.missing_field p "pages");
       author = !field_author;
     }
      : note)

let note_of_string s = read_note (Yojson.Safe.init_lexer ()) (Lexing.from_string s)

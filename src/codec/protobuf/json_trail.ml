(* An object or list that is open: where its last name begins, its quote included, and whether its
   value has begun or ended; how many elements came before; what was open within it, to be used
   again. *)
type place = Name | Colon | Value | Behind

type frame = {
  mutable is_list : bool;
  mutable name : int;
  mutable place : place;
  mutable index : int;
  mutable inner : frame list;
}

(* Past the end if it is not closed. *)
let rec string_end s p limit =
  if p >= limit then limit + 1
  else
    match String.unsafe_get s p with
    | '"' -> p + 1
    | '\\' -> string_end s (p + 2) limit
    | _ -> string_end s (p + 1) limit

let rec token_end s p limit =
  if p >= limit then limit
  else
    match String.unsafe_get s p with
    | ',' | '}' | ']' | ':' | '{' | '[' | '"' | ' ' | '\t' | '\n' | '\r' -> p
    | _ -> token_end s (p + 1) limit

let fresh () = { is_list = false; name = -1; place = Name; index = 0; inner = [] }

let room = function
  | [] -> [ fresh () ]
  | { inner = _ :: _ as inner; _ } :: _ -> inner
  | f :: _ as frames ->
      f.inner <- fresh () :: frames;
      f.inner

let opened is_list frames =
  let frames = room frames in
  let f = List.hd frames in
  f.is_list <- is_list;
  f.name <- -1;
  f.place <- (if is_list then Value else Name);
  f.index <- 0;
  frames

let value_ends = function [] -> () | f :: _ -> f.place <- Behind

(* A position right behind a value is still the value's, unless the input ends there. *)
let ended s next stop frames =
  if next < stop || (next = stop && stop = String.length s) then value_ends frames

let comma = function
  | [] -> ()
  | f :: _ ->
      f.place <- (if f.is_list then Value else Name);
      f.index <- f.index + 1

(* The frames that are open at [stop], innermost first. *)
let rec scan s p stop frames =
  if p >= stop then frames
  else
    match String.unsafe_get s p with
    | ' ' | '\t' | '\n' | '\r' -> scan s (p + 1) stop frames
    | '{' -> scan s (p + 1) stop (opened false frames)
    | '[' -> scan s (p + 1) stop (opened true frames)
    | '}' | ']' ->
        let outer = match frames with [] -> [] | _ :: outer -> outer in
        value_ends outer;
        scan s (p + 1) stop outer
    | ',' ->
        comma frames;
        scan s (p + 1) stop frames
    | ':' ->
        (match frames with f :: _ -> f.place <- Value | [] -> ());
        scan s (p + 1) stop frames
    | '"' -> (
        let next = string_end s (p + 1) (String.length s) in
        match frames with
        | f :: _ when f.place = Name ->
            f.name <- p;
            f.place <- Colon;
            scan s next stop frames
        | _ ->
            ended s next stop frames;
            scan s next stop frames)
    | _ ->
        let next = token_end s (p + 1) (String.length s) in
        ended s next stop frames;
        scan s next stop frames

(* Whether an error is about the innermost frame's value: not if something between values was
   expected, or the input ends there. *)
let inside (e : Error.t) f =
  let between = [ "expected ','"; "expected ':'"; "expected '}'"; "expected ']'" ] in
  (not (List.exists (fun prefix -> String.starts_with ~prefix e.reason) between))
  &&
  match f.place with
  | Name -> false
  | Value -> true
  | Colon | Behind -> e.reason <> "unexpected end"

type known = Message of Descriptor.message | Map of Descriptor.field option | Nothing

let of_kind types (k : Descriptor.kind) =
  match k with Message m | Delimited m -> Message (Registry.resolve types m) | _ -> Nothing

let of_field types (f : Descriptor.field) =
  match f.kind with
  | Message entry when Descriptor.is_map f -> Map (Descriptor.by_number entry 2)
  | kind -> of_kind types kind

(* What a name stands for; [None] if it is none of the message's. *)
let rec named types known name =
  match known with
  | Message { full_name = "google.protobuf.Struct"; fields = f :: _; _ } ->
      named types (of_field types f) name
  | Message ({ full_name = "google.protobuf.Value"; _ } as m) -> (
      match Descriptor.by_number m 5 with
      | Some f -> named types (of_field types f) name
      | None -> Some (name, Nothing))
  | Message { full_name = "google.protobuf.Any"; _ } -> Some (name, Nothing)
  | Message m ->
      Option.map
        (fun (f : Descriptor.field) -> (f.name, of_field types f))
        (Json_parse.find_field types m name)
  | Map (Some f) -> Some (name, of_kind types f.kind)
  | Map None | Nothing -> Some (name, Nothing)

(* What the elements of a list are: of the types whose JSON may be one, values. *)
let element types known =
  let field m number = Option.map (of_field types) (Descriptor.by_number m number) in
  match known with
  | Message ({ full_name = "google.protobuf.ListValue"; _ } as m) ->
      Option.value (field m 1) ~default:Nothing
  | Message _ | Map _ | Nothing -> known

let rec follow types s known acc = function
  | [] -> acc
  | f :: inner when f.is_list ->
      follow types s (element types known) (string_of_int f.index :: acc) inner
  | { name = -1; _ } :: _ -> acc
  | f :: inner -> (
      match Json_lexer.string (Json_lexer.at s f.name) with
      | exception Error.Error _ -> acc
      | name -> (
          match named types known name with
          | None -> acc
          | Some (name, known) -> follow types s known (Error.excerpt name :: acc) inner))

let path types m s (e : Error.t) =
  let frames =
    match scan s 0 e.position [] with f :: outer when not (inside e f) -> outer | frames -> frames
  in
  List.rev (follow types s (Message (Registry.resolve types m)) [] (List.rev frames))

module P = Weir_protobuf
module D = P.Descriptor
module Slice = Weir_flow.Slice

type ('m, 'e) element = Each : ('m, 'a) Field.t * ('a -> 'e) -> ('m, 'e) element
type ('m, 'e) next = Element of 'e | Rest of 'm
type 'e wanted = { field : D.field; wire : int; packable : bool; read : string -> int -> int -> 'e }

(* What the next bytes of the stream belong to. *)
type 'e place =
  | Fields
  | Within of 'e wanted * int  (** a block of packed numbers, up to that position *)

type ('m, 'e) t = {
  codec : 'm P.Codec.t;
  wanted : 'e wanted list;
  reader : Reader.t;
  length : int option;
  place : 'e place ref;  (** shared with the scanner *)
  scan : Field_scan.t;
  mutable position : int;  (** the stream's offset of the next byte *)
  rest : Output.t;
  mutable runs : (int * int) list;
      (** the parts of [rest]: their offsets in [rest] and in the stream; newest first *)
  mutable over : (('m, 'e) next, P.Error.t) result option;
}

let wanted (Each (f, make)) =
  let field = Field.descriptor f in
  let read s from until = make (Field.decode f s from until) in
  { field; wire = D.wire_type field.kind; packable = D.packable field.kind; read }

let find wanted number = List.find_opt (fun w -> w.field.D.number = number) wanted

let tag_of b off until =
  P.Unsafe.Decode.value (P.Unsafe.Decode.varint (Bytes.unsafe_to_string b) off until)

(* The numbers of a packed block are frames of their own: the block's frame is only its tag and
   length. *)
let extent wanted place scan b ~off ~len =
  match !place with
  | Within ({ wire; _ }, _) -> Field_scan.number ~wire b ~off ~len
  | Fields -> (
      match Field_scan.block b ~off ~len with
      | Whole _ as head -> (
          let tag = tag_of b off (off + len) in
          match find wanted (tag lsr 3) with
          | Some { packable = true; _ } when tag land 7 = 2 -> head
          | _ -> Field_scan.field scan b ~off ~len)
      | Need _ | Bad _ -> Field_scan.field scan b ~off ~len)

let rec distinct = function
  | [] -> ()
  | w :: rest ->
      if find rest w.field.D.number <> None then
        invalid_arg ("Field_reader: field " ^ w.field.name ^ " twice");
      distinct rest

let create ?(limit = Incoming.default_limit) ?length codec elements flow =
  let wanted = List.map wanted elements in
  distinct wanted;
  let place = ref Fields and scan = Field_scan.create () and rest = Output.create () in
  Output.limit rest limit;
  let incoming = Incoming.cut ~limit ~header_room:0 (extent wanted place scan) in
  let reader =
    match length with
    | None -> Reader.of_incoming incoming flow
    | Some n -> Reader.of_incoming incoming (Weir_flow.Wrap.limit n flow)
  in
  { codec; wanted; reader; length; place; scan; position = 0; rest; runs = []; over = None }

let fail ?(path = []) position reason = Error { P.Error.position; path; reason }

(* {1 The rest} *)

let keep t (view : Slice.t) =
  let at = Output.length t.rest in
  Output.add t.rest view.bytes ~off:view.off ~len:view.len;
  match t.runs with
  | (from, stood) :: _ when at - from = t.position - stood -> ()
  | runs -> t.runs <- (at, t.position) :: runs

let located t (e : P.Error.t) =
  match List.find_opt (fun (from, _) -> from <= e.position) t.runs with
  | Some (from, stood) -> { e with position = stood + e.position - from }
  | None -> e

let finish t =
  match t.length with
  | Some n when t.position < n -> fail t.position "the stream ended before the message"
  | _ -> (
      match
        P.Codec.decode_bytes t.codec (Output.bytes t.rest) ~pos:0 ~len:(Output.length t.rest)
      with
      | Ok m -> Ok (Rest m)
      | Error e -> Error (located t e))

(* {1 Elements} *)

let pulled t w (view : Slice.t) from until =
  let began = t.position in
  t.position <- began + view.len;
  match w.read (Bytes.unsafe_to_string view.bytes) from until with
  | e -> Ok (Element e)
  | exception P.Error.Error e ->
      Error { e with position = began + e.position - view.off; path = w.field.name :: e.path }

(* The element in the field [view]; other fields are kept, and [go] continues. *)
let field t (view : Slice.t) go =
  let s = Bytes.unsafe_to_string view.bytes and until = view.off + view.len in
  let head = P.Unsafe.Decode.varint s view.off until in
  let tag = P.Unsafe.Decode.value head and from = view.off + P.Unsafe.Decode.width head in
  let wire = tag land 7 in
  match find t.wanted (tag lsr 3) with
  | Some w when w.packable && wire = 2 ->
      let n = P.Unsafe.Decode.value (P.Unsafe.Decode.varint s from until) in
      t.position <- t.position + view.len;
      t.place := Within (w, t.position + n);
      go t
  | Some w when w.wire = wire ->
      let first, last =
        match wire with
        | 2 -> (from + P.Unsafe.Decode.width (P.Unsafe.Decode.varint s from until), until)
        | 3 -> (from, P.Unsafe.Decode.group_end s (tag lsr 3) from until P.Unsafe.Decode.max_depth)
        | _ -> (from, until)
      in
      pulled t w view first last
  | _ -> (
      match keep t view with
      | () ->
          t.position <- t.position + view.len;
          go t
      | exception Output.Too_long -> fail t.position "the other fields together are too long")

let stopped t (e : Error.t) =
  match e with
  | End -> finish t
  | Truncated { have; want } ->
      fail t.position
        (Printf.sprintf "the stream ended inside a field, after %d of at least %d bytes" have want)
  | Too_long n -> fail t.position (Printf.sprintf "a field of %d bytes is longer than the limit" n)
  | Malformed reason | Undecodable reason -> fail t.position reason

let within t w stop =
  let path = [ w.field.D.name ] in
  match Reader.read t.reader with
  | Ok view when view.len <= stop - t.position -> pulled t w view view.off (view.off + view.len)
  | Ok _ -> fail ~path t.position "a packed number goes beyond the end of its block"
  | Error (End | Truncated _) ->
      fail ~path t.position "the stream ended inside a block of packed numbers"
  | Error e -> Result.map_error (fun (e : P.Error.t) -> { e with path }) (stopped t e)

let rec pull t =
  match !(t.place) with
  | Within (_, stop) when t.position = stop ->
      t.place := Fields;
      pull t
  | Within (w, stop) -> within t w stop
  | Fields -> (
      match Reader.read t.reader with
      | Error e -> stopped t e
      | Ok view ->
          Field_scan.restart t.scan;
          field t view pull)

let next t =
  match t.over with
  | Some result -> result
  | None ->
      let result = pull t in
      (match result with Ok (Element _) -> () | Ok (Rest _) | Error _ -> t.over <- Some result);
      result

let rec iter t f =
  match next t with
  | Ok (Element e) ->
      f e;
      iter t f
  | Ok (Rest m) -> Ok m
  | Error _ as e -> e

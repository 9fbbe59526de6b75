module D = Weir_protobuf.Unsafe.Decode

(* [at] bytes of the field were scanned; [groups] are the numbers of the groups open there. *)
type t = { mutable at : int; mutable groups : int list; mutable depth : int }

exception Need of int
exception Bad of string

let create () = { at = 0; groups = []; depth = 0 }

let restart t =
  t.at <- 0;
  t.groups <- [];
  t.depth <- 0

let longest = 10

(* The end of the varint at [p]; positions count from [off]. *)
let rec behind b off len p width =
  if width = longest then raise (Bad "number longer than ten bytes")
  else if p >= len then raise (Need (len + 1))
  else if Bytes.get_uint8 b (off + p) < 128 then p + 1
  else behind b off len (p + 1) (width + 1)

let value b off p stop = D.value (D.varint (Bytes.unsafe_to_string b) (off + p) (off + stop))

let tag b off len p =
  let stop = behind b off len p 0 in
  let tag = value b off p stop in
  if tag lsr 3 = 0 || tag > 0xffff_ffff then raise (Bad "illegal field number");
  (tag, stop)

let enter t number =
  if t.depth >= D.max_depth then raise (Bad "nested too deeply");
  t.depth <- t.depth + 1;
  t.groups <- number :: t.groups

let leave t number =
  match t.groups with
  | n :: rest when n = number ->
      t.depth <- t.depth - 1;
      t.groups <- rest
  | _ -> raise (Bad "end of a group that did not begin")

let rec scan t b off len =
  let tag, p = tag b off len t.at in
  let stop =
    match tag land 7 with
    | 0 -> behind b off len p 0
    | 1 -> p + 8
    | 5 -> p + 4
    | 2 ->
        let from = behind b off len p 0 in
        from + value b off p from
    | 3 ->
        enter t (tag lsr 3);
        p
    | 4 ->
        leave t (tag lsr 3);
        p
    | _ -> raise (Bad "unknown wire type")
  in
  if t.groups = [] then stop
  else if stop > len then raise (Need (stop + 1))
  else begin
    t.at <- stop;
    scan t b off len
  end

let extent f : Framing.extent =
  match f () with
  | length -> Whole { header = 0; length }
  | exception Need n -> Need n
  | exception Bad why -> Bad why

let field t b ~off ~len = extent (fun () -> scan t b off len)

let number ~wire b ~off ~len =
  extent (fun () -> match wire with 1 -> 8 | 5 -> 4 | _ -> behind b off len 0 0)

let block b ~off ~len =
  extent (fun () ->
      let _, p = tag b off len 0 in
      behind b off len p 0)

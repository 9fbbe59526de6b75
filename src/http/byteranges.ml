type t = { boundary : string; pieces : piece list; length : int }

(* A text, or [length] bytes of the file from [first] on. *)
and piece = Text of string | Run of { first : int; length : int }

let content_range { Range.first; last } ~of_ = Printf.sprintf "bytes %d-%d/%d" first last of_

(* The same request for the same file has the same boundary each time: simulated
   runs must be reproducible. *)
let boundary ~seed = "weir-" ^ Digest.to_hex (Digest.string seed)

let head ~boundary ~kind part ~of_ =
  Printf.sprintf "--%s\r\nContent-Type: %s\r\nContent-Range: %s\r\n\r\n" boundary kind
    (content_range part ~of_)

let size = function Text s -> String.length s | Run { length; _ } -> length

let make ~seed ~kind parts ~of_ =
  let boundary = boundary ~seed in
  let pieces_of (part : Range.part) =
    [
      Text (head ~boundary ~kind part ~of_);
      Run { first = part.first; length = part.last - part.first + 1 };
      Text "\r\n";
    ]
  in
  let pieces = List.concat_map pieces_of parts @ [ Text (Printf.sprintf "--%s--\r\n" boundary) ] in
  { boundary; pieces; length = List.fold_left (fun n piece -> n + size piece) 0 pieces }

let content_type t = "multipart/byteranges; boundary=" ^ t.boundary
let length t = t.length

let reader t ~read_at =
  let left = ref t.pieces and at = ref 0 in
  let advance n piece rest =
    at := !at + n;
    if !at = size piece then (
      left := rest;
      at := 0)
  in
  (* A short read of the file ends the call: it is not the end of the file. *)
  let rec read b ~off ~len got =
    match !left with
    | [] -> got
    | _ when got = len -> got
    | (Text s as piece) :: rest ->
        let n = min (len - got) (String.length s - !at) in
        Bytes.blit_string s !at b (off + got) n;
        advance n piece rest;
        read b ~off ~len (got + n)
    | (Run { first; length } as piece) :: rest ->
        let want = min (len - got) (length - !at) in
        let n = read_at (first + !at) b ~off:(off + got) ~len:want in
        advance n piece rest;
        if n < want then got + n else read b ~off ~len (got + n)
  in
  fun b ~off ~len -> read b ~off ~len 0

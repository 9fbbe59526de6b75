type 'a t = {
  name : string;
  encode : Output.t -> 'a -> unit;
  decode : Bytes.t -> off:int -> len:int -> ('a, string) result;
}

(* Readers of other libraries may raise any exception. *)
let caught f x =
  match f x with
  | v -> Ok v
  | exception e when Weir_flow.Flow.is_cancellation e -> raise e
  | exception Stack_overflow -> Error "nested too deep"
  | exception e -> Error (Printexc.to_string e)

let read c ({ bytes; off; len } : Weir_flow.Slice.t) =
  match caught (fun () -> c.decode bytes ~off ~len) () with
  | Ok (Ok _ as v) -> v
  | Ok (Error why) | Error why -> Error (c.name ^ ": " ^ why)

let to_string c v =
  let out = Output.create () in
  c.encode out v;
  Bytes.sub_string (Output.bytes out) 0 (Output.length out)

let of_string c s = c.decode (Bytes.unsafe_of_string s) ~off:0 ~len:(String.length s)

let string =
  {
    name = "string";
    encode = Output.add_string;
    decode = (fun b ~off ~len -> Ok (Bytes.sub_string b off len));
  }

let unit =
  {
    name = "unit";
    encode = (fun _ () -> ());
    decode = (fun _ ~off:_ ~len -> if len = 0 then Ok () else Error "bytes where none are expected");
  }

let result ok error =
  let encode out = function
    | Ok v ->
        Output.add_byte out 0;
        ok.encode out v
    | Error e ->
        Output.add_byte out 1;
        error.encode out e
  in
  let decode b ~off ~len =
    let rest c side = Result.map side (c.decode b ~off:(off + 1) ~len:(len - 1)) in
    if len = 0 then Error "neither Ok nor Error"
    else
      match Bytes.get_uint8 b off with
      | 0 -> rest ok Result.ok
      | 1 -> rest error Result.error
      | _ -> Error "neither Ok nor Error"
  in
  { name = ok.name ^ " or " ^ error.name; encode; decode }

let map ~name f g c =
  {
    name;
    encode = (fun out v -> c.encode out (g v));
    decode = (fun b ~off ~len -> Result.map f (c.decode b ~off ~len));
  }

let through ~name f g c =
  {
    name;
    encode = (fun out v -> c.encode out (f v));
    decode = (fun b ~off ~len -> Result.bind (c.decode b ~off ~len) g);
  }

let of_strings ~name to_string of_string =
  {
    name;
    encode = (fun out v -> Output.add_string out (to_string v));
    decode = (fun b ~off ~len -> of_string (Bytes.sub_string b off len));
  }

(* {1 Scratch buffers} *)

let buffers = Spare.create (fun () -> Buffer.create 1024)
let keep = 65_536

let text ~name write read =
  let encode out v =
    Spare.use ~keep:(fun b -> Buffer.length b <= keep) buffers @@ fun scratch ->
    Buffer.clear scratch;
    write scratch v;
    let len = Buffer.length scratch in
    let at = Output.reserve out len in
    Buffer.blit scratch 0 (Output.bytes out) at len
  in
  { name; encode; decode = (fun b ~off ~len -> caught read (Bytes.sub_string b off len)) }

type bigstring = (char, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t

let new_bigstring n : bigstring = Bigarray.(Array1.create char c_layout n)
let bigstrings = Spare.create (fun () -> ref (new_bigstring 4096))

let with_bigstring len f =
  Spare.use ~keep:(fun s -> Bigarray.Array1.dim !s <= keep) bigstrings @@ fun scratch ->
  if Bigarray.Array1.dim !scratch < len then
    scratch := new_bigstring (Int.max len (Int.min keep (2 * len)));
  f !scratch

(* Copies eight bytes at a time: the standard library cannot copy between Bytes and bigstrings. *)
external get_64 : bigstring -> int -> int64 = "%caml_bigstring_get64"
external set_64 : bigstring -> int -> int64 -> unit = "%caml_bigstring_set64"

let to_bytes (from : bigstring) b at len =
  let words = len / 8 in
  for i = 0 to words - 1 do
    Bytes.set_int64_ne b (at + (8 * i)) (get_64 from (8 * i))
  done;
  for i = 8 * words to len - 1 do
    Bytes.set b (at + i) from.{i}
  done

let of_bytes b at (into : bigstring) len =
  let words = len / 8 in
  for i = 0 to words - 1 do
    set_64 into (8 * i) (Bytes.get_int64_ne b (at + (8 * i)))
  done;
  for i = 8 * words to len - 1 do
    into.{i} <- Bytes.get b (at + i)
  done

let bigstring ~name ~size ~write ~read =
  let encode out v =
    let len = size v in
    let at = Output.reserve out len in
    with_bigstring len @@ fun scratch ->
    let stop = write scratch ~pos:0 v in
    if stop <> len then
      invalid_arg (name ^ ": the encoding has another length than its size function said");
    to_bytes scratch (Output.bytes out) at len
  in
  let decode b ~off ~len =
    with_bigstring len @@ fun scratch ->
    of_bytes b off scratch len;
    let pos_ref = ref 0 in
    match caught (fun s -> read s ~pos_ref) (Bigarray.Array1.sub scratch 0 len) with
    | Ok _ when !pos_ref <> len -> Error "bytes after the message"
    | v -> v
  in
  { name; encode; decode }

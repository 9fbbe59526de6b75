module C = Weir_capnp

module type RECORD = sig
  type t

  val root : C.Message.t -> t C.Reader.t
  val of_reader : C.Message.t -> t C.Reader.t -> t
  val write : C.Builder.t -> t -> unit
end

let builders = Spare.create (fun () -> C.Builder.create ())

(* 64 KiB *)
let keep b = C.Builder.words b <= 8_192

(* The traversal limit, in words, for a message of [len] bytes, as in the runtime's [decode]. *)
let traversal len = (4 * (len / 8)) + 4_096

let record (type a) ~name (module R : RECORD with type t = a) : a Codec.t =
  let encode out v =
    Spare.use ~keep builders @@ fun b ->
    R.write b v;
    C.Builder.framed b (fun bytes off len -> Output.add out bytes ~off ~len)
  in
  let decode b ~off ~len =
    match
      match C.Message.extent b ~off ~len with
      | Whole n when n = len ->
          let m = C.Message.of_frame ~traversal:(traversal len) b ~off ~len in
          Ok (R.of_reader m (R.root m))
      | Whole n when n < len -> Error "bytes after the message"
      | Whole _ | Need _ -> Error "the message is cut off"
    with
    | result -> result
    | exception C.Message.Error e -> Error (Format.asprintf "%a" C.Message.pp_error e)
  in
  { name; encode; decode }

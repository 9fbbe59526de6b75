module T = Weir_thrift
module Flow = Weir_flow.Flow

module type STRUCT = sig
  type t

  val read : T.Reader.t -> t
  val write : T.Writer.t -> t -> unit
end

let writers protocol = Spare.create (fun () -> T.Writer.create protocol)
let binary = writers Binary
let compact = writers Compact
let keep w = T.Writer.length w <= 65_536
let explain e = Format.asprintf "%a" T.Error.pp e

let value (type a) ~name (protocol : T.Kind.protocol) (module S : STRUCT with type t = a) :
    a Codec.t =
  let writers = match protocol with Binary -> binary | Compact -> compact in
  let encode out v =
    Spare.use ~keep writers @@ fun w ->
    T.Writer.reset w;
    S.write w v;
    T.Writer.contents w (fun bytes off len -> Output.add out bytes ~off ~len)
  in
  let decode b ~off ~len =
    let r = T.Reader.of_bytes protocol b ~off ~len in
    match S.read r with
    | v -> if T.Reader.remaining r = 0 then Ok v else Error "bytes after the message"
    | exception T.Error.Error e -> Error (explain e)
  in
  { name; encode; decode }

(* {1 Services} *)

exception Failed of Error.t

let () =
  Printexc.register_printer (function
    | Failed e -> Some (Format.asprintf "Weir_message.Thrift.Failed: %a" Error.pp e)
    | _ -> None)

let send writer s =
  Writer.send_bytes writer (Bytes.unsafe_of_string s) ~off:0 ~len:(String.length s)

let read reader = Result.map Weir_flow.Slice.to_string (Reader.read reader)

(* After an interrupted call the client is [Over]: its reply would be taken for a later call's. *)
type state = Idle | Calling | Over

let client ?limit protocol flow =
  let reader = Reader.create ?limit Length32 flow in
  let writer = Writer.create ?limit Length32 flow in
  let state = ref Idle in
  let alone f =
    match !state with
    | Calling -> invalid_arg "Thrift.client: another call is under way"
    | Over -> raise (Failed End)
    | Idle -> (
        state := Calling;
        match f () with
        | v ->
            state := Idle;
            v
        | exception (Flow.Error (Flow.Too_long _, _) as e) ->
            state := Idle;
            raise e
        | exception e ->
            state := Over;
            raise e)
  in
  let exchange request =
    alone (fun () ->
        send writer request;
        match read reader with Ok reply -> reply | Error e -> raise (Failed e))
  in
  T.Rpc.client protocol exchange ~send:(fun request -> alone (fun () -> send writer request))

let internal (e : exn) : T.Application.t =
  { message = Printexc.to_string e; kind = T.Application.internal_error }

let serve ?limit ?(report = ignore) protocol dispatch flow =
  let reader = Reader.create ?limit Length32 flow in
  let writer = Writer.create ?limit Length32 flow in
  let dispatch name r =
    try dispatch name r with
    | (T.Error.Error _ | T.Application.E _) as e -> raise e
    | e when Flow.is_cancellation e -> raise e
    | e ->
        report e;
        raise (T.Application.E (internal e))
  in
  let rec go () =
    match read reader with
    | Error e -> e
    | Ok request -> (
        match T.Rpc.serve protocol dispatch request with
        | reply ->
            Option.iter (send writer) reply;
            go ()
        | exception T.Error.Error e -> Error.Undecodable (explain e))
  in
  go ()

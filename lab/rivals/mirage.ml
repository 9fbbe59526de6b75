type write_error = [ `Closed ]

module type S = sig
  type error
  type write_error = private [> `Closed ]

  val pp_error : Format.formatter -> error -> unit
  val pp_write_error : Format.formatter -> write_error -> unit

  type flow

  val read : flow -> ([ `Data of Cstruct.t | `Eof ], error) result Lwt.t
  val write : flow -> Cstruct.t -> (unit, write_error) result Lwt.t
  val writev : flow -> Cstruct.t list -> (unit, write_error) result Lwt.t
  val shutdown : flow -> [ `read | `write | `read_write ] -> unit Lwt.t
  val close : flow -> unit Lwt.t
end

let pp_closed ppf `Closed = Format.pp_print_string ppf "closed"

module Null = struct
  type error = |
  type nonrec write_error = write_error

  let pp_error _ (e : error) = match e with _ -> .
  let pp_write_error = pp_closed

  type flow = unit

  let read () = Lwt_result.return `Eof
  let write () _ = Lwt_result.return ()
  let writev () _ = Lwt_result.return ()
  let shutdown () _ = Lwt.return_unit
  let close () = invalid_arg "Null.close: nothing to close"
end

module Data = struct
  type error = |
  type nonrec write_error = write_error

  let pp_error _ (e : error) = match e with _ -> .
  let pp_write_error = pp_closed

  type flow = { mutable pos : int; recorded : Cstruct.t; mutable length : int }

  let store = Cstruct.create Message.size
  let create () = { pos = 0; recorded = store; length = 0 }

  let read t =
    let n = Int.min Message.chunk (Message.size - t.pos) in
    if n = 0 then Lwt_result.return `Eof
    else begin
      let view = Cstruct.sub Message.cstruct t.pos n in
      t.pos <- t.pos + n;
      Lwt_result.return (`Data view)
    end

  let write t buf =
    let n = Cstruct.length buf in
    Cstruct.blit buf 0 t.recorded t.length n;
    t.length <- t.length + n;
    Lwt_result.return ()

  let rec writev t = function
    | [] -> Lwt_result.return ()
    | buf :: rest -> Lwt_result.bind (write t buf) (fun () -> writev t rest)

  let shutdown _ _ = Lwt.return_unit

  let close t =
    Message.check_cstruct t.recorded t.length;
    Lwt.return_unit
end

module Test (F : S) = struct
  let ( >>= ) = Lwt.bind

  let rec copy flow =
    F.read flow >>= function
    | Ok `Eof -> Lwt_result.return ()
    | Error e -> Lwt_result.fail (`Read e)
    | Ok (`Data buf) -> (
        F.write flow buf >>= function Error e -> Lwt_result.fail (`Write e) | Ok () -> copy flow)
end

module type DIRECT = sig
  type flow

  val read_into : flow -> Bytes.t -> off:int -> len:int -> int
  val write : flow -> Bytes.t -> off:int -> len:int -> unit
  val close : flow -> unit
end

module Null_direct = struct
  type flow = unit

  let read_into () _ ~off:_ ~len:_ = 0
  let write () _ ~off:_ ~len:_ = ()
  let close () = ()
end

module Data_direct = struct
  type flow = { mutable pos : int; recorded : Bytes.t; mutable length : int }

  let store = Bytes.create Message.size
  let create () = { pos = 0; recorded = store; length = 0 }

  let read_into t b ~off ~len =
    let n = Int.min (Int.min len Message.chunk) (Message.size - t.pos) in
    Weir_flow.Slice.blit Message.bytes t.pos b off n;
    t.pos <- t.pos + n;
    n

  let write t b ~off ~len =
    Weir_flow.Slice.blit b off t.recorded t.length len;
    t.length <- t.length + len

  let close t = Message.check_bytes t.recorded t.length
end

module Test_direct (F : DIRECT) = struct
  let rec copy buf flow =
    match F.read_into flow buf ~off:0 ~len:(Bytes.length buf) with
    | 0 -> ()
    | n ->
        F.write flow buf ~off:0 ~len:n;
        copy buf flow
end

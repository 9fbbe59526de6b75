type rotation = { bytes : int; keep : int option }

type t = {
  base : string;
  header : Cstruct.t;
  rotation : rotation option;
  mutable number : int;
  mutable path : string;
  mutable fd : Unix.file_descr;
  mutable most_at_once : int;
  mutable length : int;  (** bytes, all of whole records *)
}

let sentence path e = Printf.sprintf "cannot write %s: %s" path (Unix.error_message e)

let numbered path n =
  let extension = Filename.extension path in
  Printf.sprintf "%s-%04d%s" (Filename.remove_extension path) n extension

let path t = t.path

(* A pipe or device may be slow: small writes let the caller see progress. *)
let slow = 65_536

let open_ path =
  match Unix.openfile path [ O_WRONLY; O_CREAT; O_TRUNC; O_CLOEXEC ] 0o644 with
  | fd -> Ok (fd, if (Unix.LargeFile.fstat fd).st_kind = S_REG then max_int else slow)
  | exception Unix.Unix_error (e, _, _) -> Error (sentence path e)

let is_special path =
  match Unix.LargeFile.stat path with
  | { st_kind; _ } -> st_kind <> S_REG
  | exception Unix.Unix_error _ -> false

let create ?rotation ~header base =
  if rotation <> None && is_special base then
    Error (Printf.sprintf "cannot write several files: %s is not a regular file" base)
  else
    let path = if rotation = None then base else numbered base 1 in
    Result.map
      (fun (fd, most_at_once) ->
        let header = Cstruct.of_string header in
        { base; header; rotation; number = 1; path; fd; most_at_once; length = 0 })
      (open_ path)

let rec output t progress (b : Cstruct.buffer) off len =
  if len > 0 then
    match Unix.single_write_bigarray t.fd b off (Int.min len t.most_at_once) with
    | n ->
        Atomic.incr progress;
        output t progress b (off + n) (len - n)
    | exception Unix.Unix_error (EINTR, _, _) -> output t progress b off len
    | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) ->
        (* Another process may have made a shared pipe non-blocking. *)
        Unix.clear_nonblock t.fd;
        output t progress b off len

let cut_back t =
  try Unix.LargeFile.ftruncate t.fd (Int64.of_int t.length) with Unix.Unix_error _ -> ()

let append t progress (b : Cstruct.t) ~off ~len =
  match output t progress b.buffer (b.off + off) len with
  | () ->
      t.length <- t.length + len;
      Ok ()
  | exception Unix.Unix_error (e, _, _) ->
      cut_back t;
      Error (sentence t.path e)

let begin_file t progress =
  if t.length > 0 then Ok () else append t progress t.header ~off:0 ~len:(Cstruct.length t.header)

let write t ~progress b ~off ~len =
  Result.bind (begin_file t progress) (fun () -> append t progress b ~off ~len)

let close_file t =
  match Unix.close t.fd with
  | () -> Ok ()
  | exception Unix.Unix_error (e, _, _) -> Error (sentence t.path e)

let close t =
  let begun = begin_file t (Atomic.make 0) in
  let closed = close_file t in
  Result.bind begun (fun () -> closed)

let forget t =
  match t.rotation with
  | Some { keep = Some keep; _ } when t.number > keep -> (
      let path = numbered t.base (t.number - keep) in
      try
        Unix.unlink path;
        Ok ()
      with
      | Unix.Unix_error (ENOENT, _, _) -> Ok ()
      | Unix.Unix_error (e, _, _) ->
          Error (Printf.sprintf "cannot delete %s: %s" path (Unix.error_message e)))
  | _ -> Ok ()

let ( let* ) = Result.bind

(* The oldest file is deleted first, because the disk may be full. *)
let next t =
  let* () = close_file t in
  t.number <- t.number + 1;
  t.path <- numbered t.base t.number;
  let* () = forget t in
  let* fd, most_at_once = open_ t.path in
  t.fd <- fd;
  t.most_at_once <- most_at_once;
  t.length <- 0;
  Ok ()

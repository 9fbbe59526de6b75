type t = {
  path : string;
  fd : Unix.file_descr;
  buffer : Bytes.t;
  on_error : string -> unit;
  mutable used : int;
  mutable last_end : int;  (** the end of the last record, in bytes written; 0 if there is none *)
  mutable gathered : int;  (** records that end in the gathered bytes *)
  mutable in_file : int;  (** bytes *)
  mutable safe : int;  (** bytes in the file up to the end of a record *)
  mutable lost_records : int;
  mutable is_open : bool;
  mutable failed : bool;
  mutable written : int;
  mutable dropped : int;
}

let sentence path e = Printf.sprintf "cannot write %s: %s" path (Unix.error_message e)

let create ?(buffer = 65_536) ?(on_error = prerr_endline) path =
  match Unix.openfile path [ O_WRONLY; O_CREAT; O_TRUNC; O_CLOEXEC ] 0o644 with
  | exception Unix.Unix_error (e, _, _) -> Error (sentence path e)
  | fd ->
      Ok
        {
          path;
          fd;
          buffer = Bytes.create (max 1 buffer);
          on_error;
          used = 0;
          last_end = 0;
          gathered = 0;
          in_file = 0;
          safe = 0;
          lost_records = 0;
          is_open = true;
          failed = false;
          written = 0;
          dropped = 0;
        }

let failed t = t.failed
let written t = t.written
let dropped t = t.dropped
let lost_records t = t.lost_records

(* Keeps only whole records in the file. *)
let cut_back t =
  let torn = t.in_file - t.safe in
  t.lost_records <- t.lost_records + t.gathered;
  t.gathered <- 0;
  if t.last_end > 0 && torn > 0 then
    match Unix.LargeFile.ftruncate t.fd (Int64.of_int t.safe) with
    | () -> t.dropped <- t.dropped + torn
    | exception Unix.Unix_error _ -> ()

let fail t e ~lost =
  t.dropped <- t.dropped + lost;
  if not t.failed then (
    t.failed <- true;
    cut_back t;
    t.on_error (sentence t.path e))

(* Writes all the bytes, in as many calls as needed. *)
let rec output t b ~off ~len =
  if len = 0 then (
    t.safe <- t.last_end;
    t.gathered <- 0)
  else
    match Unix.single_write t.fd b off len with
    | n ->
        t.in_file <- t.in_file + n;
        output t b ~off:(off + n) ~len:(len - n)
    | exception Unix.Unix_error (EINTR, _, _) -> output t b ~off ~len
    | exception Unix.Unix_error (e, _, _) -> fail t e ~lost:len

let flush t =
  let len = t.used in
  t.used <- 0;
  if t.is_open && not t.failed then output t t.buffer ~off:0 ~len

let write t b ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length b - len then invalid_arg "File_writer.write";
  t.written <- t.written + len;
  if t.failed || not t.is_open then t.dropped <- t.dropped + len
  else (
    if len > Bytes.length t.buffer - t.used then flush t;
    if t.failed then t.dropped <- t.dropped + len
    else if len > Bytes.length t.buffer then output t b ~off ~len
    else (
      Bytes.blit b off t.buffer t.used len;
      t.used <- t.used + len))

let end_record t =
  if t.failed || not t.is_open then t.lost_records <- t.lost_records + 1
  else (
    t.last_end <- t.written;
    if t.used > 0 then t.gathered <- t.gathered + 1 else t.safe <- t.last_end)

let close t =
  if t.is_open then (
    flush t;
    t.is_open <- false;
    try Unix.close t.fd with Unix.Unix_error (e, _, _) -> fail t e ~lost:0)

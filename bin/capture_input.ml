open Weir_wire

let cannot path e = Fail.usage "%s: %s" path (Unix.error_message e)

let open_file path =
  match Unix.openfile path [ O_RDONLY; O_CLOEXEC ] 0 with
  | fd -> fd
  | exception Unix.Unix_error (e, _, _) -> cannot path e

type t = {
  path : string;
  mutable fd : Unix.file_descr;
  mutable feed : Pcap_feed.t;
  mutable position : int;  (** bytes read of this file *)
}

let failed t e = Fail.failed "%s: %s" t.path (Fmt.str "%a" Error.pp e)

(* Is false once [f] has returned [`Stop]. *)
let rec take t f =
  match Pcap_feed.next t.feed with
  | Error e -> failed t e
  | Ok Starved -> true
  | Ok (Packet (bytes, packet)) -> (
      match f bytes packet with `Go_on -> take t f | `Stop -> false)

let rec read t buffer =
  match Unix.read t.fd buffer 0 (Bytes.length buffer) with
  | n -> n
  | exception Unix.Unix_error (EINTR, _, _) -> read t buffer
  | exception Unix.Unix_error (e, _, _) -> cannot t.path e

let start_again t =
  t.feed <- Pcap_feed.create ();
  t.position <- 0

(* [None] while no file has that name. *)
let named path =
  match Unix.stat path with s -> Some (s.st_dev, s.st_ino) | exception Unix.Unix_error _ -> None

let rotated t (own : Unix.stats) =
  match named t.path with None -> false | Some name -> name <> (own.st_dev, own.st_ino)

(* At the end of a followed file: waits, unless another file has its name. *)
let look_again t ~on_pause =
  let own = Unix.fstat t.fd in
  if own.st_size < t.position then (
    ignore (Unix.lseek t.fd 0 SEEK_SET : int);
    start_again t)
  else if own.st_size = t.position && rotated t own then (
    match Unix.openfile t.path [ O_RDONLY; O_CLOEXEC; O_NONBLOCK ] 0 with
    | exception Unix.Unix_error _ -> Unix.sleepf 0.1
    | fd ->
        Unix.close t.fd;
        t.fd <- fd;
        start_again t)
  else if own.st_size = t.position then (
    on_pause ();
    Unix.sleepf 0.1)

let rec pump t ~follow ~on_pause buffer f =
  match read t buffer with
  | 0 when follow ->
      look_again t ~on_pause;
      pump t ~follow ~on_pause buffer f
  | 0 -> Result.iter_error (failed t) (Pcap_feed.finish t.feed)
  | n ->
      t.position <- t.position + n;
      Pcap_feed.feed t.feed buffer ~off:0 ~len:n;
      let more = take t f in
      on_pause ();
      if more then pump t ~follow ~on_pause buffer f

let iter ~follow ~on_pause path f =
  let standard = path = "-" in
  let fd = if standard then Unix.stdin else open_file path in
  let path = if standard then "standard input" else path in
  let t = { path; fd; feed = Pcap_feed.create (); position = 0 } in
  Fun.protect
    ~finally:(fun () -> if not standard then Unix.close t.fd)
    (fun () ->
      let regular = (not standard) && (Unix.fstat fd).st_kind = S_REG in
      pump t ~follow:(follow && regular) ~on_pause (Bytes.create 65_536) f)

let cannot path e = Fail.failed "cannot write %s: %s" path (Unix.error_message e)
let system path f = try f () with Unix.Unix_error (e, _, _) -> cannot path e

let rec write_all fd b ~off ~len =
  if len > 0 then
    match Unix.write fd b off len with
    | n -> write_all fd b ~off:(off + n) ~len:(len - n)
    | exception Unix.Unix_error (EINTR, _, _) -> write_all fd b ~off ~len

let output path fd b ~off ~len = system path (fun () -> write_all fd b ~off ~len)

(* A device or a pipe is written directly: a file must not replace it. *)
let in_place path f =
  let fd =
    system path (fun () -> Unix.openfile path [ O_WRONLY; O_CREAT; O_TRUNC; O_CLOEXEC ] 0o666)
  in
  Fun.protect ~finally:(fun () -> Unix.close fd) (fun () -> f (output path fd))

let rec open_temporary dir n =
  let temporary = Filename.concat dir (Printf.sprintf ".weir-%d-%d.part" (Unix.getpid ()) n) in
  match Unix.openfile temporary [ O_WRONLY; O_CREAT; O_EXCL; O_CLOEXEC ] 0o666 with
  | fd -> (fd, temporary)
  | exception Unix.Unix_error (EEXIST, _, _) when n < 100 -> open_temporary dir (n + 1)

let remove temporary = try Unix.unlink temporary with Unix.Unix_error _ -> ()

(* Removes the temporary file on signals that end the program. *)
let removed_by_signals temporary f =
  let handle s =
    remove temporary;
    Sys.set_signal s Signal_default;
    Unix.kill (Unix.getpid ()) s
  in
  let before =
    List.map (fun s -> (s, Sys.signal s (Signal_handle handle))) Sys.[ sigint; sigterm; sighup ]
  in
  Fun.protect f ~finally:(fun () ->
      List.iter (fun (s, behaviour) -> Sys.set_signal s behaviour) before)

let as_before fd (st : Unix.stats) =
  (try Unix.fchown fd st.st_uid st.st_gid with Unix.Unix_error _ -> ());
  try Unix.fchmod fd st.st_perm with Unix.Unix_error _ -> ()

let beside path ~replaces f =
  let fd, temporary = system path (fun () -> open_temporary (Filename.dirname path) 0) in
  let whole = ref false and is_open = ref true in
  let close () =
    is_open := false;
    Unix.close fd
  in
  removed_by_signals temporary @@ fun () ->
  Fun.protect ~finally:(fun () ->
      if !is_open then close ();
      if not !whole then remove temporary)
  @@ fun () ->
  Option.iter (as_before fd) replaces;
  let x = f (output path fd) in
  system path (fun () ->
      close ();
      Unix.rename temporary path);
  whole := true;
  x

let is_free path =
  match Unix.lstat path with _ -> false | exception Unix.Unix_error (e, _, _) -> e = ENOENT

let write path f =
  match Unix.stat path with
  | { st_kind = S_REG; _ } as st ->
      beside (system path (fun () -> Unix.realpath path)) ~replaces:(Some st) f
  | exception Unix.Unix_error _ when is_free path -> beside path ~replaces:None f
  | _ | (exception Unix.Unix_error _) -> in_place path f

type t = {
  name : string;
  pid : int;
  into : Unix.file_descr;
  out : Unix.file_descr;
  until : float;
  text : Buffer.t; (* read and not yet taken *)
  mutable ended : Unix.process_status option;
}

exception Failed of string

let failed fmt = Printf.ksprintf (fun s -> raise (Failed s)) fmt
let worker_word = "lab-worker"
let pid t = t.pid

let start ?(quiet = false) ?environment ~seconds argv =
  let child_in, into = Unix.pipe ~cloexec:true () in
  let out, child_out = Unix.pipe ~cloexec:true () in
  let nothing = Unix.openfile "/dev/null" [ O_WRONLY; O_CLOEXEC ] 0 in
  let close_childs () = List.iter Unix.close [ child_in; child_out; nothing ] in
  let name = String.concat " " argv in
  let err = if quiet then nothing else Unix.stderr in
  let environment = Option.value environment ~default:(Unix.environment ()) in
  match
    Unix.create_process_env (List.hd argv) (Array.of_list argv) environment child_in child_out err
  with
  | pid ->
      close_childs ();
      let until = Unix.gettimeofday () +. seconds in
      { name; pid; into; out; until; text = Buffer.create 256; ended = None }
  | exception Unix.Unix_error (e, _, _) ->
      close_childs ();
      List.iter Unix.close [ into; out ];
      failed "cannot run %s: %s" (List.hd argv) (Unix.error_message e)

let worker ~seconds args = start ~seconds (Sys.executable_name :: worker_word :: args)

let tell t line =
  let line = line ^ "\n" in
  try ignore (Unix.write_substring t.into line 0 (String.length line) : int)
  with Unix.Unix_error (e, _, _) -> failed "%s does not listen: %s" t.name (Unix.error_message e)

let rec retry f = try f () with Unix.Unix_error (EINTR, _, _) -> retry f

(* Reads more of the output; false at its end. *)
let more t =
  let left = t.until -. Unix.gettimeofday () in
  let readable, _, _ = if left <= 0. then ([], [], []) else Unix.select [ t.out ] [] [] left in
  if readable = [] then failed "%s took too long" t.name;
  let b = Bytes.create 4096 in
  let n = Unix.read t.out b 0 4096 in
  Buffer.add_subbytes t.text b 0 n;
  n > 0

let rec take_line t =
  let s = Buffer.contents t.text in
  match String.index_opt s '\n' with
  | Some i ->
      Buffer.clear t.text;
      Buffer.add_substring t.text s (i + 1) (String.length s - i - 1);
      Some (String.sub s 0 i)
  | None -> if retry (fun () -> more t) then take_line t else None

let rec await t line =
  match take_line t with
  | Some l when l = line -> ()
  | Some _ -> await t line
  | None -> failed "%s ended before it was %s" t.name line

let reap t ~until =
  let rec go () =
    match retry (fun () -> Unix.waitpid [ WNOHANG ] t.pid) with
    | 0, _ when Unix.gettimeofday () < until ->
        Unix.sleepf 0.002;
        go ()
    | 0, _ -> ()
    | _, status -> t.ended <- Some status
  in
  if t.ended = None then go ()

let lines t =
  let rec rest acc = match take_line t with Some l -> rest (l :: acc) | None -> List.rev acc in
  let all = rest [] in
  reap t ~until:t.until;
  match t.ended with
  | Some (WEXITED 0) -> all
  | Some (WEXITED n) -> failed "%s ended with status %d" t.name n
  | Some (WSIGNALED n | WSTOPPED n) -> failed "%s ended by signal %d" t.name n
  | None -> failed "%s took too long" t.name

let kill t signal = try Unix.kill t.pid signal with Unix.Unix_error (ESRCH, _, _) -> ()

let stop t =
  if t.ended = None then begin
    kill t Sys.sigterm;
    reap t ~until:(Unix.gettimeofday () +. 1.)
  end;
  if t.ended = None then begin
    kill t Sys.sigkill;
    reap t ~until:infinity
  end;
  let close fd = try Unix.close fd with Unix.Unix_error (EBADF, _, _) -> () in
  close t.into;
  close t.out

let with_ t f = Fun.protect ~finally:(fun () -> stop t) (fun () -> f t)
let within ?quiet ?environment ~seconds argv f = with_ (start ?quiet ?environment ~seconds argv) f
let within_worker ~seconds args f = with_ (worker ~seconds args) f
let run ?quiet ~seconds argv = within ?quiet ~seconds argv lines

let on_path p =
  String.split_on_char ':' (Option.value (Sys.getenv_opt "PATH") ~default:"")
  |> List.exists (fun d -> Sys.file_exists (Filename.concat d p))

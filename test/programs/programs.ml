type env = Eio_unix.Stdenv.base
type result = { status : int; out : string; err : string }

(* OCaml numbers the signals of POSIX below zero. *)
let signal_number s =
  match List.assoc_opt s Sys.[ (sighup, 1); (sigint, 2); (sigkill, 9); (sigterm, 15) ] with
  | Some n -> n
  | None -> abs s

let status = function `Exited n -> n | `Signaled s -> 128 + signal_number s
let mgr (env : env) = Eio.Stdenv.process_mgr env
let clock (env : env) = Eio.Stdenv.clock env

let within env seconds what f =
  match Eio.Time.with_timeout (clock env) seconds (fun () -> Ok (f ())) with
  | Ok x -> x
  | Error `Timeout -> Alcotest.failf "%s: not done within %g s" what seconds

let text = String.concat " "

let run env ?(seconds = 30.) ?(stdin = "") argv =
  let out = Buffer.create 4096 and err = Buffer.create 256 in
  let status =
    within env seconds (text argv) (fun () ->
        Eio.Switch.run @@ fun sw ->
        status
          (Eio.Process.await
             (Eio.Process.spawn ~sw (mgr env) argv ~stdin:(Eio.Flow.string_source stdin)
                ~stdout:(Eio.Flow.buffer_sink out) ~stderr:(Eio.Flow.buffer_sink err))))
  in
  { status; out = Buffer.contents out; err = Buffer.contents err }

let succeed env ?seconds ?stdin argv =
  let r = run env ?seconds ?stdin argv in
  if r.status <> 0 then Alcotest.failf "%s: status %d\n%s%s" (text argv) r.status r.out r.err;
  r.out

type running = {
  env : env;
  argv : string list;
  process : [ `Generic | `Unix ] Eio.Process.ty Eio.Resource.t;
  out : Buffer.t;
  changed : Eio.Condition.t;
  mutable ended : bool;  (** its output is at its end *)
}

let contains = Weir_test.Text.contains

let drain r source () =
  let b = Cstruct.create 65_536 in
  let rec go () =
    match Eio.Flow.single_read source b with
    | n ->
        Buffer.add_string r.out (Cstruct.to_string (Cstruct.sub b 0 n));
        Eio.Condition.broadcast r.changed;
        go ()
    | exception End_of_file ->
        r.ended <- true;
        Eio.Condition.broadcast r.changed;
        `Stop_daemon
  in
  go ()

let start ~sw env ?ready argv =
  let source, sink = Eio.Process.pipe ~sw (mgr env) in
  let process =
    Eio.Process.spawn ~sw (mgr env) argv ~stdin:(Eio.Flow.string_source "") ~stdout:sink
      ~stderr:sink
  in
  Eio.Flow.close sink;
  let changed = Eio.Condition.create () in
  let r = { env; argv; process; out = Buffer.create 4096; changed; ended = false } in
  Eio.Fiber.fork_daemon ~sw (drain r source);
  let look word () =
    if contains (Buffer.contents r.out) word then Some ()
    else if r.ended then
      Alcotest.failf "%s: ended before saying %S\n%s" (text argv) word (Buffer.contents r.out)
    else None
  in
  Option.iter
    (fun word ->
      within env 10. (text argv) (fun () -> Eio.Condition.loop_no_mutex changed (look word)))
    ready;
  r

let output r = Buffer.contents r.out
let pid r = Eio.Process.pid r.process

let finish ?signal ?(seconds = 10.) r =
  Option.iter (Eio.Process.signal r.process) signal;
  within r.env seconds (text r.argv) (fun () ->
      let s = status (Eio.Process.await r.process) in
      Eio.Condition.loop_no_mutex r.changed (fun () -> if r.ended then Some () else None);
      s)

let weir sub args =
  let build = Filename.dirname (Filename.dirname (Filename.dirname Sys.executable_name)) in
  Filename.concat build "bin/main.exe" :: sub :: args

let rec remove path =
  match (Unix.lstat path).st_kind with
  | S_DIR ->
      Array.iter (fun n -> remove (Filename.concat path n)) (Sys.readdir path);
      Unix.rmdir path
  | _ -> Unix.unlink path

let with_scratch f =
  let dir = Filename.temp_dir "weir" ".test" in
  Fun.protect ~finally:(fun () -> remove dir) (fun () -> f dir)

let write path s = Out_channel.with_open_bin path (fun oc -> output_string oc s)
let read path = In_channel.with_open_bin path In_channel.input_all

(* What a request costs a server over Lwt: the session as a thread against the same
   session with a bind at each wait, in turns. In memory:
   `dune exec ./test/http_lwt/bench.exe [REQUESTS]`; over loopback, for wrk:
   `dune exec ./test/http_lwt/bench.exe serve threads|bound PORT`. *)

open Weir_http_lwt

let timer : Time_limits.timer =
  {
    now = (fun () -> int_of_float (Unix.gettimeofday () *. 1e9));
    sleep = (fun s -> Lwt_unix.sleep (float s /. 1e9));
  }

type subject = Transport.t -> Handler.t -> unit Lwt.t

let threads : subject =
  let server = Server.create ~timer ~now:Unix.gettimeofday () in
  fun transport handler -> Server.serve_connection server transport handler

let bound : subject =
  let server = Weir_lab_rivals.Http_bound.create ~timer ~now:Unix.gettimeofday () in
  fun transport handler -> Weir_lab_rivals.Http_bound.serve_connection server transport handler

(* -- in memory ------------------------------------------------------------- *)

(* A client whose bytes are there already, or come once the server waits for them. *)
let converse ~waits subject request ~times handler =
  let text = Bytes.of_string request in
  let left = ref times and at = ref 0 and waiting = ref None in
  let give b off len =
    let n = Int.min len (Bytes.length text - !at) in
    Bytes.blit text !at b off n;
    at := !at + n;
    if !at = Bytes.length text then (
      at := 0;
      decr left);
    n
  in
  let read b ~off ~len =
    if !left = 0 then Lwt.return 0
    else if not waits then Lwt.return (give b off len)
    else
      let p, u = Lwt.task () in
      waiting := Some (b, off, len, u);
      p
  in
  let transport : Transport.t =
    { read; write = (fun _ ~off:_ ~len:_ -> Lwt.return_unit); shutdown_send = Lwt.return }
  in
  let served = subject transport handler in
  let rec feed () =
    match !waiting with
    | None -> ()
    | Some (b, off, len, u) ->
        waiting := None;
        Lwt.wakeup u (give b off len);
        feed ()
  in
  feed ();
  assert (Lwt.state served = Lwt.Return ())

let measure f ~times =
  let words = Gc.minor_words () and began = Sys.time () in
  f ();
  (1e9 *. (Sys.time () -. began) /. float times, (Gc.minor_words () -. words) /. float times)

let median l = List.nth (List.sort compare l) (List.length l / 2)

let compare_both name request ~waits ~times handler =
  let subjects = [ bound; threads ] in
  let round () =
    List.map (fun s -> measure ~times (fun () -> converse ~waits s request ~times handler)) subjects
  in
  ignore (round ());
  let rounds = List.init 15 (fun _ -> round ()) in
  let of_subject i = List.map (fun r -> List.nth r i) rounds in
  let ratio = median (List.map (function [ (a, _); (b, _) ] -> b /. a | _ -> nan) rounds) in
  let shown i = (median (List.map fst (of_subject i)), median (List.map snd (of_subject i))) in
  let (t0, w0), (t1, w1) = (shown 0, shown 1) in
  Printf.printf "%-34s bound %6.0f ns %6.0f words   threads %6.0f ns %6.0f words   time x%.3f\n%!"
    name t0 w0 t1 w1 ratio

let page = Handler.of_response (Weir_http.Response.text (String.make 2_053 'x'))

let streamed length _ =
  let left = ref length in
  let read _ ~off:_ ~len =
    let n = Int.min len !left in
    left := !left - n;
    Lwt.return n
  in
  Lwt.return { page with body = Stream { length = Some length; read; close = ignore } }

let upload request = Lwt.bind (Handler.read_all request) (fun _ -> Lwt.return page)

let in_memory times =
  let get = "GET / HTTP/1.1\r\nHost: 10.0.0.11\r\n\r\n" in
  let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n" ^ String.make 2_000 'y' in
  let at_once _ = Lwt.return page in
  compare_both "a page, bytes are there" get ~waits:false ~times at_once;
  compare_both "a page, each request waited for" get ~waits:true ~times at_once;
  compare_both "1 MB stream, waited for" get ~waits:true ~times:(times / 20) (streamed 1_000_000);
  compare_both "2 kB upload, waited for" post ~waits:true ~times upload

(* -- over loopback --------------------------------------------------------- *)

let over_loopback name port =
  let subject = if name = "threads" then threads else bound in
  let answer fd =
    let transport : Transport.t =
      {
        read = (fun b ~off ~len -> Lwt_unix.read fd b off len);
        write =
          (fun b ~off ~len ->
            let rec all off len =
              if len = 0 then Lwt.return_unit
              else Lwt.bind (Lwt_unix.write fd b off len) (fun n -> all (off + n) (len - n))
            in
            all off len);
        shutdown_send = Lwt.return;
      }
    in
    Lwt.finalize
      (fun () ->
        Lwt.catch
          (fun () -> subject transport (fun _ -> Lwt.return page))
          (fun _ -> Lwt.return_unit))
      (fun () -> Lwt_unix.close fd)
  in
  let socket = Lwt_unix.socket PF_INET SOCK_STREAM 0 in
  Lwt_unix.setsockopt socket SO_REUSEADDR true;
  let rec accept () =
    Lwt.bind (Lwt_unix.accept socket) (fun (fd, _) ->
        Lwt_unix.setsockopt fd TCP_NODELAY true;
        Lwt.async (fun () -> answer fd);
        accept ())
  in
  Lwt_main.run
    (Lwt.bind
       (Lwt_unix.bind socket (ADDR_INET (Unix.inet_addr_loopback, port)))
       (fun () ->
         Lwt_unix.listen socket 1024;
         accept ()))

let () =
  match Sys.argv with
  | [| _; "serve"; name; port |] -> over_loopback name (int_of_string port)
  | [| _; times |] -> in_memory (int_of_string times)
  | _ -> in_memory 100_000

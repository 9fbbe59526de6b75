(* A client on pipes, in virtual time, and what it may ask. *)

open Lwt.Syntax
open Weir_http_lwt
module Flow_lwt = Weir_flow_lwt.Flow_lwt

let respond ?(status = `OK) ?(headers = []) body : Handler.response =
  { status; headers = Http.Header.of_list headers; body }

let text s = Lwt.return (respond (String s))

type client = {
  say : string -> unit Lwt.t;
  finish : unit -> unit;  (** the client sends no more *)
  hear : unit -> string Lwt.t;  (** all that the server said, once it has ended *)
  served : unit Lwt.t;
  clock : Weir_lwt.Clock.t;
}

let sleep c ns = Weir_lwt.Clock.sleep c.clock ns

let get p =
  let* r = p in
  match r with Ok x -> Lwt.return x | Error (`Flow _) -> Alcotest.fail "the pipe failed"

let hear_all reader =
  let out = Buffer.create 1_000 in
  let rec go () =
    let* data = get (Flow_lwt.read reader) in
    match data with
    | `Eof -> Lwt.return (Buffer.contents out)
    | `Data b ->
        Buffer.add_string out (Cstruct.to_string b);
        go ()
  in
  go ()

let with_session ?timeouts ?report ?(capacity = 65_536) serve f =
  let time = Weir_lwt.Virtual_clock.create () in
  let clock = Weir_lwt.Virtual_clock.clock time in
  Weir_lwt.Virtual_clock.run time (fun () ->
      let timer : Time_limits.timer = { now = clock.now; sleep = Weir_lwt.Clock.sleep clock } in
      let server = Server.create ?timeouts ~timer ?report () in
      let from_client, to_server, finish = Flow_lwt.pipe ~capacity () in
      let from_server, to_client, end_server = Flow_lwt.pipe ~capacity () in
      let flow : Flow_lwt.flow =
        object
          inherit Flow_lwt.flow
          method read_into b = from_client#read_into b
          method write b = to_client#write b
        end
      in
      let served =
        Lwt.finalize
          (fun () -> serve server (Transport.of_flow flow))
          (fun () ->
            end_server ();
            Lwt.return_unit)
      in
      f
        {
          say = (fun s -> get (Flow_lwt.write to_server (Cstruct.of_string s)));
          finish;
          hear = (fun () -> hear_all from_server);
          served;
          clock;
        })

let with_client ?timeouts ?report ?log ?capacity handler =
  with_session ?timeouts ?report ?capacity (fun server transport ->
      Server.serve_connection ?log server transport handler)

let with_direct ?timeouts ?report ?capacity handler =
  with_session ?timeouts ?report ?capacity (fun server transport ->
      Server.serve_direct server transport handler)

let has what s part =
  if not (Weir_test.Text.contains s part) then Alcotest.failf "%s: no %S in %S" what part s

(* What the server answers to [request], after which the client ends. *)
let exchange_on request c =
  let* () = c.say request and* () = Lwt.return_unit in
  c.finish ();
  let* answer = c.hear () in
  let* () = c.served in
  Lwt.return answer

let exchange ?timeouts ?report ?log ?capacity handler request =
  with_client ?timeouts ?report ?log ?capacity handler (exchange_on request)

let get_request = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"

let post body =
  Printf.sprintf "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s" (String.length body)
    body

let count_answers s =
  let mark = "HTTP/1.1 " in
  let rec from i n =
    match String.index_from_opt s i 'H' with
    | None -> n
    | Some j ->
        let here = j + 9 <= String.length s && String.sub s j 9 = mark in
        from (j + 1) (if here then n + 1 else n)
  in
  from 0 0

let counted_stream ?length n closed : Handler.body =
  let left = ref n in
  let read b ~off ~len =
    let* () = Lwt.pause () in
    let k = min len (min 1_000 !left) in
    Bytes.fill b off k 'z';
    left := !left - k;
    Lwt.return k
  in
  Stream { length; read; close = (fun () -> incr closed) }

let seconds c = float_of_int (c.clock.now ()) /. 1e9

let ends_between c low high =
  let* () = c.served in
  let s = seconds c in
  if s < low || s > high then Alcotest.failf "ended after %.2f s" s;
  Lwt.return_unit

(* What a connection costs: bodies of a gigabyte in flat memory, few words a
   request, work that grows with the bytes and no faster. *)

open Weir_http
open Weir_test
module Flow = Weir_flow.Flow

let gigabyte = 1_073_741_824
let limits = { Limits.default with body_bytes = max_int }
let server = Server.create ~limits ()

(* Reads [head], then [length] bytes of [period] repeated, then [tail]; what is
   written is counted and dropped. *)
class synthetic ~head ~period ~length ~tail =
  object (self)
    inherit Flow.flow
    val head = head
    val mutable at = 0
    val mutable written = 0
    val mutable watch = fun (_ : int) -> ()
    method written = written
    method on_progress f = watch <- f

    method private give text place ~bound b ~off ~len =
      let n = min (min len (String.length text - place)) bound in
      Bytes.blit_string text place b off n;
      at <- at + n;
      watch at;
      n

    method read_into b ~off ~len =
      let from = String.length head in
      let stop = from + length in
      if at < from then self#give head at ~bound:max_int b ~off ~len
      else if at < stop then
        self#give period ((at - from) mod String.length period) ~bound:(stop - at) b ~off ~len
      else self#give tail (at - stop) ~bound:max_int b ~off ~len

    method write _ ~off:_ ~len =
      written <- written + len;
      watch written
  end

(* Live words, sampled eight times a gigabyte. *)
let flat run =
  let samples = ref [] and next = ref (gigabyte / 8) in
  run (fun bytes ->
      if bytes >= !next then (
        next := !next + (gigabyte / 8);
        samples := Weir_test.Words.live () :: !samples));
  let least = List.fold_left min max_int !samples and most = List.fold_left max 0 !samples in
  Alcotest.(check bool) "sampled" true (List.length !samples >= 7);
  if most - least > 20_000 then Alcotest.failf "live words went from %d to %d" least most

let block = String.make 65_536 'x'

let count_body received (r : Request.t) =
  let b = Bytes.create 65_536 in
  let rec go () =
    let n = Flow.read_into r.body b ~off:0 ~len:(Bytes.length b) in
    received := !received + n;
    if n > 0 then go ()
  in
  go ();
  Response.text "ok"

let upload ~head ~period ~tail () =
  let received = ref 0 in
  let flow = new synthetic ~head ~period ~length:(gigabyte / 65_536 * String.length period) ~tail in
  flat (fun watch ->
      flow#on_progress watch;
      Server.serve_connection server flow (count_body received));
  Alcotest.(check int) "all of it" gigabyte !received

let upload_sized =
  upload
    ~head:(Cases.post [ Printf.sprintf "Content-Length: %d" gigabyte ] "")
    ~period:block ~tail:""

let upload_chunked =
  upload ~head:(Cases.chunked "") ~period:("10000\r\n" ^ block ^ "\r\n") ~tail:"0\r\n\r\n"

let download length =
  let left = ref gigabyte in
  let read b ~off ~len =
    let n = min len !left in
    Bytes.fill b off n 's';
    left := !left - n;
    n
  in
  let handler _ = Response.make (Stream { length; read; close = ignore }) in
  let flow = new synthetic ~head:(Cases.get []) ~period:"x" ~length:0 ~tail:"" in
  flat (fun watch ->
      flow#on_progress watch;
      Server.serve_connection server flow handler);
  Alcotest.(check bool) "all of it" true (flow#written >= gigabyte)

let client () =
  let head = Printf.sprintf "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" gigabyte in
  let flow = new synthetic ~head ~period:block ~length:gigabyte ~tail:"" in
  let received = ref 0 in
  flat (fun watch ->
      flow#on_progress watch;
      match Client.get (Client.create flow) Test_client.url with
      | Error e -> Alcotest.fail (Error.to_string e)
      | Ok r ->
          let b = Bytes.create 65_536 in
          let rec go () =
            let n = Flow.read_into r.body b ~off:0 ~len:(Bytes.length b) in
            received := !received + n;
            if n > 0 then go ()
          in
          go ());
  Alcotest.(check int) "all of it" gigabyte !received

(* {1 Words} *)

class repeated request ~times =
  object
    inherit Flow.flow
    val mutable left = times

    method read_into b ~off ~len:_ =
      if left = 0 then 0
      else (
        left <- left - 1;
        Bytes.blit_string request 0 b off (String.length request);
        String.length request)

    method write _ ~off:_ ~len:_ = ()
  end

let words request handler =
  let server = Server.create ~now:(fun () -> 784_111_777.) () in
  let serve times = Server.serve_connection server (new repeated request ~times) handler in
  serve 100;
  let before = Gc.minor_words () in
  serve 20_000;
  (Gc.minor_words () -. before) /. 20_000.

let few_words () =
  let page = Response.text (String.make 2_053 'x') in
  let at_most what bound n =
    if n > bound then Alcotest.failf "%s: %.1f words a request, not %.0f" what n bound
  in
  at_most "a GET" 46. (words "GET / HTTP/1.1\r\nHost: 10.0.0.11\r\n\r\n" (fun _ -> page));
  let tree = Files.memory [ ("x.html", String.make 2_053 'x') ] in
  at_most "a file" 260.
    (words "GET /x.html HTTP/1.1\r\nHost: 10.0.0.11\r\n\r\n" (Files.handler tree))

(* Idle connections hold two small buffers. *)
let idle_connections () =
  let before = Weir_test.Words.live () in
  let connections =
    List.init 1_000 (fun _ ->
        let m =
          Connection.create ~limits
            ~buffers:(Buffers.create ~most:1 ~keep:1 ())
            ~date:(fun () -> "")
            ~stop:(fun () -> false)
            ()
        in
        assert (Connection.next m = Read_idle);
        m)
  in
  let each = (Weir_test.Words.live () - before) / 1_000 in
  ignore (Sys.opaque_identity connections);
  if each > 700 then Alcotest.failf "%d words an idle connection" each

(* Clients that do not read on: each holds what was made for it and not taken. *)
let stalled_connections () =
  let n = 1_000 and buffers = Buffers.create () in
  let before = Weir_test.Words.live () in
  let request = Cases.get [] in
  let stalled _ =
    let m =
      Connection.create ~limits ~buffers ~date:(fun () -> "") ~stop:(fun () -> false) ()
    in
    ignore (Connection.read_space m : int);
    Bytes.blit_string request 0 (Connection.read_bytes m) (Connection.read_at m) (String.length request);
    Connection.received m (String.length request);
    assert (Connection.next m = Handle);
    assert (Connection.respond m ~status:200 ~headers:(Http.Header.init ()) (Sized gigabyte));
    assert (Connection.next m = Fill);
    Connection.filled m (Connection.fill_space m);
    assert (Connection.next m = Write);
    m
  in
  let connections = List.init n stalled in
  let words = Weir_test.Words.live () - before in
  let bound = ((64 * Buffers.size buffers) + (n * Buffers.scarce buffers)) / 8 + (n * 900) in
  if words > bound then Alcotest.failf "%d words for %d connections, not %d" words n bound;
  List.iter Connection.release connections
  [@@ocamlformat "disable"]

(* {1 Time} *)

(* A parser that looked at its buffer again for each byte would need hours. *)
let linear () =
  let limits = { limits with header_bytes = 2_000_000 } in
  let server = Server.create ~limits () in
  let bytewise what raw expected =
    let at = ref 0 in
    let flow =
      object
        inherit Flow.flow

        method read_into b ~off ~len:_ =
          if !at = String.length raw then raise Script.Stalled
          else (
            Bytes.set b off raw.[!at];
            incr at;
            1)

        method write b ~off ~len =
          Alcotest.(check string) what expected (Bytes.sub_string b (off + 9) (min 3 len))
      end
    in
    let began = Sys.time () in
    (try Server.serve_connection server flow (count_body (ref 0)) with Script.Stalled -> ());
    let took = Sys.time () -. began in
    if took > 5. then Alcotest.failf "%s took %.1f s" what took
  in
  let million = String.make 1_000_000 'x' in
  bytewise "a long value" (Cases.get [ "X: " ^ million ]) "200";
  bytewise "a long name" (Cases.get [ million ^ ": y" ]) "200";
  bytewise "many fields" (Cases.get (List.init 99 (fun _ -> "X: " ^ String.make 10_000 'y'))) "200";
  bytewise "tiny chunks"
    (Cases.chunked (String.concat "" (List.init 200_000 (fun _ -> "1\r\na\r\n")) ^ "0\r\n\r\n"))
    "200"

(* Sixty connections, each with a page of 2,053 bytes that is being sent: the pool
   serves them all again and again. *)
let many_at_once () =
  let buffers = Buffers.create () in
  let machine _ =
    Connection.create ~limits:Limits.default ~buffers
      ~date:(fun () -> "")
      ~stop:(fun () -> false)
      ()
  in
  let machines = List.init 60 machine and page = String.make 2_053 'x' in
  let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n" and headers = Http.Header.init () in
  let ask m =
    ignore (Connection.next m : Connection.action);
    let b = Connection.read_bytes m and at = Connection.read_at m in
    Bytes.blit_string request 0 b at (String.length request);
    Connection.received m (String.length request);
    assert (Connection.next m = Handle);
    assert (Connection.respond m ~status:200 ~headers (String page));
    assert (Connection.next m = Write)
  in
  let rec sent m =
    if Connection.next m = Write then (
      Connection.written m;
      sent m)
  in
  let round () =
    List.iter ask machines;
    List.iter sent machines
  in
  round ();
  let words =
    Words.allocated (fun () ->
        for _ = 1 to 10 do
          round ()
        done)
    /. 600.
  in
  if words > 200. then Alcotest.failf "%.0f words a response" words

let groups =
  let case = Suite.case in
  [
    ( "a gigabyte in flat memory",
      [
        case "upload by length" upload_sized;
        case "upload in chunks" upload_chunked;
        case "download by length" (fun () -> download (Some gigabyte));
        case "download in chunks" (fun () -> download None);
        case "client" client;
      ] );
    ( "cost",
      [
        case "words a request" few_words;
        case "idle connections" idle_connections;
        case "stalled connections" stalled_connections;
        case "linear work" linear;
        case "many responses at once" many_at_once;
      ] );
  ]

(* Views of a connection's receive buffer, and what may happen while one is
   shown. In virtual time: what comes late shows. *)

open Eio.Std
open Weir_flow
module Connection = Weir_eio.Connection
module Suite = Weir_test.Suite

type clock = Eio.Time.Mono.ty r

let now (clock : clock) = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now clock))
let ms n = n * 1_000_000

let sleep (clock : clock) ns =
  Eio.Time.Mono.sleep_until clock (Mtime.of_uint64_ns (Int64.of_int (now clock + ns)))

(* A connection between two hosts, their buffers of that size. *)
let with_pair ?(buffer = 1 lsl 20) f =
  Eio_mock.Backend.run_full @@ fun env ->
  let clock = (env#mono_clock :> clock) in
  Switch.run @@ fun sw ->
  let near, far = Weir_link.Memory.pair () in
  let config = { Weir_core.Config.default with receive_buffer = buffer; send_buffer = buffer } in
  let host n link address =
    Weir_eio.host ~sw ~clock ~config ~random:(Random.State.make [| n |]) ~link ~address ()
  in
  let a = host 1 near "10.0.0.1/24" and b = host 2 far "10.0.0.2/24" in
  let listener = Weir_eio.Network.listen b ~sw ~port:7 ~backlog:4 in
  let server, client =
    Fiber.pair
      (fun () -> Weir_eio.Network.accept listener ~sw)
      (fun () -> Weir_eio.Network.connect a ~sw (Ipaddr.of_string_exn "10.0.0.2") ~port:7)
  in
  f clock server client

let pattern = Weir_test.Text.random

(* The window closes while a view is shown; as views are done with it opens, and
   the peer is told at once: what its probes find out comes much later. *)
let zero_window () =
  let n = 300_000 in
  let took read =
    with_pair ~buffer:8_192 @@ fun clock s c ->
    let sent = pattern n and got = Buffer.create n in
    let s = Connection.flow s and c = Connection.flow c in
    Fiber.both
      (fun () ->
        Flow.write_string c sent;
        c#shutdown_send)
      (fun () ->
        let rec go k =
          (* So long that the peer has filled the buffer. *)
          if k < 3 then sleep clock (ms 150);
          let { Slice.bytes; off; len } = read s in
          if k < 3 then sleep clock (ms 150);
          Buffer.add_subbytes got bytes off len;
          if len > 0 then go (k + 1)
        in
        go 0);
    Alcotest.(check bool) "all" true (Buffer.contents got = sent);
    now clock
  in
  let copied s =
    let b = Bytes.create 8_192 in
    Slice.make b ~off:0 ~len:(Flow.read_into s b ~off:0 ~len:8_192)
  in
  let views = took Flow.read and copies = took copied in
  if views > copies + ms 50 then
    Alcotest.failf "%d ms by views, %d by copies" (views / ms 1) (copies / ms 1)

(* Both wait when the bytes come; then each comes to one of them. *)
let two_readers () =
  with_pair @@ fun clock s c ->
  let flow = Connection.flow s and c = Connection.flow c in
  let seen = ref [] in
  let viewing () =
    let rec go () =
      let view = Flow.read flow in
      if view.len > 0 then begin
        seen := Slice.to_string view :: !seen;
        Fiber.yield ();
        go ()
      end
    in
    go ()
  and copying () =
    let b = Bytes.create 100 in
    let rec go () =
      let n = Flow.read_into flow b ~off:0 ~len:3 in
      if n > 0 then begin
        seen := Bytes.sub_string b 0 n :: !seen;
        go ()
      end
    in
    go ()
  in
  let sent = List.init 50 (fun i -> Printf.sprintf "%02d bottles " i) in
  Fiber.all
    [
      viewing;
      copying;
      viewing;
      (fun () ->
        List.iter
          (fun s ->
            Flow.write_string c s;
            sleep clock (ms 1))
          sent;
        c#shutdown_send);
    ];
  Alcotest.(check string)
    "each byte once" (String.concat "" sent)
    (String.concat "" (List.rev !seen))

(* The view stays as it was while more comes than the ring then holds. *)
let growing () =
  with_pair @@ fun clock s c ->
  let flow = Connection.flow s and c = Connection.flow c in
  Flow.write_string c "first";
  let view = Flow.read flow in
  let more = pattern 60_000 in
  Flow.write_string c more;
  c#shutdown_send;
  sleep clock (ms 100);
  Alcotest.(check string) "as it was" "first" (Slice.to_string view);
  Alcotest.(check bool) "the rest" true (Flow.read_all flow ~max:1_000_000 = more);
  Alcotest.(check int) "the end" 0 (Flow.read flow).len

let shown s c =
  let flow = Connection.flow s and c = Connection.flow c in
  Flow.write_string c "shown";
  let view = Flow.read flow in
  (flow, c, view)

let reset () =
  with_pair @@ fun clock s c ->
  let flow, client, view = shown s c in
  Flow.write_string flow "unread";
  sleep clock (ms 10);
  client#close;
  sleep clock (ms 10);
  Alcotest.(check string) "still there" "shown" (Slice.to_string view);
  (match Flow.read flow with
  | _ -> Alcotest.fail "read"
  | exception Flow.Error (Flow.Reset, _) -> ());
  flow#close

let receive_shut () =
  with_pair @@ fun clock s c ->
  let flow, client, view = shown s c in
  Flow.write_string client "more";
  sleep clock (ms 100);
  Connection.shutdown s `Receive;
  Alcotest.(check string) "still there" "shown" (Slice.to_string view);
  Alcotest.(check string) "what had come" "more" (Slice.to_string (Flow.read flow));
  Alcotest.(check int) "the end" 0 (Flow.read flow).len;
  Flow.write_string client "late";
  sleep clock (ms 100);
  Alcotest.(check string) "also later, as Linux has it" "late" (Slice.to_string (Flow.read flow));
  flow#close

(* Given up before, with and after the bytes' coming: none is lost. *)
let given_up () =
  with_pair @@ fun clock s c ->
  let flow, client, _ = shown s c in
  let got = Buffer.create 1_000 in
  let read () = Buffer.add_string got (Slice.to_string (Flow.read flow)) in
  let sent = List.init 300 string_of_int in
  List.iteri
    (fun i text ->
      Fiber.all
        [
          (fun () ->
            Fiber.first read (fun () ->
                for _ = 1 to i mod 11 do
                  Fiber.yield ()
                done));
          (fun () -> Flow.write_string client text);
        ];
      if i mod 3 = 0 then sleep clock (ms 1))
    sent;
  client#shutdown_send;
  Buffer.add_string got (Flow.read_all flow ~max:10_000);
  Alcotest.(check string) "all" (String.concat "" sent) (Buffer.contents got)

(* Views, copies and Eio's reads of one stream, in any order. *)
let mixed =
  Suite.qcheck
    (QCheck2.Test.make ~name:"views, copies and Eio's reads mixed" ~count:60
       QCheck2.Gen.(pair (list_size (int_range 1 60) (pair (int_bound 2) (int_bound 3_000))) int)
       (fun (steps, seed) ->
         with_pair ~buffer:4_096 @@ fun clock s c ->
         let r = Random.State.make [| seed |] in
         let sent = pattern 60_000 and got = Buffer.create 60_000 in
         let flow = Connection.flow s and client = Connection.flow c in
         let socket = Connection.socket s in
         let step (kind, n) =
           if Random.State.bool r then sleep clock (ms (Random.State.int r 30));
           match kind with
           | 0 ->
               let v = Flow.read flow in
               if Random.State.bool r then sleep clock (ms (Random.State.int r 30));
               Buffer.add_string got (Slice.to_string v)
           | 1 ->
               let b = Bytes.create (n + 1) in
               Buffer.add_subbytes got b 0 0;
               let n = Flow.read_into flow b ~off:0 ~len:(n + 1) in
               Buffer.add_subbytes got b 0 n
           | _ -> (
               let b = Cstruct.create (n + 1) in
               match Eio.Flow.single_read socket b with
               | n -> Buffer.add_string got (Cstruct.to_string b ~len:n)
               | exception End_of_file -> ())
         in
         Fiber.both
           (fun () ->
             Flow.write_string client sent;
             client#shutdown_send)
           (fun () ->
             List.iter step steps;
             Buffer.add_string got (Flow.read_all flow ~max:1_000_000));
         Buffer.contents got = sent))

(* A run that is not inside the bytes is refused before any byte moves. *)
let bad_runs () =
  with_pair @@ fun _ s c ->
  let flow = Connection.flow s and client = Connection.flow c in
  let b = Bytes.make 2_000_000 'x' in
  let refused what f =
    match f () with () -> Alcotest.failf "%s: taken" what | exception Invalid_argument _ -> ()
  in
  List.iter
    (fun (off, len) ->
      let what = Printf.sprintf "%d, %d" off len in
      refused what (fun () -> Flow.write client b ~off ~len);
      refused what (fun () ->
          Flow.writev client [ Slice.of_string "y"; { Slice.bytes = b; off; len } ]);
      refused what (fun () -> ignore (Flow.read_into flow b ~off ~len)))
    [ (0, 2_000_001); (1, 2_000_000); (-1, 1); (0, -1); (max_int, 2) ];
  client#shutdown_send;
  Alcotest.(check int) "nothing was sent" 0 (Flow.read flow).len

let tests =
  [
    ( "views",
      [
        Suite.case "a window that was closed" zero_window;
        Suite.case "two readers" two_readers;
        Suite.case "the ring grows" growing;
        Suite.case "a reset" reset;
        Suite.case "receiving is shut down" receive_shut;
        Suite.case "reads given up" given_up;
        Suite.case "runs outside the bytes" bad_runs;
        mixed;
      ] );
  ]

(* How fast frames pass: no limit is checked but the absurd, the figures are in
   the test's output (run with -v, or see _build/_tests). *)

open Weir_link
open Weir_test

let time f =
  let t = Unix.gettimeofday () in
  f ();
  Unix.gettimeofday () -. t

let report what n seconds =
  Printf.printf "%s: %.0f ns a frame, %.2f million/s\n%!" what
    (seconds *. 1e9 /. float_of_int n)
    (float_of_int n /. seconds /. 1e6);
  if seconds /. float_of_int n > 100e-6 then Alcotest.failf "%s: below 10,000 frames/s" what

(* Frames of an ethertype that the kernel drops. *)
let writing kind len () =
  Station.with_device kind (fun tap ->
      let pool = Frame.pool ~size:2_048 () in
      let n = 20_000 in
      let seconds =
        time (fun () ->
            for _ = 1 to n do
              let f = Frame.alloc pool in
              Frame.set_length f len;
              Bytes.fill f.data 0 12 '\xff';
              Bytes.set_uint16_be f.data 12 0x88b5;
              tap#send ~now:0 f
            done;
            tap#flush)
      in
      report (Printf.sprintf "write %d bytes" len) n seconds;
      Alcotest.(check int) "all sent" n tap#stats.tx_frames)

let reading kind len () =
  Station.with_device kind (fun tap ->
      let socket = Station.broadcast_socket () in
      let text = String.make (len - 42) 'x' in
      let seconds = ref 0. and frames = ref 0 in
      for _ = 1 to 200 do
        for _ = 1 to 100 do
          Station.shout socket ~port:9 text
        done;
        let rec go () =
          let f = tap#receive ~now:0 in
          if f != Frame.none then (
            incr frames;
            Frame.release f;
            go ())
        in
        seconds := !seconds +. time go
      done;
      Unix.close socket;
      report (Printf.sprintf "read %d bytes" len) !frames !seconds;
      if !frames < 20_000 then Alcotest.failf "only %d frames came" !frames)

let over kind =
  [
    Suite.case "writing 60 bytes" (writing kind 60);
    Suite.case "writing 1,514 bytes" (writing kind 1_514);
    Suite.case "reading 60 bytes" (reading kind 60);
    Suite.case "reading 1,514 bytes" (reading kind 1_514);
  ]

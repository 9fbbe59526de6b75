(* Streams that never pause: none starves another, or the calls beside them, though
   each has the credit to fill all that may be unsent, again and again. *)

open Eio.Std
open Weir_rpc
open Pair
module Suite = Weir_test.Suite
module Codec = Weir_message.Codec

let flood = Method.Download (Method.make "flood" Codec.string Codec.string)
let sink = Method.Upload (Method.make "sink" Codec.string Codec.unit)
let echo = Methods.echo
let message = String.make 500 'm'
let streams = 6
let enough = 6_000
let limits = { Limits.default with unsent = 2_048; window = 65_536 }

(* [each i took] is one stream, which calls [took ()] for each message and ends when
   that is false. *)
let shares j each =
  let taken = Array.make streams 0 and echoes = ref 0 in
  let go_on () = Array.fold_left ( + ) 0 taken < enough in
  let one i =
    each (fun () ->
        taken.(i) <- taken.(i) + 1;
        go_on ())
  in
  let rec calls () =
    if go_on () then begin
      ignore (got (j.client.call echo message));
      incr echoes;
      calls ()
    end
  in
  Fiber.both (fun () -> Fiber.List.iter one (List.init streams Fun.id)) calls;
  let least = Array.fold_left Int.min max_int taken in
  if least < enough / streams / 2 then
    Alcotest.failf "one of %d streams had %d messages of %d" streams least enough;
  if !echoes < enough / streams / 4 then Alcotest.failf "%d calls beside %d messages" !echoes enough

exception Enough

let handlers ~pause:_ =
  let rec flooding send =
    send message;
    flooding send
  in
  let rec sinking receive = match receive () with None -> () | Some _ -> sinking receive in
  [
    Service.Handler (echo, Fun.id);
    Download (flood, fun _ send -> flooding send);
    Upload (sink, sinking);
  ]

let downloads drivers =
  joined ~limits ~client_limits:limits ~capacity:2_000 drivers handlers @@ fun j ->
  shares j (fun took ->
      match j.client.download flood "" (fun ~pause:_ _ -> if not (took ()) then raise Enough) with
      | Ok () | Error _ -> Alcotest.fail "it ended"
      | exception Enough -> ());
  end_well j

let uploads drivers =
  joined ~limits ~client_limits:limits ~capacity:2_000 drivers handlers @@ fun j ->
  shares j (fun took ->
      got
        (j.client.upload sink (fun ~pause:_ send ->
             while
               assert (send message);
               took ()
             do
               ()
             done)));
  end_well j

let tests = [ ("fairness", each "downloads" downloads @ each "uploads" uploads) ]

(* What programs write is read, in each format, under the default limit of memory: also long
   messages, and those that are nested. *)

open Weir_protobuf
module G = QCheck2.Gen
module Suite = Weir_test.Suite

let limit_reached = Unsafe.Unfolding.limit_reached
let size = 100_000

(* Encodings one behind the other are a message of all their lists. *)
let rec long random codec gen b n =
  if Buffer.length b >= size || n = 0 then Buffer.contents b
  else (
    Buffer.add_string b (Codec.encode codec (G.generate1 ~rand:random gen));
    long random codec gen b (n - 1))

(* The lengths of those formats in which it was written. *)
let read_in_each what codec v =
  let refused format s = function
    | Error (e : Error.t) when e.reason = limit_reached ->
        Alcotest.failf "%s, %s of %d bytes: %s" what format (String.length s) (Error.to_string e)
    | Ok _ | Error _ -> String.length s
  in
  let s = Codec.encode codec v in
  let other format encode decode =
    match encode codec v with
    | s -> refused format s (decode codec s)
    | exception Error.Error _ -> 0
  in
  ( refused "binary" s (Codec.decode codec s),
    other "JSON" (fun c v -> Json.encode c v) (fun c s -> Json.decode c s),
    other "text" (fun c v -> Text.encode c v) (fun c s -> Text.decode c s) )

let honest (Subjects.Subject { name; codec; gen }) =
  Suite.case name (fun () ->
      let random = Random.State.make [| Suite.seed () |] in
      for i = 1 to Suite.iterations 10_000 / 1_000 do
        let s = long random codec gen (Buffer.create size) (1 lsl (2 * Int.min i 10)) in
        match Codec.decode ~memory:max_int codec s with
        | Ok v -> ignore (read_in_each name codec v)
        | Error _ -> ignore (read_in_each name codec (G.generate1 ~rand:random gen))
      done)

(* Three levels of lists of numbers of each width. *)
let nested () =
  let rec entry n number : More.entry =
    let numbers = List.init 120 (fun i -> number (i + n)) in
    {
      e1 = Some "first";
      e2 = numbers;
      e3 = None;
      e4 = n;
      e5 = (if n = 0 then [] else List.init 3 (fun _ -> entry (n - 1) number));
      e6 = Array.of_list numbers;
      e7 = [ "a"; "b" ];
      e8 = numbers;
      e9 = None;
    }
  in
  List.iter
    (fun (what, number) ->
      let check levels least =
        let _, json, text = read_in_each what More.entry_protobuf (entry levels number) in
        if json < least || text < least then Alcotest.failf "%s: only %d, %d bytes" what json text
      in
      check 2 9_000;
      check 3 28_000)
    [
      ("of one digit", fun i -> i mod 10);
      ("of five digits", fun i -> 12_345 + i);
      ("of 18 digits", fun i -> 123_456_789_012_345_678 + i);
      ("of 19 digits", fun i -> max_int - i);
      ("negative of 19 digits", fun i -> min_int + i);
    ]

let cases = Suite.case "entries of entries" nested :: List.map honest Subjects.all

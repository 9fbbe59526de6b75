(* Mutated requests in random cuts: the same answers as in one piece, replies
   that can be read, no exception, a bounded number of steps, no growth. *)

open Weir_test

let base = Array.of_list (List.map (fun (_, raw, _) -> raw) Cases.all)
let pick rng a = a.(Random.State.int rng (Array.length a))

let telling =
  [| "\r\n"; "\r"; "\n"; " "; "\t"; ":"; ";"; ","; "0"; "\r\n\r\n"; "\000"; "chunked"; "Transfer-Encoding: chunked\r\n"; "Content-Length: 3\r\n"; "Host: a\r\n"; "GET / HTTP/1.1\r\n"; "GET /unread HTTP/1.1\r\nHost: a\r\n\r\n"; "0\r\n\r\n"; "5;x=y\r\nhello\r\n"; "HTTP/1.0"; "\xff"; "ffffffffffff" |]
  [@@ocamlformat "disable"]

let splice s at drop insert =
  String.sub s 0 at ^ insert ^ String.sub s (at + drop) (String.length s - at - drop)

let mutate rng s =
  let n = String.length s in
  let at = if n = 0 then 0 else Random.State.int rng n in
  let some = min (n - at) (1 + Random.State.int rng 12) in
  match Random.State.int rng 7 with
  | 0 when n > 0 -> splice s at 1 (String.make 1 (Char.chr (Random.State.int rng 256)))
  | 1 -> splice s at 0 (pick rng telling)
  | 2 -> splice s at some ""
  | 3 -> splice s at some (pick rng telling)
  | 4 -> splice s at 0 (String.sub s at some)
  | 5 -> String.sub s 0 at
  | _ -> s ^ pick rng base

let rec times n f x = if n = 0 then x else times (n - 1) f (f x)
let input rng = times (1 + Random.State.int rng 4) (mutate rng) (pick rng base)

let rec cut rng s =
  let n = String.length s in
  if n = 0 then []
  else
    let k = min n (1 + Random.State.int rng (1 + Random.State.int rng 60)) in
    String.sub s 0 k :: cut rng (String.sub s k (n - k))

let readable raw (outcome : Script.outcome) =
  (* A reply to HEAD cannot be told from others here. *)
  if Script.find_sub raw "HEAD" 0 = None then ignore (Script.replies outcome.output)

let one server rng =
  let raw = input rng in
  let at_end = if Random.State.bool rng then `End else `Stall in
  let run chunks =
    let outcome = Script.serve ~at_end server Cases.handler chunks in
    if outcome.flow#reads > List.length chunks + 2 + (String.length raw / 2_040) then
      Alcotest.failf "%d reads for %S" outcome.flow#reads raw;
    if String.length outcome.output > 200 * (String.length raw + 1) then
      Alcotest.failf "%d bytes in answer to %S" (String.length outcome.output) raw;
    outcome
  in
  try
    let whole = run [ raw ] in
    readable raw whole;
    let parts = cut rng raw in
    let pieces = run parts in
    if whole.output <> pieces.output || whole.kept <> pieces.kept then
      Alcotest.failf "cut otherwise, %S is answered %S instead of %S" (String.concat "|" parts)
        pieces.output whole.output
  with e -> Alcotest.failf "%S: %s" raw (Printexc.to_string e)

let requests () =
  let rng = Random.State.make [| 2_026 |] in
  let server = Cases.server () in
  let count = Suite.iterations 60_000 in
  for _ = 1 to count / 10 do one server rng done;
  let before = Weir_test.Words.live () in
  for _ = 1 to count do one server rng done;
  let grown = Weir_test.Words.live () - before in
  if grown > 20_000 then Alcotest.failf "%d live words more" grown
  [@@ocamlformat "disable"]

(* Random bytes into the client. *)
let responses () =
  let open Weir_http in
  let rng = Random.State.make [| 2_027 |] in
  let base = Array.of_list (List.map (fun (_, raw, _) -> raw) Test_client.cases) in
  let limits = { Cases.limits with request_line = 200 } in
  let outcome chunks = Test_client.outcome ~limits ~at_end:`End chunks in
  for _ = 1 to Suite.iterations 20_000 do
    let raw = times (1 + Random.State.int rng 4) (mutate rng) (pick rng base) in
    let raw = String.sub raw 0 (min 3_000 (String.length raw)) in
    match (outcome [ raw ], outcome (cut rng raw)) with
    | whole, pieces -> Alcotest.(check string) (String.escaped raw) whole pieces
    | exception Error.Failed e -> Alcotest.failf "%S raised: %s" raw e.reason
  done

let groups = [ ("fuzz", [ Suite.case "requests" requests; Suite.case "responses" responses ]) ]

open Eio.Std

type net = [ `Generic ] Eio.Net.ty r
type t = { server : net; at : string; client : net; sleep : float -> unit }

let address a = Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets (Ipaddr.of_string_exn a))
let tcp a port : Eio.Net.Sockaddr.stream = `Tcp (address a, port)

let pair w ~sw =
  let l = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:4 w.server (tcp "0.0.0.0" 80) in
  let ends =
    Fiber.pair
      (fun () -> fst (Eio.Net.accept ~sw l))
      (fun () -> Eio.Net.connect ~sw w.client (tcp w.at 80))
  in
  Eio.Net.close l;
  ends

let text n = String.init n (fun i -> Char.unsafe_chr (97 + (i mod 26)))

type ending = End | Reset

let ending =
  Alcotest.of_pp (fun f e -> Fmt.string f (match e with End -> "end" | Reset -> "reset"))

let read_out flow =
  let out = Buffer.create 1_000 and buf = Cstruct.create 4_096 in
  let rec go () =
    match Eio.Flow.single_read flow buf with
    | n ->
        Buffer.add_string out (Cstruct.to_string buf ~len:n);
        go ()
    | exception End_of_file -> End
    | exception Eio.Io (Eio.Net.E (Connection_reset _), _) -> Reset
  in
  let ending = go () in
  (Buffer.contents out, ending)

(* Long enough for what is sent to arrive. *)
let settle w = w.sleep 0.02

let first_bytes s =
  let head = Cstruct.create 1_000 in
  Eio.Flow.read_exact s head;
  Cstruct.to_string head

let reset_after_fin w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  let sent = text 60_000 in
  Eio.Flow.copy_string sent c;
  Eio.Flow.shutdown c `Send;
  let head = first_bytes s in
  settle w;
  Eio.Flow.copy_string "unread" s;
  settle w;
  Eio.Flow.close c;
  settle w;
  let rest, how = read_out s in
  Alcotest.check ending "the FIN had come" End how;
  Alcotest.(check bool) "and every byte before it" true (head ^ rest = sent)

let cut_stream w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  let sent = text 20_000_000 in
  let write () =
    match Eio.Flow.copy_string sent c with
    | () -> Alcotest.fail "all was written"
    | exception Eio.Io (Eio.Net.E (Connection_reset _), _) -> ()
  and read () =
    let head = first_bytes s in
    Eio.Flow.copy_string "unread" s;
    settle w;
    Eio.Flow.shutdown c `All;
    Eio.Flow.close c;
    settle w;
    let rest, how = read_out s in
    Alcotest.check ending "it was cut" Reset how;
    let got = head ^ rest in
    if got <> String.sub sent 0 (String.length got) then Alcotest.fail "wrong bytes"
  in
  Fiber.both write read

let early_answer w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  Eio.Flow.copy_string (text 3_000) c;
  settle w;
  Eio.Flow.copy_string "413, too large" s;
  settle w;
  Eio.Flow.close s;
  settle w;
  let answer, how = read_out c in
  Alcotest.(check string) "the answer" "413, too large" answer;
  Alcotest.check ending "then" Reset how

let receive_shut w =
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  Eio.Flow.copy_string "early" c;
  settle w;
  Eio.Flow.shutdown s `Receive;
  let got, how = read_out s in
  Alcotest.(check string) "what had come" "early" got;
  Alcotest.check ending "then" End how

let all =
  [
    ("a reset after the FIN", reset_after_fin);
    ("a stream that is cut", cut_stream);
    ("an early answer, then a reset", early_answer);
    ("receiving is shut down", receive_shut);
  ]

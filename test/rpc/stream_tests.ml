(* Streams as machines: what goes through, how much is kept, and peers that break
   the rules. *)

open Weir_rpc
module Suite = Weir_test.Suite
module Output = Weir_message.Output
open Joined

let error = Alcotest.testable Weir_rpc.Error.pp ( = )

let open_ t shape name request answers =
  let id =
    Caller.call t.caller ~shape ~timeout_us:0 name
      (fun out -> Output.add_string out request)
      (fun a -> answers := Result.map Weir_flow.Slice.to_string a :: !answers)
  in
  (id, Option.get (Caller.stream t.caller id))

let served t id = Option.get (Callee.stream t.callee id)
let sent = Alcotest.testable (fun ppf (_ : Stream.sent) -> Format.pp_print_string ppf "sent") ( = )
let next = Alcotest.testable (fun ppf (_ : Stream.next) -> Format.pp_print_string ppf "next") ( = )

let both_ways () =
  let t = greeted () in
  let got = ref [] in
  let id, here = open_ t Both "m" "" got in
  Alcotest.(check bool) "opened" true (upward t = [ `Call (id, 0, "m", "") ]);
  let there = served t id in
  Alcotest.check sent "a request" Sent (Stream.send here "one");
  Alcotest.check sent "a response" Sent (Stream.send there "two");
  Stream.finish here;
  Stream.finish here;
  Alcotest.check sent "no more" Over (Stream.send here "three");
  Alcotest.(check bool) "came" true (upward t = [ `Stream; `Stream ]);
  downward t;
  Alcotest.check next "there" (Message "one") (Stream.next there);
  Alcotest.check next "its end" End (Stream.next there);
  Alcotest.check next "here" (Message "two") (Stream.next here);
  Alcotest.check next "not yet" Nothing_yet (Stream.next here);
  Alcotest.check sent "still" Sent (Stream.send there "last");
  reply t id "";
  downward t;
  Alcotest.(check (list (result string error))) "answered" [ Ok "" ] !got;
  Alcotest.check next "what came before" (Message "last") (Stream.next here);
  Alcotest.check next "the end" End (Stream.next here);
  Alcotest.check sent "over there" Over (Stream.send there "late");
  Alcotest.(check bool) "forgotten" true (Callee.stream t.callee id = None)

(* A window of 4,080 bytes: half of it for one message, and 32 for each. *)
let credit () =
  let t = greeted () in
  let id, here = open_ t Up "m" "" (ref []) in
  ignore (upward t);
  let there = served t id in
  let longest = (4_080 / 2) - Stream.overhead in
  Alcotest.check sent "too long" (Too_long longest)
    (Stream.send here (String.make (longest + 1) 'x'));
  let fill () =
    let rec go n = if Stream.send here (String.make 70 'x') = Sent then go (n + 1) else n in
    go 0
  in
  Alcotest.(check int) "forty" 40 (fill ());
  ignore (upward t);
  for _ = 1 to 19 do
    ignore (Stream.next there)
  done;
  downward t;
  Alcotest.(check int) "nothing yet" 0 (fill ());
  ignore (Stream.next there);
  downward t;
  Alcotest.(check int) "twenty more" 20 (fill ());
  ignore (upward t);
  (* Nobody takes any more: nothing is kept, and the other side is not in the way. *)
  Stream.discard there;
  downward t;
  Alcotest.(check int) "all but what is withheld" 40 (fill ());
  ignore (upward t);
  Alcotest.(check bool) "not ready" false (Stream.ready there);
  Alcotest.check sent "the other way" Over (Stream.send there "x");
  (* Empty ones count too. *)
  let _, other = open_ t Up "m" "" (ref []) in
  let rec count n = if Stream.send other "" = Sent then count (n + 1) else n in
  Alcotest.(check int) "127 empty ones" 127 (count 0)

(* The server answers; what the client sent before it knew is dropped. *)
let crossing () =
  let t = greeted () in
  let got = ref [] in
  let id, here = open_ t Up "m" "" got in
  ignore (upward t);
  reply t id "early";
  Alcotest.check sent "not known yet" Sent (Stream.send here "late");
  Stream.finish here;
  Alcotest.(check bool) "dropped" true (upward t = []);
  downward t;
  Alcotest.check sent "known" Over (Stream.send here "later");
  Alcotest.(check int) "none left" 0 (Callee.running t.callee + Caller.unanswered t.caller)

let given_up () =
  let t = greeted () in
  let got = ref [] in
  let id, here = open_ t Down "m" "request" got in
  Alcotest.(check bool) "with its request" true (upward t = [ `Call (id, 0, "m", "request") ]);
  let there = served t id in
  ignore (Stream.send there "one");
  downward t;
  Caller.cancel t.caller id;
  Alcotest.check next "forgotten" Given_up (Stream.next here);
  ignore (Stream.send there "two");
  Callee.fail t.callee id (Failure.make Cancelled "");
  downward t;
  Alcotest.(check int) "answered" 1 (List.length !got);
  Alcotest.check next "still" Given_up (Stream.next here);
  let _, here = open_ t Both "m" "" got in
  Caller.close t.caller Ended;
  Alcotest.check next "closed" End (Stream.next here);
  Alcotest.check sent "closed" Over (Stream.send here "x");
  (* The server's side: not its streams' end, which would be a lie. *)
  let t = greeted () in
  let streams () =
    let id, here = open_ t Both "m" "" got in
    ignore (Stream.send here "lost");
    ignore (upward t);
    (id, served t id)
  in
  let id, first = streams () and _, second = streams () in
  Caller.cancel t.caller id;
  Alcotest.(check bool) "told" true (upward t = [ `Cancel id ]);
  let over what s =
    Alcotest.check next what Given_up (Stream.next s);
    Alcotest.check sent what Over (Stream.send s "x")
  in
  over "cancelled" first;
  Alcotest.check next "the other lives" (Message "lost") (Stream.next second);
  Alcotest.check next "still" Nothing_yet (Stream.next second);
  Callee.close t.callee;
  over "at the connection's end" second

(* The peer's window is its own affair: it gives credit by halves of what it said. *)
let wide_window () =
  let t = create () in
  let input f = Result.map ignore (Callee.input t.callee f) in
  let feed l = get "upward" (feed t.up input (String.concat "" (List.map frame l))) in
  feed [ "\000WEIR\001\x80\x20\004\x80\x80\x04" (* 4,096 and 65,536 *); "\006\001\000\001m\002" ];
  let s = served t 1 and text = String.make 2_000 'x' in
  Alcotest.check sent "no frame holds it" (Too_long (4_096 - 16)) (Stream.can_send s 4_081);
  for i = 1 to 65_536 / 2_032 do
    Alcotest.check sent (string_of_int i) Sent (Stream.send s text)
  done;
  Alcotest.check sent "a window's worth" Wait (Stream.send s text);
  feed [ "\009\001\x80\x80\x02" (* 32,768 *) ];
  Alcotest.check sent "half of it again" Sent (Stream.send s text)

(* {1 Violations} *)

let hello = "\000WEIR\001\x80\x20\004\x80\x10" (* 2,048 *)

let of_client ?(answer = false) ?server frames =
  let t = create ?server () in
  let input f =
    Result.map
      (function Callee.Call { id; _ } when answer -> reply t id "" | _ -> ())
      (Callee.input t.callee f)
  in
  feed t.up input (String.concat "" (List.map frame (hello :: frames)))

let of_server shape frames =
  let t = create () in
  let input = Caller.input t.caller in
  Result.bind
    (feed t.down input (frame hello))
    (fun () ->
      if shape = Method.Single then ignore (call t "m" "" (ref []))
      else ignore (open_ t shape "m" "" (ref []));
      feed t.down input (String.concat "" (List.map frame frames)))

let is name want got = Alcotest.(check (result unit string)) name want got
let item ?(id = 1) len = "\007" ^ String.make 1 (Char.chr id) ^ String.make len 'x'

let violations () =
  let open_ shape = "\006\001\000\001m" ^ String.make 1 (Char.chr shape) in
  let refused name frames why = is name (Error why) (of_client frames) in
  refused "a shape" [ open_ 4 ] "a call with streams of an unknown shape";
  refused "none" [ open_ 0 ] "a call with streams of an unknown shape";
  refused "cut" [ "\006\001\000\001m" ] "a packet is cut off";
  refused "a request" [ open_ 1 ^ "x" ] "a request in the packet that opens a stream of requests";
  refused "a long request"
    [ open_ 2 ^ String.make 4_091 'x' ]
    "a frame of 4097 bytes is longer than the limit";
  is "longer than a window" (Error "a request longer than a stream's window")
    (of_client
       ~server:{ small with message = 100_000; window = 1_024 }
       [ open_ 2 ^ String.make 4_000 'x' ]);
  is "as long as it may be" (Ok ()) (of_client [ open_ 2 ^ String.make 4_000 'x' ]);
  refused "beyond"
    [ open_ 3; item 2_000; item 2_000; item 0 ]
    "a message beyond its stream's credit";
  refused "the other way" [ open_ 2; item 0 ] "a message of a stream that goes the other way";
  refused "its end" [ open_ 2; "\008\001" ] "the end of a stream that goes the other way";
  refused "after" [ open_ 1; "\008\001"; item 0 ] "a message after its stream's end";
  refused "twice" [ open_ 1; "\008\001"; "\008\001" ] "a stream's second end";
  refused "credit" [ open_ 1; "\009\001\001" ] "credit for a stream that goes the other way";
  refused "no credit" [ open_ 2; "\009\001\000" ] "more credit than a stream can have";
  refused "more" [ open_ 2; "\009\001\001" ] "more credit than a stream can have";
  refused "the most"
    [ open_ 2; "\009\001\xff\xff\xff\xff\xff\xff\xff\xff\x3f" ]
    "more credit than a stream can have";
  refused "unknown" [ item 0 ] "a packet for an unknown stream";
  refused "unknown end" [ open_ 1; "\008\002" ] "a packet for an unknown stream";
  refused "unknown credit" [ open_ 1; "\009\002\001" ] "a packet for an unknown stream";
  refused "null" [ open_ 1; item ~id:0 0 ] "a packet for an unknown stream";
  refused "a single call's" [ "\001\001\000\001m"; item 0 ] "a packet for an unknown stream";
  let crossing = [ open_ 3; item 0; "\009\001\x7f"; "\008\001"; "\008\001"; item 900 ] in
  is "what crosses the answer" (Ok ()) (of_client ~answer:true crossing);
  let refused name shape frames why = is name (Error why) (of_server shape frames) in
  refused "beyond" Down [ item 2_000; item 2_000; item 0 ] "a message beyond its stream's credit";
  refused "the other way" Up [ item 0 ] "a message of a stream that goes the other way";
  refused "credit" Up [ "\009\001\001" ] "more credit than a stream can have";
  refused "an end" Both [ "\008\001" ] "a packet that only clients send";
  refused "after" Down [ "\002\001"; item 0 ] "a packet for an unknown stream";
  refused "unknown" Down [ item ~id:2 0 ] "a packet for an unknown stream";
  refused "a single call's" Single [ item 0 ] "a packet for an unknown stream"

(* One that fills all windows, of as many streams as there may be: what is kept is
   bounded by them. *)
let kept () =
  let t = create () in
  let input f = Result.map ignore (Callee.input t.callee f) in
  ignore (feed t.up input (frame hello));
  let before = Obj.reachable_words (Obj.repr t.callee) in
  let rec flood id =
    if id <= 4 then begin
      let opened = Printf.sprintf "\006%c\000\001m\003" (Char.chr id) in
      ignore (feed t.up input (frame opened));
      for _ = 1 to 127 do
        ignore (feed t.up input (frame (item ~id 0)))
      done;
      flood (id + 1)
    end
  in
  flood 1;
  Alcotest.(check int) "all are there" 4 (Callee.running t.callee);
  let grown = 8 * (Obj.reachable_words (Obj.repr t.callee) - before) in
  if grown > 4 * (4_080 + 1_500) then Alcotest.failf "%d bytes" grown

(* A server that sends on and on, and reads none of the credit that is due to it:
   little is kept for it, and it goes too far. *)
let credit_unread () =
  let t = greeted () in
  let id, here = open_ t Down "m" "" (ref []) in
  ignore (Outbox.take (Caller.outbox t.caller));
  let rec go n =
    match feed t.down (Caller.input t.caller) (frame (item ~id 1_000)) with
    | Ok () ->
        Alcotest.check next "taken" (Message (String.make 1_000 'x')) (Stream.next here);
        go (n + 1)
    | Error why ->
        Alcotest.(check string) "why" "a message beyond its stream's credit" why;
        n
  in
  Alcotest.(check int) "a window" 3 (go 0);
  Alcotest.(check bool) "little is due" true (Outbox.length (Caller.outbox t.caller) <= 16)

(* {1 At random}

   Two sides that send, take, discard, finish, answer and cancel as they like, and
   whose bytes pass in any pieces: no violation, nothing out of order, no more than
   a window kept, and what was sent is taken, or the call over. *)
type side = { mutable out : int; mutable into : int }

let random seed =
  let rng = Random.State.make [| seed |] in
  let int n = Random.State.int rng n in
  let limits () = { small with window = 1_024 + int 3_000; unsent = 1 + int 5_000 } in
  let t = greeted ~client:(limits ()) ~server:(limits ()) () in
  let id, here = open_ t Both "m" "" (ref []) in
  ignore (upward t);
  let there = served t id in
  let h = { out = 0; into = 0 } and th = { out = 0; into = 0 } in
  let text n = Printf.sprintf "%d %s" n (String.make (n * 31 mod 300) 'x') in
  let send stream s = if Stream.send stream (text s.out) = Sent then s.out <- s.out + 1 in
  let take stream s =
    match Stream.next stream with
    | Message m ->
        if m <> text s.into then failwith "out of order";
        s.into <- s.into + 1
    | End | Given_up | Nothing_yet -> ()
  in
  for _ = 1 to 400 do
    match int 8 with
    | 0 | 1 -> send here h
    | 2 | 3 -> send there th
    | 4 -> take there th
    | 5 -> take here h
    | 6 -> ignore (upward t)
    | _ -> downward t
  done;
  Stream.finish here;
  let rec settle n =
    if n > 0 then begin
      ignore (upward t);
      downward t;
      take here h;
      take there th;
      settle (n - 1)
    end
  in
  settle 400;
  h.into = th.out && th.into = h.out && Stream.next there = End && Stream.next here = Nothing_yet

let property =
  QCheck2.Test.make ~count:(Suite.iterations 300) ~name:"both sides at random" QCheck2.Gen.int
    random

let tests =
  [
    ( "streams",
      [
        Suite.case "both ways" both_ways;
        Suite.case "credit" credit;
        Suite.case "what crosses an answer" crossing;
        Suite.case "given up" given_up;
        Suite.case "a window beyond a message" wide_window;
        Suite.case "violations" violations;
        Suite.case "what is kept" kept;
        Suite.case "credit that is not read" credit_unread;
        Suite.qcheck property;
      ] );
  ]

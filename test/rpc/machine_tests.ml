open Weir_rpc
open Weir_message
module Suite = Weir_test.Suite
open Joined

let error = Alcotest.testable Weir_rpc.Error.pp ( = )
let answers = Alcotest.(list (result string error))
let ints = Alcotest.(list int)

let out_of_order () =
  let t = greeted () in
  let got = ref [] in
  let ids = List.map (fun s -> call t ("m" ^ s) s got) [ "a"; "b"; "c" ] in
  Alcotest.(check ints) "numbers" [ 1; 2; 3 ] ids;
  Alcotest.(check bool)
    "they come in order" true
    (upward t = [ `Call (1, 0, "ma", "a"); `Call (2, 0, "mb", "b"); `Call (3, 0, "mc", "c") ]);
  Alcotest.(check int) "running" 3 (Callee.running t.callee);
  reply t 2 "B";
  Callee.fail t.callee 3 (Failure.make (Application 7) "no");
  downward t;
  reply t 1 "A";
  downward t;
  Alcotest.check answers "answers"
    [ Ok "B"; Error (Remote { code = Application 7; message = "no" }); Ok "A" ]
    (List.rev !got);
  Alcotest.(check int) "none left" 0 (Caller.unanswered t.caller + Callee.running t.callee)

let before_hello () =
  let t = create () in
  Alcotest.(check bool) "greeting" true (Caller.state t.caller = Greeting);
  (match call t "m" "" (ref []) with
  | _ -> Alcotest.fail "called"
  | exception Invalid_argument _ -> ());
  downward t;
  Alcotest.(check bool) "open" true (Caller.state t.caller = Open 4)

let cancelled () =
  let t = greeted () in
  let got = ref [] in
  let id = call ~timeout_us:5 t "m" "" got in
  Caller.cancel t.caller id;
  Alcotest.(check bool) "told" true (upward t = [ `Call (id, 5, "m", ""); `Cancel id ]);
  Alcotest.(check int) "still counted" 1 (Caller.unanswered t.caller);
  Callee.fail t.callee id (Failure.make Cancelled "");
  downward t;
  Alcotest.(check int) "answered" 1 (List.length !got);
  Alcotest.(check int) "no more" 0 (Caller.unanswered t.caller);
  (* A cancellation that crosses the answer means nothing. *)
  let id = call t "m" "" got in
  ignore (upward t);
  reply t id "done";
  Caller.cancel t.caller id;
  Alcotest.(check bool) "too late" true (upward t = []);
  downward t

let sizes () =
  let t = greeted ~server:{ small with message = 2_048 } () in
  let got = ref [] in
  (match call t "m" (String.make 2_048 'x') got with
  | _ -> Alcotest.fail "sent"
  | exception Output.Too_long -> ());
  Alcotest.(check int) "nothing was" 0 (Outbox.length (Caller.outbox t.caller));
  let id = call t "m" (String.make 2_000 'x') got in
  Alcotest.(check int) "the next is" 1 (List.length (upward t));
  reply t id (String.make 4_096 'y');
  downward t;
  (match !got with
  | [ Error (Remote { code = Too_large; _ }) ] -> ()
  | _ -> Alcotest.fail "too large an answer");
  let id = call t "m" "" got in
  ignore (upward t);
  Alcotest.check_raises "an encoder's" Exit (fun () ->
      Callee.reply t.callee id (fun _ -> raise Exit));
  Callee.fail t.callee id (Failure.make Internal (String.make 5_000 'z'));
  downward t;
  match !got with
  | Error (Remote { code = Internal; message }) :: _ ->
      Alcotest.(check int) "a message is cut" 1_024 (String.length message)
  | _ -> Alcotest.fail "a failure"

let draining () =
  let t = greeted () in
  let got = ref [] in
  let first = call t "m" "" got in
  ignore (upward t);
  Callee.drain t.callee;
  Callee.drain t.callee;
  let _crossing = call t "m" "" got in
  downward t;
  Alcotest.(check bool) "no more" true (Caller.state t.caller = Over Draining);
  Alcotest.(check bool) "not begun" true (upward t = []);
  downward t;
  reply t first "done";
  downward t;
  Alcotest.check answers "both answered"
    [ Ok "done"; Error (Remote { code = Shutting_down; message = "" }) ]
    !got

let closing () =
  let t = greeted () in
  let got = ref [] in
  ignore (call t "m" "" got);
  ignore (call t "m" "" got);
  Caller.close t.caller Ended;
  Caller.close t.caller Stopped;
  Alcotest.check answers "all fail, once" [ Error (Closed Ended); Error (Closed Ended) ] !got;
  Alcotest.(check bool) "over" true (Caller.state t.caller = Over Ended)

let held () =
  let t = greeted ~server:{ small with held = 3_000 } () in
  let got = ref [] in
  let ids = List.init 2 (fun _ -> call t "m" (String.make 2_000 'x') got) in
  ignore (upward t);
  Alcotest.(check bool) "enough" false (Callee.may_read t.callee);
  reply t (List.hd ids) "";
  Alcotest.(check bool) "room again" true (Callee.may_read t.callee);
  reply t (List.nth ids 1) (String.make 4_000 'y');
  Alcotest.(check bool) "little is unsent" true (Callee.may_read t.callee)

(* {1 Violations} *)

let hello = "\000WEIR\001\x80\x20\004"
let full_hello = hello ^ "\xf0\x1f"

let of_client s =
  let t = create () in
  feed t.up (fun f -> Result.map ignore (Callee.input t.callee f)) s

let of_server s =
  let t = create () in
  feed t.down (Caller.input t.caller) s

let refused name side frames why =
  Alcotest.(check (result unit string))
    name (Error why)
    (side (String.concat "" (List.map frame frames)))

let violations () =
  let call id = "\001" ^ String.make 1 (Char.chr id) ^ "\000\001m" in
  refused "no hello" of_client [ call 1 ] "no hello";
  refused "two" of_client [ hello; hello ] "a second hello";
  refused "version" of_client [ "\000WEIR\002\x80\x20\004" ] "another version of the protocol";
  refused "magic" of_client [ "\000weir\001\x80\x20\004" ] "not Weir's protocol";
  refused "small" of_client [ "\000WEIR\001\x10\004" ] "a hello with too small limits";
  refused "empty" of_client [ hello; "" ] "a packet is cut off";
  refused "kind" of_client [ hello; "\010" ] "an unknown kind of packet";
  refused "again" of_client [ hello; call 1; call 1 ] "a call's id is not greater than the last one";
  refused "many" of_client
    [ hello; call 1; call 2; call 3; call 4; call 5 ]
    "too many calls at once";
  refused "no name" of_client [ hello; "\001\001\000\000" ] "a method's name is too long, or empty";
  refused "long name" of_client [ hello; "\001\001\000\x81\x08" ]
    "a method's name is too long, or empty";
  refused "cut name" of_client [ hello; "\001\001\000\005ab" ] "a packet is cut off";
  refused "number" of_client
    [ hello; "\004\xff\xff\xff\xff\xff\xff\xff\xff\x7f" ]
    "a number is too large";
  refused "long" of_client [ hello; "\004\001\001" ] "a packet is too long";
  refused "a reply" of_client [ hello; "\002\001" ] "a packet that only servers send";
  refused "frame" of_client
    [ hello; String.make 4_097 'x' ]
    "a frame of 4097 bytes is longer than the limit";
  refused "no hello" of_server [ "\005" ] "no hello";
  refused "nothing allowed" of_server [ "\000WEIR\001\x80\x20\000" ] "a hello with too small limits";
  refused "no call" of_server [ hello; "\002\001" ] "an answer to an unknown call";
  refused "a call" of_server [ hello; call 1 ] "a packet that only clients send";
  refused "long failure" of_server
    [ hello; "\003\001\007" ^ String.make 1_025 'x' ]
    "a failure's message is too long"

(* {1 Services} *)

let shout = Method.make "shout" Codec.string Codec.string

let number =
  Codec.of_strings ~name:"number" string_of_int (fun s ->
      Option.to_result ~none:"no number" (int_of_string_opt s))

let double = Method.make "double" number number

module Directory = struct
  let find (q : Sample_pb.Query.t) =
    Sample_pb.Address_book.make ~people:[ Sample_pb.Person.make ~name:(q.prefix ^ "da") () ] ()

  let watch (q : Sample_pb.Query.t) send =
    String.iter (fun c -> send (Sample_pb.Person.make ~name:(String.make 1 c) ())) q.prefix
end

let service =
  Service.make
    ([ Service.Handler (shout, String.uppercase_ascii); Service.Handler (double, fun n -> 2 * n) ]
    @ Weir_rpc.Protobuf.handlers (Sample_pb.Directory.handlers (module Directory)))

let ask name request =
  match Service.prepare service Single name (Weir_flow.Slice.of_string request) with
  | Error f -> Error f
  | Ok run ->
      let out = Output.create () in
      run Service.no_pipe out;
      Ok (Bytes.sub_string (Output.bytes out) 0 (Output.length out))

let services () =
  let failure = Alcotest.testable Failure.pp ( = ) in
  let check what want got = Alcotest.(check (result string failure)) what want got in
  check "shout" (Ok "HEY") (ask "shout" "hey");
  check "double" (Ok "42") (ask "double" "21");
  check "unknown" (Error { code = Unknown_method; message = "whisper" }) (ask "whisper" "");
  check "undecodable"
    (Error { code = Undecodable; message = "number: no number" })
    (ask "double" "x");
  let find = Weir_rpc.Protobuf.unary Sample_pb.Directory.find in
  Alcotest.(check string) "its name" "weir.sample.Directory/Find" find.name;
  let request = Codec.to_string find.request (Sample_pb.Query.make ~prefix:"A" ()) in
  (match Result.map (Codec.of_string find.response) (ask find.name request) with
  | Ok (Ok { people = [ { name = "Ada"; _ } ]; _ }) -> ()
  | _ -> Alcotest.fail "find");
  match Service.make [ Service.Handler (shout, Fun.id); Service.Handler (shout, Fun.id) ] with
  | _ -> Alcotest.fail "two of one name"
  | exception Invalid_argument _ -> ()

(* {1 Packets} *)

let packet_bytes () =
  let outbox = Outbox.create () in
  let add write = Outbox.add outbox ~limit:100 write in
  add (fun out -> Packet.hello out small);
  add (fun out ->
      Packet.call out ~id:300 ~timeout_us:5 Single "m";
      Output.add_string out "req");
  add (fun out -> Packet.failure out 1 (Failure.make (Application 0) "no"));
  add (fun out -> Packet.cancel out 2);
  add Packet.goodbye;
  Alcotest.(check string)
    "all"
    (String.concat ""
       (List.map frame
          [ full_hello; "\001\xac\002\005\001mreq"; "\003\001\016no"; "\004\002"; "\005" ]))
    (sent outbox)

let codes () =
  List.iter
    (fun code -> Alcotest.(check bool) "a code" true (Failure.of_int (Failure.to_int code) = code))
    Failure.
      [
        Unknown_method;
        Undecodable;
        Too_large;
        Timed_out;
        Cancelled;
        Shutting_down;
        Internal;
        Application 0;
        Application 12345;
      ];
  Alcotest.(check bool) "unknown" true (Failure.of_int 9 = Internal);
  Alcotest.(check bool) "negative" true (Failure.(of_int (to_int (Application (-1)))) = Internal)

(* {1 Mutated streams} *)

let stream_of_client rng =
  let t = greeted () in
  let outbox = Caller.outbox t.caller in
  let fresh = Caller.create small in
  ignore t;
  let got = ref [] in
  for i = 1 to 3 do
    let id = call t ("method" ^ string_of_int i) (String.make (Random.State.int rng 50) 'r') got in
    if Random.State.bool rng then Caller.cancel t.caller id
  done;
  sent (Caller.outbox fresh) ^ sent outbox

let stream_of_server rng =
  let t = greeted () in
  let got = ref [] in
  for i = 1 to 4 do
    ignore (call t "m" (string_of_int i) got)
  done;
  ignore (upward t);
  List.iter
    (fun id ->
      if Random.State.bool rng then reply t id (String.make (Random.State.int rng 50) 'a')
      else Callee.fail t.callee id (Failure.make Internal "why"))
    [ 2; 1; 4; 3 ];
  sent (Callee.outbox (create ()).callee) ^ sent (Callee.outbox t.callee)

let mutate rng s =
  let b = Bytes.of_string s in
  for _ = 0 to Random.State.int rng 4 do
    let i = Random.State.int rng (Bytes.length b) in
    match Random.State.int rng 3 with
    | 0 -> Bytes.set_uint8 b i (Random.State.int rng 256)
    | 1 -> Bytes.set_uint8 b i (Bytes.get_uint8 b i lxor (1 lsl Random.State.int rng 8))
    | _ -> Bytes.set_uint8 b i 255
  done;
  let s = Bytes.to_string b in
  if Random.State.int rng 4 = 0 then String.sub s 0 (Random.State.int rng (String.length s)) else s

let words f =
  let count () =
    let minor, promoted, major = Gc.counters () in
    minor +. major -. promoted
  in
  let before = count () in
  f ();
  count () -. before

let mutated () =
  let rng = Random.State.make [| Suite.seed (); 5 |] in
  let streams = Array.init 50 (fun _ -> (stream_of_client rng, stream_of_server rng)) in
  for _ = 1 to Suite.iterations 20_000 do
    let client, server = streams.(Random.State.int rng 50) in
    let up = mutate rng client and down = mutate rng server in
    let bounded s f =
      let spent = words f in
      if spent > 6_000. +. (16. *. float (String.length s)) then
        Alcotest.failf "%.0f words for %d bytes: %S" spent (String.length s) s
    in
    bounded up (fun () ->
        let t = create () in
        let frame f =
          let r = Callee.input t.callee f in
          if Callee.running t.callee > small.calls then Alcotest.fail "too many calls";
          Result.map ignore r
        in
        ignore (feed t.up frame up);
        if Outbox.length (Callee.outbox t.callee) > 200 then Alcotest.fail "too much to send");
    bounded down (fun () ->
        let t = greeted () in
        let got = ref [] in
        for _ = 1 to 4 do
          ignore (call t "m" "" got)
        done;
        (* Its hello came already. *)
        let rest =
          String.sub down (Int.min 15 (String.length down)) (Int.max 0 (String.length down - 15))
        in
        ignore (feed t.down (Caller.input t.caller) rest);
        Caller.close t.caller Ended;
        Alcotest.(check int) "each is answered once" 4 (List.length !got))
  done

let tests =
  [
    ( "machines",
      [
        Suite.case "answers out of order" out_of_order;
        Suite.case "before the hello" before_hello;
        Suite.case "cancelled" cancelled;
        Suite.case "sizes" sizes;
        Suite.case "draining" draining;
        Suite.case "closing" closing;
        Suite.case "what a server holds" held;
      ] );
    ( "the rules",
      [
        Suite.case "packets" packet_bytes;
        Suite.case "codes" codes;
        Suite.case "violations" violations;
        Suite.case "mutated streams" mutated;
      ] );
    ("services", [ Suite.case "found, decoded, answered" services ]);
  ]

(* Services over the framed transport: among ourselves over pipes, and with Apache
   Thrift's Python over loopback sockets. *)

open Weir_message
module Suite = Weir_test.Suite
module K = Thrift_corpus.Kinds_thrift
module S = Thrift_corpus.Shared_thrift
module Kind = Weir_thrift.Kind

let protocols = [ ("binary", Kind.Binary); ("compact", Kind.Compact) ]

module Handler = struct
  let hinted = ref ""
  let name () = "weir, " ^ string_of_int (String.length !hinted)
  let add ~left ~right = left + right
  let divide ~by = if by = 0 then raise (S.Trouble.E { why = "zero"; code = 1 }) else 100 / by
  let reset () = failwith "cannot"
  let hint ~text = hinted := text
  let shape ~tree:_ = K.Shape.Named "a tree"
end

let dispatch = K.Calculator.dispatch (module Handler)

(* {1 Python} *)

let in_tests file = Filename.concat (Suite.project_root ()) ("test/" ^ file)

let generated =
  lazy
    (let d = Filename.temp_dir "weir" ".py" in
     at_exit (fun () -> ignore (Sys.command (Filename.quote_command "rm" [ "-r"; d ])));
     let idl = in_tests "codec/thrift/idl/kinds.thrift" in
     let args = [ "-r"; "--gen"; "py"; "-out"; d; idl ] in
     Alcotest.(check int) "thrift" 0 (Sys.command (Filename.quote_command "thrift" args));
     d)

let python protocol args =
  List.iter Suite.needs_program [ "thrift"; "python3" ];
  if Sys.command "python3 -c 'import thrift' 2>/dev/null" <> 0 then
    Suite.skip "Apache Thrift's Python library is not installed";
  let args = in_tests "message/thrift_peer.py" :: Lazy.force generated :: protocol :: args in
  Unix.open_process_args_in "python3" (Array.of_list ("python3" :: args))

let ended channel =
  match Unix.close_process_in channel with
  | WEXITED 0 -> ()
  | _ -> Alcotest.fail "Python ended badly"

let socket () =
  let s = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  Unix.setsockopt_float s SO_RCVTIMEO 30.;
  s

let loopback port = Unix.ADDR_INET (Unix.inet_addr_loopback, port)

let asking_python (name, protocol) () =
  let peer = python name [ "server" ] in
  let port = int_of_string (String.trim (input_line peer)) in
  let s = socket () in
  Unix.connect s (loopback port);
  let flow = Weir_flow_unix.Unix_flow.of_fd_closable s in
  let client = Thrift.client protocol flow in
  let open K.Calculator.Client in
  Alcotest.(check int) "add" (-5) (add client ~left:2 ~right:(-7));
  (match divide client ~by:0 with
  | _ -> Alcotest.fail "by zero"
  | exception S.Trouble.E t ->
      Alcotest.(check bool) "trouble" true (t = { why = "by zero"; code = 7 }));
  (match reset client () with
  | () -> Alcotest.fail "reset"
  | exception Weir_thrift.Application.E e ->
      Alcotest.(check int) "internal" Weir_thrift.Application.internal_error e.kind);
  let text = String.make 100_000 'h' in
  hint client ~text;
  Alcotest.(check string)
    "after a oneway call" ("python " ^ text)
    (K.Calculator.Client.name client ());
  for i = 1 to 200 do
    Alcotest.(check int) "add" (2 * i) (add client ~left:i ~right:i)
  done;
  flow#close;
  ended peer

let answering_python (name, protocol) () =
  let listener = socket () in
  Unix.bind listener (loopback 0);
  Unix.listen listener 1;
  let port = match Unix.getsockname listener with ADDR_INET (_, p) -> p | _ -> assert false in
  let peer = python name [ "client"; string_of_int port ] in
  let s, _ = Unix.accept ~cloexec:true listener in
  Unix.close listener;
  let flow = Weir_flow_unix.Unix_flow.of_fd_closable s in
  let reported = ref [] in
  let why = Thrift.serve ~report:(fun e -> reported := e :: !reported) protocol dispatch flow in
  flow#close;
  let lines = String.split_on_char '\n' (String.trim (In_channel.input_all peer)) in
  ended peer;
  Alcotest.check Streams.error "its end" End why;
  Alcotest.(check int) "one handler failed" 1 (List.length !reported);
  Alcotest.(check (list string))
    "its results"
    [
      "5"; "Trouble zero 1"; "None"; "weir, 100000"; "Application 6 Failure(\"cannot\")"; "14";
    ]
    lines
  [@@ocamlformat "disable"]

(* {1 Streams that are wrong} *)

let flow_of ?(sizes = []) input : Weir_flow.Flow.flow * Streams.sink =
  let source = Streams.chunked sizes input and sink = new Streams.sink in
  let flow =
    object
      inherit Weir_flow.Flow.flow
      method read_into b ~off ~len = source#read_into b ~off ~len
      method write b ~off ~len = sink#write b ~off ~len
    end
  in
  (flow, sink)

let request protocol =
  let sent = ref "" in
  let client =
    Weir_thrift.Rpc.client protocol (fun s ->
        sent := s;
        raise Exit)
  in
  (try ignore (K.Calculator.Client.add client ~left:1 ~right:2) with Exit -> ());
  Streams.written Length32 Codec.string [ !sent ]

let served protocol input =
  let flow, sink = flow_of input in
  let why = Thrift.serve ~limit:1_000 protocol dispatch flow in
  (why, List.length (fst (Streams.received Length32 Codec.string sink#contents)))

let wrong_requests () =
  List.iter
    (fun (name, p) ->
      let one = request p in
      let check what want got = Alcotest.(check (pair Streams.error int)) (name ^ what) want got in
      check "two" (End, 2) (served p (one ^ one));
      check "too long" (Too_long 1_001, 1) (served p (one ^ "\000\000\003\xe9"));
      for n = 1 to String.length one - 1 do
        match served p (one ^ String.sub one 0 n) with
        | Truncated { have; _ }, 1 when have = n -> ()
        | why, _ -> Alcotest.failf "%d bytes: %a" n Error.pp why
      done;
      match served p (one ^ "\000\000\000\003abc") with
      | Undecodable _, 1 -> ()
      | why, _ -> Alcotest.failf "no call: %a" Error.pp why)
    protocols

let wrong_replies () =
  List.iter
    (fun (_, p) ->
      let client = Thrift.client ~limit:1_000 p (fst (flow_of "\000\000\003\xe9")) in
      let add () = K.Calculator.Client.add client ~left:1 ~right:2 in
      Alcotest.check_raises "too long" (Thrift.Failed (Too_long 1_001)) (fun () -> ignore (add ()));
      Alcotest.check_raises "and then" (Thrift.Failed End) (fun () -> ignore (add ()));
      let client = Thrift.client p (fst (flow_of "\000\000")) in
      Alcotest.check_raises "cut off"
        (Thrift.Failed (Truncated { have = 2; want = 4 }))
        (fun () -> ignore (K.Calculator.Client.add client ~left:1 ~right:2)))
    protocols

let tests =
  let both name f = List.map (fun p -> Suite.case (name ^ ", " ^ fst p) (f p)) protocols in
  [
    ( "thrift",
      both "calling Python" asking_python
      @ both "called by Python" answering_python
      @ [
          Suite.case "requests that are wrong" wrong_requests;
          Suite.case "replies that are wrong" wrong_replies;
        ] );
  ]

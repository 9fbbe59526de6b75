open Weir_test

let folder = Filename.concat (Suite.project_root ()) "_build/default/examples"
let executable name = Filename.concat folder (name ^ ".exe")

(* Its standard output, all of it; it must end by itself and well. *)
let output name arguments =
  let ic = Unix.open_process_args_in (executable name) (Array.of_list (name :: arguments)) in
  let text = In_channel.input_all ic in
  match Unix.close_process_in ic with
  | WEXITED 0 -> text
  | WEXITED n -> Alcotest.failf "%s ended with status %d" name n
  | WSIGNALED n | WSTOPPED n -> Alcotest.failf "%s got signal %d" name n

let check = Alcotest.(check string)
let echo () = check "on Weir" "Is anybody there?\n" (output "echo" [])
let echo_on_kernel () = check "on the kernel" "Is anybody there?\n" (output "echo" [ "kernel" ])
let threads () = check "the echo" "in a direct style\n" (output "threads" [])
let lwt_world () = check "two answers" "Are you there?\nAnd now?\n" (output "lwt_world" [])

let derive () =
  match String.split_on_char '\n' (output "derive" []) with
  | size :: whole :: cut :: json :: _ ->
      check "size" "33 bytes" size;
      check "read" "sign, of 2 shapes" whole;
      check "refused" "byte 9, in shapes: length beyond the end" cut;
      check "JSON"
        {|{"name":"sign","fill":"Red_tag","shapes":[{"tag":"Circle_tag","Circle":2.5},{"tag":"Text_tag","Text":{"content":"STOP"}}]}|}
        json
  | _ -> Alcotest.fail "too few lines"

let hello () =
  check "two answers" "/: 200, \"hello from Weir\\n\"\n/nothing: 404, \"404 Not Found\\n\"\n"
    (output "hello" [])

let phones () =
  check "a number, and none" "1815\nfailure 404: Grace has no phone\n" (output "phones" [])

let stream () =
  check "a walk, a part of one, and a sum"
    "13\n40\n20\n10\n5\n16\n8\n4\n2\n1\nat the end\n15\n46\n23\nenough\nthe sum is 55\n"
    (output "stream" [])

(* The example's code is what its schema gives. *)
let generated () =
  Suite.needs_program "protoc";
  let root = Suite.project_root () in
  let plugin = Filename.concat root "_build/default/gen/protoc-gen-weir/main.exe" in
  let out = Filename.temp_dir "weir" "phones" in
  let schemas = Filename.concat root "examples/phones" in
  let arguments =
    [ "-I" ^ schemas; "--plugin=protoc-gen-weir=" ^ plugin; "--weir_out=" ^ out; "phones.proto" ]
  in
  Alcotest.(check int) "protoc" 0 (Sys.command (Filename.quote_command "protoc" arguments));
  List.iter
    (fun name ->
      let path = Filename.concat out name in
      Suite.expected ~file:("examples/phones/" ^ name)
        (In_channel.with_open_bin path In_channel.input_all);
      Sys.remove path)
    [ "phones_pb.ml"; "phones_pb.mli" ];
  Sys.rmdir out

(* The seed says which are lost; how long the others take is the clock's. *)
let ping () =
  let outcome line = if String.ends_with ~suffix:" ms" line then '.' else '!' in
  let lines = String.split_on_char '\n' (String.trim (output "ping" [])) in
  check "three lost" "...!...!.!" (String.of_seq (Seq.map outcome (List.to_seq lines)))

let record () =
  let path = Filename.temp_file "weir" ".pcap" in
  Fun.protect ~finally:(fun () -> Sys.remove path) @@ fun () ->
  let lines = String.split_on_char '\n' (String.trim (output "record" [ path ])) in
  let shown = List.filter (String.starts_with ~prefix:"for the record") lines in
  check "the echo" "for the record" (String.concat "" shown);
  let file = In_channel.with_open_bin path In_channel.input_all |> Bytes.of_string in
  match Weir_wire.Pcap.fold (fun n _ -> n + 1) 0 file with
  | Ok n -> Alcotest.(check int) "a record for each frame shown" (List.length lines - 1) n
  | Error e -> Alcotest.failf "%a" Weir_wire.Error.pp e

(* A seed is one course of events; another is another. *)
let storm () =
  let play seed = output "storm" [ seed ] in
  let first = play "7" in
  check "again" first (play "7");
  let asked = "question 1\nquestion 2\nquestion 3\n" in
  List.iter
    (fun text -> Alcotest.(check bool) "all answered" true (String.starts_with ~prefix:asked text))
    [ first; play "8" ];
  Alcotest.(check bool) "another seed differs" true (first <> play "8")

(* -- over a TAP ---------------------------------------------------------- *)

let rec connected address tries =
  let s = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  match Unix.connect s address with
  | () -> s
  | exception Unix.Unix_error _ when tries > 0 ->
      Unix.close s;
      Unix.sleepf 0.05;
      connected address (tries - 1)

let ask address question =
  let s = connected address 100 in
  Fun.protect ~finally:(fun () -> Unix.close s) @@ fun () ->
  Unix.setsockopt_float s SO_RCVTIMEO 10.;
  let n = Unix.write_substring s question 0 (String.length question) in
  Unix.shutdown s SHUTDOWN_SEND;
  let answer = In_channel.input_all (Unix.in_channel_of_descr (Unix.dup s)) in
  String.sub question 0 n = answer

let tap () =
  Netns.needed ();
  let arguments = [| "tap"; "tap0"; "10.0.0.11/24"; "10.0.0.1/24" |] in
  let null = Unix.openfile "/dev/null" [ O_RDWR; O_CLOEXEC ] 0 in
  let pid = Unix.create_process (executable "tap") arguments null null Unix.stderr in
  Fun.protect ~finally:(fun () ->
      Unix.kill pid Sys.sigkill;
      ignore (Unix.waitpid [] pid);
      Unix.close null)
  @@ fun () ->
  let address = Unix.ADDR_INET (Unix.inet_addr_of_string "10.0.0.11", 7) in
  Alcotest.(check bool) "the kernel hears its echo" true (ask address "over the wire")

let () =
  Netns.run @@ fun () ->
  Suite.run "examples"
    [
      ( "in memory",
        [
          Suite.case "derive" derive;
          Suite.case "echo" echo;
          Suite.case "hello" hello;
          Suite.case "Lwt in a world" lwt_world;
          Suite.case "phones" phones;
          Suite.case "what phones is generated from" generated;
          Suite.case "ping" ping;
          Suite.case "record" record;
          Suite.case "storm" storm;
          Suite.case "stream" stream;
          Suite.case "threads" threads;
        ] );
      ("kernel", [ Suite.case "echo" echo_on_kernel; Suite.case "tap" tap ]);
    ]

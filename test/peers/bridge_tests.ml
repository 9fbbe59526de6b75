open Weir_link
module Suite = Weir_test.Suite
module Programs = Weir_programs.Programs

let now () = int_of_float (Unix.gettimeofday () *. 1e9)
let ok = function Ok x -> x | Error e -> Alcotest.failf "%a" Weir_tap.Error.pp e

let tap name address =
  let t = ok (Weir_tap.Tap.open_ ~name ()) in
  World.configure_tap name ~address;
  (t :> Link.t)

let spawn dir name argv =
  let out = Unix.openfile (Filename.concat dir name) [ O_WRONLY; O_CREAT; O_CLOEXEC ] 0o600 in
  let pid = Unix.create_process "python3" (Array.of_list argv) Unix.stdin out out in
  Unix.close out;
  pid

(* A thread may have a namespace of its own: what it opens and starts is there. *)
let other_kernel dir file =
  let made = ref None in
  let make () =
    ok (Weir_tap.Namespace.enter ());
    ok (Weir_tap.Namespace.sysctl "net.ipv4.tcp_congestion_control" "reno");
    let link = tap "tapb" "10.0.0.2" in
    made := Some (link, spawn dir "server" (World.python "tcp_listen" [ "10.0.0.2"; "9000"; file ]))
  in
  Thread.join (Thread.create make ());
  match !made with Some m -> m | None -> Alcotest.fail "no second namespace"

let wait_for dir name word =
  let until = Unix.gettimeofday () +. 10. in
  while not (Programs.contains (Programs.read (Filename.concat dir name)) word) do
    if Unix.gettimeofday () > until then Alcotest.failf "%s does not say %s" name word;
    Unix.sleepf 0.01
  done

(* Both peers are waited for, killed first if time is over. *)
let wait_both pids bridge =
  let until = Unix.gettimeofday () +. 30. in
  let left = ref pids and statuses = ref [] in
  let reap flags pid =
    match Unix.waitpid flags pid with
    | 0, _ -> ()
    | _, status ->
        left := List.filter (( <> ) pid) !left;
        statuses := status :: !statuses
  in
  let stop () =
    List.iter (reap [ WNOHANG ]) !left;
    !left = [] || Unix.gettimeofday () > until
  in
  Fun.protect
    (fun () -> bridge stop)
    ~finally:(fun () ->
      List.iter
        (fun pid ->
          Unix.kill pid Sys.sigkill;
          reap [] pid)
        !left);
  !statuses

let two_kernels () =
  Weir_test.Netns.needed ();
  World.check_python ();
  Programs.with_scratch @@ fun dir ->
  let file = Filename.concat dir "data" in
  let data = Tcp_tests.data 2_000_000 in
  Programs.write file data;
  let a = tap "tapa" "10.0.0.1" in
  let b, server = other_kernel dir file in
  let how = Result.get_ok (Impairment.of_string "delay=2ms,loss=0.2%,reorder=1%:-1ms") in
  let bad = (Impair.wrap ~seed:3 ~outbound:how ~inbound:how b :> Link.t) in
  wait_for dir "server" "ready";
  let client = spawn dir "client" (World.python "tcp_ask" [ "10.0.0.2"; "9000"; file ]) in
  let statuses =
    let await = Weir_link_unix.Descriptor.await [ a; bad ] in
    wait_both [ server; client ] (fun stop -> Bridge.run ~clock:now ~stop ~await a bad)
  in
  a#close;
  bad#close;
  let md5 = Digest.(to_hex (string data)) in
  List.iter
    (fun name ->
      let out = Programs.read (Filename.concat dir name) in
      let want = Printf.sprintf "received %s %d\n" md5 (String.length data) in
      if not (Programs.contains out want) then Alcotest.failf "%s says: %s" name out)
    [ "server"; "client" ];
  Alcotest.(check bool) "both ended well" true (statuses = [ WEXITED 0; WEXITED 0 ])

let cases = [ Suite.case "two kernels through Weir's bad network" two_kernels ]

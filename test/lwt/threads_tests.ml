open World
module Suite = Weir_test.Suite
module Threads = Weir_threads.Threads

let await p = Threads.await p
let get p = get_ok (await p)

let echo c () =
  let b = Bytes.create 64 in
  let rec go () =
    let n = get (Connection.read c b ~off:0 ~len:64) in
    if n > 0 then (
      get (Connection.write c b ~off:0 ~len:n);
      go ())
  in
  go ();
  await (Connection.close c)

let serve l () =
  let rec next echoes =
    match await (Network.accept l) with
    | Error _ -> await (Lwt.join echoes)
    | Ok c -> next (Threads.start (echo c) :: echoes)
  in
  next []

let talk ~all_open w i () =
  let c = get (Network.connect w.b (ip server_address) ~port:7) in
  let say word =
    get (Connection.write_string c word);
    let b = Bytes.create 64 in
    let rec hear at =
      if at < String.length word then
        match get (Connection.read c b ~off:at ~len:(64 - at)) with 0 -> at | n -> hear (at + n)
      else at
    in
    let n = hear 0 in
    Alcotest.(check string) "echo" word (Bytes.sub_string b 0 n)
  in
  say (Printf.sprintf "I am number %d" i);
  (* None goes on before all are connected. *)
  await (all_open ());
  say "and now all of us at once";
  await (Connection.close c)

let crowd n w =
  let l = get_ok (Network.listen w.a ~port:7 ~backlog:(2 * n)) in
  let server = Threads.start (serve l) in
  let opened = ref 0 and all, everyone = Lwt.wait () in
  let all_open () =
    incr opened;
    if !opened = n then Lwt.wakeup_later everyone ();
    all
  in
  let clients =
    List.init n (fun i ->
        let talked = Threads.start (talk ~all_open w i) in
        Lwt.on_failure talked (fun e -> if Lwt.is_sleeping all then Lwt.wakeup_exn everyone e);
        talked)
  in
  let open Lwt.Syntax in
  let* () = Lwt.join clients in
  Alcotest.(check int) "all were open together" n !opened;
  let* () = Network.close_listener l in
  server

let case name f = Suite.case name (fun () -> run_virtual f)

let cases =
  [
    case "an echo server in direct style" (crowd 10);
    Suite.slow "10,000 connections at once" (fun () ->
        let config = { Weir_core.Config.default with max_half_open = 10_000 } in
        run_virtual ~config (crowd 10_000));
  ]

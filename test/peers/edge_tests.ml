(* The edge beside the kernel's: nothing is lost at an end, a crowd at once is
   served, two domains too. *)

open Eio.Std
open Weir_edges
module Suite = Weir_test.Suite

let kernel_net (w : World.t) = (Eio.Stdenv.net w.env :> Ends.net)
let sleep (w : World.t) = Eio.Time.sleep (Eio.Stdenv.clock w.env)

let serving (w : World.t) =
  { Ends.server = w.net; at = World.weir; client = kernel_net w; sleep = sleep w }

let asking (w : World.t) =
  { Ends.server = kernel_net w; at = World.kernel; client = w.net; sleep = sleep w }

let ends =
  let case side world (name, f) =
    Suite.case (name ^ ", " ^ side) (fun () -> World.with_weir (fun w -> f (world w)))
  in
  List.map (case "to the kernel's client" serving) Ends.all
  @ List.map (case "to the kernel's server" asking) Ends.all

(* Its host's switch ends with the bytes under way; the kernel has them all. *)
let write_and_exit () =
  Weir_test.Netns.needed ();
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let tap = World.ok (Weir_tap.Tap.open_ ~name:"tap0" ()) in
  World.configure_tap "tap0" ~address:World.kernel;
  let sent = Ends.text 3_000_000 in
  let l = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:1 env#net (Ends.tcp "0.0.0.0" 80) in
  let read = Fiber.fork_promise ~sw (fun () -> Ends.read_out (fst (Eio.Net.accept ~sw l))) in
  Switch.run (fun sw ->
      let host = Weir_eio.host ~sw ~clock ~link:tap ~address:(World.weir ^ "/24") () in
      let c = Eio.Net.connect ~sw (Weir_eio.net host) (Ends.tcp World.kernel 80) in
      Eio.Flow.copy_string sent c);
  let got, how = Promise.await_exn read in
  Alcotest.check Ends.ending "in order" Ends.End how;
  Alcotest.(check bool) "all of it" true (got = sent)

(* All connect before one is accepted: each is served, none is reset. *)
let burst (w : World.t) =
  let crowd = 3_000 in
  let l = Eio.Net.listen ~sw:w.sw ~backlog:crowd w.net (Ends.tcp "0.0.0.0" 80) in
  Switch.run @@ fun sw ->
  let connect () = Eio.Net.connect ~sw (kernel_net w) (Ends.tcp World.weir 80) in
  let clients = Fiber.List.map connect (List.init crowd ignore) in
  for _ = 1 to crowd do
    Eio.Flow.copy_string "served" (fst (Eio.Net.accept ~sw l))
  done;
  let buf = Cstruct.create 6 in
  List.iter
    (fun c ->
      Eio.Flow.read_exact c buf;
      Alcotest.(check string) "its greeting" "served" (Cstruct.to_string buf))
    clients

let storm ~connections ~each ~large () =
  World.with_weir ~seconds:200. @@ fun w ->
  Storm.run (serving w) (Eio.Stdenv.domain_mgr w.env) ~connections ~each ~large

(* The kernel has an address that Weir takes, and the other way round: who comes second gives it up
   (RFC 4862 §5.4). *)
let duplicates (w : World.t) =
  Suite.needs_program "ip";
  let with_stack f = Weir_eio.Host.with_stack w.host f in
  (* Until then the kernel answers no question about its own address. *)
  (match Weir_eio.ping w.host ~sequence:1 (Ipaddr.of_string_exn World.kernel_v6) with
  | Reply _ -> ()
  | Failed _ | Lost -> Alcotest.fail "the kernel does not answer");
  with_stack (fun stack ->
      Weir_core.Stack.add_address stack
        (Weir_core.Stack.interface stack 0)
        (Ipaddr.Prefix.of_string_exn "fd00::1/64"));
  let rec await what tries f =
    if not (f ()) then
      if tries = 0 then Alcotest.fail what
      else (
        sleep w 0.05;
        await what (tries - 1) f)
  in
  await "Weir gives it up" 80 (fun () ->
      with_stack Weir_core.Stack.duplicates = [ Ipaddr.of_string_exn World.kernel_v6 ]);
  World.sysctl (Printf.sprintf "net.ipv6.conf.%s.accept_dad" w.interface) "1";
  let ip args = Weir_programs.Programs.succeed w.env ("ip" :: "-6" :: args) in
  ignore (ip [ "addr"; "add"; World.weir_v6 ^ "/64"; "dev"; w.interface ]);
  await "the kernel gives it up" 80 (fun () ->
      let shown = ip [ "addr"; "show"; "dev"; w.interface ] in
      Weir_programs.Programs.contains shown "dadfailed")

let cases =
  ends
  @ [
      Suite.case "write and exit" write_and_exit;
      Suite.case "an IPv6 address that the other has" (fun () ->
          World.with_weir ~ipv6:true duplicates);
      Suite.case "3,000 connect at once" (fun () -> World.with_weir burst);
      Suite.case "a server in two domains" (storm ~connections:1_000 ~each:5_000 ~large:10_000_000);
      Suite.slow "20,000 connections and 1 GB"
        (storm ~connections:20_000 ~each:5_000 ~large:225_000_000);
    ]

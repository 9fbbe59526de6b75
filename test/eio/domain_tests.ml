(* One host, several domains: every byte right, nobody hangs. *)

open Eio.Std
module Suite = Weir_test.Suite

let address a = Eio.Net.Ipaddr.of_raw (Ipaddr.V4.to_octets (Ipaddr.V4.of_string_exn a))
let tcp a port : Eio.Net.Sockaddr.stream = `Tcp (address a, port)

let with_hosts f =
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let link_a, link_b = Weir_link.Memory.pair () in
  let host link address = Weir_eio.host ~sw ~clock ~link ~address () in
  let a = host link_a "10.0.0.1/24" and b = host link_b "10.0.0.2/24" in
  f env (Weir_eio.net a) (Weir_eio.net b)

(* Byte [i] of stream [n]. *)
let byte n i = Char.unsafe_chr (((n * 31) + (i * 7) + (i lsr 8)) land 255)

let check_bytes n ~from buf len =
  for i = 0 to len - 1 do
    if Cstruct.get_char buf i <> byte n (from + i) then
      Alcotest.failf "stream %d: byte %d is wrong" n (from + i)
  done

let chunk = 16_384

(* The client says which stream and how many bytes; the server sends them. *)
let serve flow _ =
  let head = Eio.Buf_read.(of_flow ~max_size:100 flow |> line) in
  let n, total = Scanf.sscanf head "%d %d" (fun n total -> (n, total)) in
  let buf = Cstruct.create chunk in
  let rec go sent =
    if sent < total then (
      let len = Int.min chunk (total - sent) in
      for i = 0 to len - 1 do
        Cstruct.set_char buf i (byte n (sent + i))
      done;
      Eio.Flow.write flow [ Cstruct.sub buf 0 len ];
      go (sent + len))
  in
  go 0

let fetch net n total =
  Switch.run @@ fun sw ->
  let flow = Eio.Net.connect ~sw net (tcp "10.0.0.1" 80) in
  Eio.Flow.copy_string (Printf.sprintf "%d %d\n" n total) flow;
  let buf = Cstruct.create chunk in
  let rec go got =
    match Eio.Flow.single_read flow buf with
    | len ->
        check_bytes n ~from:got buf len;
        go (got + len)
    | exception End_of_file -> got
  in
  Alcotest.(check int) "bytes" total (go 0)

(* [connections] in all by [clients] fibers, the larger ones [total] bytes. *)
let storm ?(clients = 64) ~connections ~each ~large () =
  with_hosts @@ fun env net_a net_b ->
  Switch.run @@ fun sw ->
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:512 net_a (tcp "0.0.0.0" 80) in
  let stop, set_stop = Promise.create () in
  let domains = Atomic.make [] in
  let rec note () =
    let seen = Atomic.get domains and here = (Domain.self () :> int) in
    if not (List.mem here seen || Atomic.compare_and_set domains seen (here :: seen)) then note ()
  in
  let handler flow from =
    note ();
    serve flow from
  in
  Fiber.both
    (fun () ->
      Eio.Net.run_server socket ~stop ~on_error:raise
        ~additional_domains:(Eio.Stdenv.domain_mgr env, 1)
        handler)
    (fun () ->
      let next = ref 0 in
      let rec client () =
        let n = !next in
        if n < connections then (
          incr next;
          fetch net_b n (if n < 4 then large else each);
          client ())
      in
      Fiber.all (List.init clients (fun _ -> client));
      Promise.resolve set_stop ());
  Alcotest.(check int) "domains that served" 2 (List.length (Atomic.get domains))

let cases =
  [
    Suite.case "a server in two domains" (storm ~connections:2_000 ~each:5_000 ~large:10_000_000);
    Suite.slow "20,000 connections and 1 GB"
      (storm ~connections:20_000 ~each:5_000 ~large:225_000_000);
  ]

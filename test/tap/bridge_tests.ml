(* Two kernels, each in a network namespace, over two TAPs joined by a bridge:
   what one program says to the other passes through whatever the test puts
   between. *)

open Weir_base
open Weir_link
open Weir_tap
open Weir_test

let clock () = int_of_float (Unix.gettimeofday () *. 1e9)

(* A process that runs [f]; its exit status says whether [f] returned. *)
let forked name f =
  match Unix.fork () with
  | 0 -> (
      try
        f ();
        Unix._exit 0
      with e ->
        Printf.eprintf "%s: %s\n%!" name (Printexc.to_string e);
        Unix._exit 1)
  | pid -> pid

let success name pid =
  match snd (Unix.waitpid [] pid) with WEXITED 0 -> () | _ -> Alcotest.failf "%s failed" name

let tap ~offload address =
  let tap = Station.get (Tap.open_ ~offload ()) in
  Station.get (Interface.set_address tap#name (Ipaddr.of_string_exn address) ~prefix:24);
  Station.get (Interface.set_up tap#name);
  tap

(* Runs [server] on 10.9.1.1 and [client] on 10.9.1.2 with [between] the two
   devices, until both are done, at most [seconds]. *)
let joined ?(seconds = 30.) ?(offload = false) ~between ~server ~client () =
  Netns.needed ();
  success "the bridge"
    (forked "bridge" (fun () ->
         let a = tap ~offload "10.9.1.1" in
         let serving = forked "server" server in
         Station.get (Namespace.enter ());
         Station.get (Namespace.sysctl "net.ipv4.tcp_congestion_control" "reno");
         let b = tap ~offload "10.9.1.2" in
         let asking = forked "client" client in
         let left = ref [ serving; asking ] and failed = ref false in
         let until = Unix.gettimeofday () +. seconds in
         let stop () =
           left :=
             List.filter
               (fun pid ->
                 match Unix.waitpid [ WNOHANG ] pid with
                 | 0, _ -> true
                 | _, WEXITED 0 -> false
                 | _ ->
                     failed := true;
                     false)
               !left;
           if Unix.gettimeofday () > until then failwith "no end in sight";
           !left = [] || !failed
         in
         let between, check = between (b :> Link.t) in
         let await = Weir_link_unix.Descriptor.await [ (a :> Link.t); between ] in
         Bridge.run ~clock ~stop ~await (a :> Link.t) between;
         if !failed then failwith "a side failed";
         check ()))

let address port = Unix.ADDR_INET (Unix.inet_addr_of_string "10.9.1.1", port)

(* [total] bytes that tell where they belong. *)
let block = 65_536

let fill b n =
  for i = 0 to (block / 8) - 1 do
    Bytes.set_int64_le b (8 * i) (Int64.of_int ((n * 8_191) + i))
  done

let blocks total f =
  let b = Bytes.create block in
  for n = 0 to ((total + block - 1) / block) - 1 do
    fill b n;
    f b (min block (total - (n * block)))
  done

let rec all call fd b off len =
  if len > 0 then
    match call fd b off len [] with
    | 0 -> failwith "end of stream"
    | n -> all call fd b (off + n) (len - n)

let say fd total = blocks total (fun b len -> all Unix.send fd b 0 len)

let hear fd total =
  let got = Bytes.create block in
  blocks total (fun b len ->
      all Unix.recv fd got 0 len;
      if Bytes.sub got 0 len <> Bytes.sub b 0 len then failwith "other bytes")

let serve total () =
  let l = Unix.socket PF_INET SOCK_STREAM 0 in
  Unix.setsockopt l SO_REUSEADDR true;
  Unix.bind l (address 5_000);
  Unix.listen l 5;
  let s, _ = Unix.accept l in
  say s total;
  hear s total;
  Unix.shutdown s SHUTDOWN_ALL

let rec connect tries =
  let s = Unix.socket PF_INET SOCK_STREAM 0 in
  try
    Unix.connect s (address 5_000);
    s
  with Unix.Unix_error (ECONNREFUSED, _, _) when tries > 0 ->
    Unix.close s;
    Unix.sleepf 0.02;
    connect (tries - 1)

let timed what total f =
  let t = Unix.gettimeofday () in
  f ();
  let seconds = Unix.gettimeofday () -. t in
  Printf.printf "%s: %d bytes in %.3f s, %.2f Gbit/s\n%!" what total seconds
    (float_of_int total *. 8e-9 /. seconds)

let ask total () =
  let s = connect 100 in
  timed "there" total (fun () -> hear s total);
  timed "back" total (fun () -> say s total);
  (* The server closes when it has all. *)
  if Unix.recv s (Bytes.create 1) 0 1 [] <> 0 then failwith "more than was asked for"

let transfer ?offload ?seconds total between () =
  joined ?offload ?seconds ~between ~server:(serve total) ~client:(ask total) ()

let clean link = (link, ignore)

let lossy link =
  let way =
    {
      Impairment.none with
      loss = Steady 0.01;
      duplicate = 0.01;
      reorder = 0.02;
      reorder_ns = Time.ms 1;
      delay_ns = Time.us 500;
    }
  in
  let impaired = Impair.wrap ~seed:42 ~outbound:way ~inbound:way link in
  let check () =
    let each (c : Lane.counters) =
      if c.lost = 0 || c.duplicated = 0 || c.reordered = 0 then
        Fmt.failwith "too little was impaired: %a" Lane.pp_counters c
    in
    each impaired#outbound;
    each impaired#inbound
  in
  ((impaired :> Link.t), check)

(* Offload is only tested if frames really come longer than the MTU. *)
let measured (link : Link.t) =
  let longest = ref 0 in
  let note (f : Frame.t) = longest := max !longest f.len in
  let measuring : Link.t =
    object
      inherit Link.forward link

      method! receive ~now =
        let f = link#receive ~now in
        note f;
        f

      method! send ~now f =
        note f;
        link#send ~now f
    end
  in
  ( measuring,
    fun () -> if !longest < 30_000 then Fmt.failwith "the longest frame had %d bytes" !longest )

(* After "rtt min/avg/max/mdev = " *)
let least_ms said =
  let at = String.index_from said (String.rindex said '=') ' ' in
  Scanf.sscanf (String.sub said at (String.length said - at)) " %f" Fun.id

let round_trip () =
  Suite.needs_program "ping";
  let way = { Impairment.none with delay_ns = Time.ms 10 } in
  let between link = ((Impair.wrap ~seed:1 ~outbound:way ~inbound:way link :> Link.t), ignore) in
  let client () =
    let ic = Unix.open_process_in "ping -q -c 6 -i 0.05 -W 2 10.9.1.1" in
    let said = In_channel.input_all ic in
    if Unix.close_process_in ic <> WEXITED 0 then failwith said;
    let ms = least_ms said in
    if ms < 20. || ms > 30. then failwith said
  in
  joined ~between ~server:ignore ~client ()

let cases =
  [
    Suite.case "10 MB each way" (transfer 10_000_000 clean);
    Suite.case "2 MB each way with loss, duplicates and reordering" (transfer 2_000_000 lossy);
    Suite.case "50 MB each way with offload" (transfer ~offload:true 50_000_000 measured);
    Suite.case "two delays of 10 ms" round_trip;
  ]

(* Links as Mirage's devices. *)

open Lwt.Syntax
open World
module Net = Adapters.Net
module Responder = Responder.Make (Net)
module Suite = Weir_test.Suite
module Clock = Weir_lwt.Clock

let mac = Macaddr.of_string_exn "02:00:00:00:00:09"
let own = Ipaddr.of_string_exn "10.0.0.9"

(* A device on one end of a cable and whatever is on the other, on virtual time. *)
let run ?(wrap = fun l -> l) f =
  let time = Weir_lwt.Virtual_clock.create () in
  let clock = Weir_lwt.Virtual_clock.clock time in
  Weir_lwt.Virtual_clock.run time (fun () ->
      let near, far = Weir_link.Memory.pair ~queue:8_192 () in
      let net = Net.of_link ~clock ~mac (wrap near) in
      let* () = limited clock ~s:600. (f clock net far) in
      Net.disconnect net)

let case ?wrap name f = Suite.case name (fun () -> run ?wrap f)

let host clock link =
  Weir_lwt.host ~clock ~random:(Random.State.make [| 1 |]) ~link ~address:"10.0.0.1/24" ()

let pings host n =
  let rec go got k =
    if k = n then Lwt.return got
    else
      let* pong = Weir_lwt.ping host ~sequence:k own in
      match pong with
      | Reply { bytes; rtt_ns; _ } ->
          Alcotest.(check int) "bytes" 56 bytes;
          go (rtt_ns :: got) (k + 1)
      | Failed _ | Lost -> go got (k + 1)
  in
  go [] 0

let ping clock net far =
  let ended = Responder.run net own in
  let host = host clock far in
  let* got = pings host 20 in
  Alcotest.(check int) "all answered" 20 (List.length got);
  let stats = Net.get_stats_counters net in
  let counts = Alcotest.(check (pair int32 int64)) in
  counts "received" (21l, Int64.of_int (42 + (20 * 98))) (stats.rx_pkts, stats.rx_bytes);
  counts "sent" (21l, Int64.of_int (42 + (20 * 98))) (stats.tx_pkts, stats.tx_bytes);
  Net.reset_stats_counters net;
  counts "none" (0l, 0L)
    (let s = Net.get_stats_counters net in
     (s.rx_pkts, s.tx_bytes));
  Alcotest.(check bool) "listening" true (Lwt.is_sleeping ended);
  let* () = Net.disconnect net in
  let* r = ended in
  Alcotest.(check bool) "ended well" true (r = Ok ());
  let* r = Net.write net ~size:60 (fun _ -> 60) in
  Alcotest.(check bool) "disconnected" true (r = Error `Disconnected);
  let* r = Net.listen net ~header_size:14 (fun _ -> Lwt.return_unit) in
  Alcotest.(check bool) "over at once" true (r = Ok ());
  Weir_lwt.Host.close host

(* What an impaired link holds back comes out at its time, both ways. *)
let delayed l : Link.t =
  let i = { Weir_link.Impairment.none with delay_ns = 30_000_000; loss = Steady 0.1 } in
  (Weir_link.Impair.wrap ~seed:5 ~outbound:i ~inbound:i l :> Link.t)

let ping_slowly clock net far =
  let ended = Responder.run net own in
  let host = host clock far in
  let* got = pings host 50 in
  let n = List.length got in
  if n < 30 || n = 50 then Alcotest.failf "%d of 50 answered" n;
  Alcotest.(check int) "at least" 60_000_000 (List.fold_left Int.min max_int got);
  let* () = Net.disconnect net in
  let* _ = ended in
  Weir_lwt.Host.close host

let frame n = String.init n (fun i -> Char.chr (i land 255))

let filled s b =
  Cstruct.blit_from_string s 0 b 0 (String.length s);
  String.length s

let lengths _ net far =
  let got = ref [] in
  let other = Net.of_link far in
  let ended =
    Net.listen other ~header_size:14 (fun b ->
        got := Cstruct.to_string b :: !got;
        Lwt.return_unit)
  in
  Alcotest.(check int) "MTU" 1_500 (Net.mtu net);
  Alcotest.(check string) "MAC" (Macaddr.to_string mac) (Macaddr.to_string (Net.mac net));
  Alcotest.(check bool)
    "its own, local" true
    (Macaddr.is_local (Net.mac other) && Macaddr.is_unicast (Net.mac other));
  let is what wanted p =
    let+ r = p in
    Alcotest.(check bool) what true (r = wanted)
  in
  let write size f = Net.write net ~size f in
  let* () = is "longest" (Ok ()) (write 1_514 (filled (frame 1_514))) in
  let* () = is "a part" (Ok ()) (write 1_514 (filled (frame 60))) in
  let* () = is "too long" (Error `Invalid_length) (write 1_515 (fun _ -> Alcotest.fail "asked")) in
  let* () = is "more than there is" (Error `Invalid_length) (write 60 (fun _ -> 61)) in
  let* () = is "less than nothing" (Error `Invalid_length) (write (-1) (fun _ -> 0)) in
  let zeroed b =
    Alcotest.(check string) "zeroed" (String.make 60 '\000') (Cstruct.to_string b);
    60
  in
  let* () = is "zeroed" (Ok ()) (write 60 zeroed) in
  let* () = Lwt.pause () in
  let* () = Lwt.pause () in
  Alcotest.(check (list string))
    "arrived"
    [ frame 1_514; frame 60; String.make 60 '\000' ]
    (List.rev !got);
  let* () = Net.disconnect other in
  let* _ = ended in
  is "into nothing" (Ok ()) (write 60 zeroed)

(* Nothing before somebody listens; then what is not too long; one after the
   other listener. *)
let listening clock net far =
  let other = Net.of_link ~clock far in
  let write n = Lwt.map ignore (Net.write other ~size:n (fun _ -> n)) in
  let got = ref [] in
  let note who b =
    got := (who, Cstruct.length b) :: !got;
    Lwt.return_unit
  in
  let wait () = Clock.sleep clock 1_000 in
  let* () = write 60 in
  let* () = wait () in
  let first = Net.listen net ~header_size:14 (note "first") in
  let* () = write 61 in
  let* () = wait () in
  let second = Net.listen net ~header_size:(-1_400) (note "second") in
  let* () = write 100 in
  let* () = write 101 in
  let* () = wait () in
  Alcotest.(check (list (pair string int)))
    "who got what"
    [ ("first", 61); ("second", 100) ]
    (List.rev !got);
  let* () = Net.disconnect net in
  let* _ = Lwt.both first second in
  Net.disconnect other

(* Callbacks that do not end hold back the link, whose queue is bounded. *)
let flood clock net far =
  let open_, gate = Lwt.wait () in
  let live = ref 0 and all = ref 0 in
  let ended =
    Net.listen net ~header_size:14 (fun _ ->
        incr live;
        let* () = open_ in
        incr all;
        if !all = 1 then failwith "told" else Lwt.return_unit)
  in
  let other = Net.of_link ~clock far in
  let rec send n =
    if n = 0 then Lwt.return_unit
    else
      let* _ = Net.write other ~size:60 (fun _ -> 60) in
      let* () = if n mod 100 = 0 then Clock.sleep clock 1_000 else Lwt.return_unit in
      send (n - 1)
  in
  let* told =
    caught (fun () ->
        let* () = send 20_000 in
        Alcotest.(check int) "at most" 4_096 !live;
        Lwt.wakeup_later gate ();
        Clock.sleep clock 1_000_000)
  in
  Alcotest.(check int) "an exception ends its own frame's thread only" 1 (List.length told);
  Alcotest.(check int) "those in the queue too" (4_096 + 8_192) !all;
  let* () = Net.disconnect net in
  let* _ = ended in
  Net.disconnect other

let elsewhere _ net _ =
  let refused =
    Domain.join
      (Domain.spawn (fun () ->
           match Net.write net ~size:60 (fun _ -> 60) with
           | _ -> false
           | exception Weir_lwt.Error.Wrong_domain _ -> true))
  in
  Alcotest.(check bool) "refused" true refused;
  Lwt.return_unit

(* -- a device of the kernel ---------------------------------------------- *)

let get = function Ok x -> x | Error e -> Alcotest.failf "%a" Weir_tap.Error.pp e

let with_tap f =
  Weir_test.Netns.needed ();
  let link = get (Weir_tap.Tap.open_ ()) in
  get (Weir_tap.Interface.set_address link#name (Ipaddr.of_string_exn "10.0.0.1") ~prefix:24);
  get (Weir_tap.Interface.set_up link#name);
  let net = Net.of_link ~mac link in
  let ended = Responder.run net own in
  Lwt_main.run
    (let* () = limited Clock.system ~s:30. (f net) in
     let* () = Net.disconnect net in
     Lwt.map ignore ended)

let tap () =
  Suite.needs_program "ping";
  with_tap @@ fun net ->
  let null = Unix.openfile "/dev/null" [ O_RDWR; O_CLOEXEC ] 0 in
  let pid =
    Unix.create_process "ping"
      [| "ping"; "-q"; "-i"; "0.01"; "-c"; "20"; "10.0.0.9" |]
      null null null
  in
  Unix.close null;
  let+ _, status = Lwt_unix.waitpid [] pid in
  Alcotest.(check bool) "ping is content" true (status = Unix.WEXITED 0);
  (* The request for the address, and twenty more; others of the kernel's own. *)
  Alcotest.(check bool) "frames" true (Int32.to_int (Net.get_stats_counters net).tx_pkts >= 21)

let idle () =
  with_tap @@ fun _ ->
  let* () = Lwt_unix.sleep 1.5 in
  let meter = Weir_test.Idle.start () in
  let+ () = Lwt_unix.sleep 1.0 in
  Weir_test.Idle.check (Weir_test.Idle.used meter)

let cases =
  [
    case "ARP and ping, to a host" ping;
    case "through delays and losses" ~wrap:delayed ping_slowly;
    case "lengths" lengths;
    case "listening" listening;
    case "a flood" flood;
    case "another domain" elsewhere;
    Suite.case "the kernel pings over a TAP" tap;
    Suite.slow "an idle device uses no CPU" idle;
  ]

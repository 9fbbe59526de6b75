(* A capture that comes in pieces is read as the whole file is. *)

open Weir_wire
module Suite = Weir_test.Suite

type read = { packets : (string * Pcap.packet) list; wrong : string option }

let reason = Result.fold ~ok:(fun () -> None) ~error:(fun e -> Some (Fmt.str "%a" Error.pp e))

(* [off] is a place in different bytes. *)
let packet b (p : Pcap.packet) = (Bytes.sub_string b p.off p.captured, { p with off = 0 })

let whole b =
  let packets = ref [] in
  let read = Pcap.fold (fun () p -> packets := packet b p :: !packets) () b in
  { packets = !packets; wrong = reason read }

let pieces sizes b =
  let feed = Pcap_feed.create () and packets = ref [] and at = ref 0 in
  let rec take () =
    match Pcap_feed.next feed with
    | Error e -> Some (Fmt.str "%a" Error.pp e)
    | Ok (Packet (b, p)) ->
        packets := packet b p :: !packets;
        take ()
    | Ok Starved when !at = Bytes.length b -> reason (Pcap_feed.finish feed)
    | Ok Starved ->
        let len = min (sizes ()) (Bytes.length b - !at) in
        (* At an odd place, in bytes that are then used for others. *)
        let piece = Bytes.make (len + 3) 'x' in
        Bytes.blit b !at piece 3 len;
        Pcap_feed.feed feed piece ~off:3 ~len;
        Bytes.fill piece 0 (len + 3) 'y';
        at := !at + len;
        take ()
  in
  let wrong = take () in
  { packets = !packets; wrong }

let captures = [ "icmp.pcapng"; "icmp-us.pcap"; "udp.pcap"; "tcp-plain.pcap" ]

let check what b sizes =
  let want = whole b and got = pieces sizes b in
  Alcotest.(check (option string)) (what ^ ": error") want.wrong got.wrong;
  if want.packets <> got.packets then Alcotest.failf "%s: other packets" what

let same () =
  List.iter
    (fun file ->
      let b = Captures.load file in
      List.iter (fun n -> check (Printf.sprintf "%s by %d" file n) b (fun () -> n)) [ 1; 7; 4_096 ])
    captures

let cut () =
  List.iter
    (fun file ->
      let b = Captures.load file in
      for len = 0 to min 600 (Bytes.length b) do
        check (Printf.sprintf "%s cut at %d" file len) (Bytes.sub b 0 len) (fun () -> 50)
      done)
    captures

let mutated () =
  let state = Random.State.make [| 0xfeed |] in
  let int = Random.State.int state in
  let captures = Array.of_list (List.map Captures.load captures) in
  for _ = 1 to Suite.iterations 2_000 do
    let b = Bytes.copy captures.(int (Array.length captures)) in
    let b = Bytes.sub b 0 (int (min 3_000 (Bytes.length b))) in
    for _ = 1 to int 4 do
      if b <> Bytes.empty then Bytes.set_uint8 b (int (Bytes.length b)) (int 256)
    done;
    (* A record that claims more than is read of any: the file ends in it too. *)
    let want = whole b and got = pieces (fun () -> 1 + int 500) b in
    let too_long = Option.fold ~none:false ~some:(String.ends_with ~suffix:"64 MiB") got.wrong in
    if want.packets <> got.packets || (want.wrong <> got.wrong && not too_long) then
      Alcotest.failf "read otherwise: %S" (Bytes.to_string b)
  done

(* What a header claims is not set aside before it comes. *)
let claimed () =
  let b = Bytes.make 40 '\000' in
  Bytes.blit_string (Pcap.header ~snaplen:0) 0 b 0 24;
  let claim captured =
    Pcap.record_header ~time:0 ~captured ~original:captured b ~off:24;
    let feed = Pcap_feed.create () in
    Pcap_feed.feed feed b ~off:0 ~len:40;
    (feed, Pcap_feed.next feed)
  in
  (match claim Pcap_feed.longest with
  | _, Error (Malformed { at = 24; _ }) -> ()
  | _ -> Alcotest.fail "a record of more than 64 MiB is taken");
  match claim (Pcap_feed.longest - 16) with
  | feed, Ok Starved ->
      let words = Obj.reachable_words (Obj.repr feed) in
      if words > 50_000 then Alcotest.failf "%d words for a claim" words
  | _ -> Alcotest.fail "a record of 64 MiB is refused"

(* However long the capture, what was read is forgotten. *)
let bounded () =
  let feed = Pcap_feed.create () in
  let b = Captures.load "tcp.pcap" in
  let body = Bytes.sub b 24 (Bytes.length b - 24) in
  let rec count n =
    match Pcap_feed.next feed with
    | Ok (Packet _) -> count (n + 1)
    | Ok Starved -> n
    | Error e -> Alcotest.failf "%a" Error.pp e
  in
  Pcap_feed.feed feed b ~off:0 ~len:24;
  let total = ref 0 and times = 200 in
  for _ = 1 to times do
    Pcap_feed.feed feed body ~off:0 ~len:(Bytes.length body);
    total := count !total
  done;
  Alcotest.(check int) "packets" (times * List.length (Captures.frames "tcp.pcap")) !total;
  let words = Obj.reachable_words (Obj.repr feed) in
  if words * 8 > (3 * Bytes.length b) + 100_000 then Alcotest.failf "%d words" words

let cases =
  [
    Suite.native Suite.since_1970 (Suite.case "in pieces of any size" same);
    Suite.native Suite.since_1970 (Suite.case "cut anywhere" cut);
    Suite.native Suite.since_1970 (Suite.case "mutated" mutated);
    Suite.case "a length that is only claimed" claimed;
    Suite.case "bounded memory" bounded;
  ]

(* Captures, mutated: whatever a file holds, nothing raises. *)

open Weir_wire
open Weir_dissect
module Suite = Weir_test.Suite

let filter =
  Result.get_ok
    (Filter.parse "net 10.0.0.0/8 and not (tcp.seq > 5 or icmp.type == 3 or frame.error)")

let read capture =
  let conversations = Conversations.create ~most:100 () in
  let feed = Pcap_feed.create () in
  let stream = Stream_bytes.create ignore in
  let number = ref 0 in
  let rec take () =
    match Pcap_feed.next feed with
    | Error _ | Ok Starved -> ()
    | Ok (Packet (b, p)) ->
        incr number;
        let d = Dissection.make conversations ~absolute:false ~number:!number b p in
        ignore (Filter.matches filter d : bool);
        ignore (Fmt.str "%a" Dissection.pp d : string);
        List.iter (fun (f : Fields.t) -> ignore (f.get d : Fields.value list)) Fields.all;
        (match d.stream with
        | Some { stream = { number = 0; _ }; _ } -> Stream_bytes.add stream d
        | _ -> ());
        take ()
  in
  Pcap_feed.feed feed capture ~off:0 ~len:(Bytes.length capture);
  take ();
  ignore (Pcap_feed.finish feed : (unit, Error.t) result);
  Stream_bytes.finish stream;
  !number

let mutated () =
  let state = Random.State.make [| 0xd15 |] in
  let int = Random.State.int state in
  let captures = Array.of_list (List.map Packets.load ("icmp.pcapng" :: Packets.files)) in
  let packets = ref 0 and n = Suite.iterations 2_000 in
  for _ = 1 to n do
    let b = Bytes.of_string captures.(int (Array.length captures)) in
    let len = Bytes.length b in
    for _ = 0 to int 30 do
      (* The file's and the first record's header now and then, the packets always. *)
      let at = if int 40 = 0 then int (min len 60) else int len in
      Bytes.set_uint8 b at (if int 2 = 0 then int 256 else Bytes.get_uint8 b at lxor (1 lsl int 8))
    done;
    let b = if int 4 = 0 then Bytes.sub b 0 (int len) else b in
    match read b with
    | found -> packets := !packets + found
    | exception e -> Alcotest.failf "%s on %S" (Printexc.to_string e) (Bytes.to_string b)
  done;
  if !packets < 5 * n then Alcotest.failf "only %d packets were read" !packets

let cases = [ Suite.native Suite.since_1970 (Suite.case "mutated captures" mutated) ]

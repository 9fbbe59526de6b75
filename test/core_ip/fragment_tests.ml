open Weir_wire
open Weir_core
open Weir_test
open Net

let header ?(options = "") data_length =
  {
    Ipv4.base with
    src = ip "192.0.2.1";
    dst = ip "192.0.2.2";
    protocol = Ipv4.protocol_udp;
    identification = 99;
    options;
    header_length = 20 + String.length options;
    data_length;
  }

let parts ~mtu h =
  let all = ref [] in
  Fragment.iter ~mtu h (fun part ~at -> all := (part, at) :: !all);
  List.rev !all

let table () =
  let check mtu length want =
    Alcotest.(check (list (triple int int bool)))
      (Fmt.str "%d bytes through %d" length mtu)
      want
      (List.map
         (fun ((p : Ipv4.t), at) -> (at, p.data_length, p.more_fragments))
         (parts ~mtu (header length)))
  in
  check 1500 0 [ (0, 0, false) ];
  check 1500 1480 [ (0, 1480, false) ];
  check 1500 1481 [ (0, 1480, true); (1480, 1, false) ];
  check 1499 1480 [ (0, 1472, true); (1472, 8, false) ];
  check 68 100 [ (0, 48, true); (48, 48, true); (96, 4, false) ];
  check 1501 2961 [ (0, 1480, true); (1480, 1481, false) ];
  Alcotest.check_raises "below 68" (Invalid_argument "Fragment.iter: mtu") (fun () ->
      ignore (parts ~mtu:67 (header 10)))

(* RFC 791 §3.1: only options with the copied flag go along. *)
let options () =
  let later options =
    match parts ~mtu:100 (header ~options 200) with
    | (first, _) :: rest ->
        Alcotest.(check string) "the first has all" options first.options;
        List.iter
          (fun ((p : Ipv4.t), _) ->
            Alcotest.(check int) "header" (20 + String.length p.options) p.header_length)
          rest;
        (fst (List.hd rest)).options
    | [] -> assert false
  in
  let check what want options = Alcotest.(check string) what want (later options) in
  check "record route stays behind" "" "\x07\x07\x04\x00\x00\x00\x00\x00";
  check "loose source route is copied" "\x83\x03\x04\x00" "\x83\x03\x04\x00";
  check "with padding" "\x83\x05\x04\xaa\xbb\x00\x00\x00" "\x01\x83\x05\x04\xaa\xbb\x01\x00";
  check "one of two" "\x88\x04\x12\x34" "\x44\x04\x05\x00\x88\x04\x12\x34";
  check "length 0" "" "\x83\x00\x04\x00";
  check "length beyond the end" "" "\x83\x09\x04\x00";
  check "after the end of the list" "" "\x00\x83\x03\x04"

(* What is cut, and cut again on a narrower link, comes together again. *)
let round_trip =
  let open QCheck2.Gen in
  let option =
    oneof_list [ ""; "\x83\x03\x04\x00"; "\x07\x07\x04\x00\x00\x00\x00\x00"; String.make 40 '\x01' ]
  in
  QCheck2.Test.make ~name:"cut twice and put together" ~count:400
    ~print:QCheck2.Print.(quad int int int string)
    (quad (int_range 0 8_000) (int_range 300 1_500) (int_range 200 1_500) option)
    (fun (length, mtu, narrow, options) ->
      let h = header ~options length in
      let data = Net.bytes length (fun i -> i * 13) in
      let config = { Reassembly.default with max_fragments = 200 } in
      let t = Reassembly.create ~config () in
      let result = ref None in
      let receive (p : Ipv4.t) ~at =
        let packet = Bytes.create (Ipv4.length p + p.data_length) in
        Bytes.blit data at packet (Ipv4.length p) p.data_length;
        Ipv4.emit p packet ~off:0;
        if Bytes.length packet > narrow then QCheck2.Test.fail_report "longer than the link takes";
        match Ipv4.decode packet ~off:0 ~len:(Bytes.length packet) with
        | Error e -> QCheck2.Test.fail_reportf "%a" Error.pp e
        | Ok d when not (Ipv4.is_fragment d) -> result := Some packet
        | Ok d -> (
            match Reassembly.input t ~now:0 (Net.packet d packet ~data:d.header_length) with
            | Complete b -> result := Some b
            | Pending -> ()
            | Dropped -> QCheck2.Test.fail_report "dropped")
      in
      Fragment.iter ~mtu h (fun part ~at ->
          Fragment.iter ~mtu:narrow part (fun p ~at:inner -> receive p ~at:(at + inner)));
      match !result with
      | None -> false
      | Some b ->
          Bytes.length b = Ipv4.length h + length
          && Bytes.equal (Bytes.sub b (Ipv4.length h) length) data)

let ids () =
  let t = Fragment.ids (random ()) in
  let dst = ip "192.0.2.2" in
  let seen = Array.make 65_536 false in
  for _ = 1 to 65_536 do
    let id = Fragment.next_id t ~dst ~protocol:17 in
    if seen.(id) then Alcotest.fail "used twice within 65,536";
    seen.(id) <- true
  done;
  let starts =
    List.init 100 (fun i -> Fragment.next_id t ~dst:(Ip.of_int (0x0a00_0000 + i)) ~protocol:17)
  in
  Alcotest.(check bool)
    "destinations count apart" true
    (List.length (List.sort_uniq Int.compare starts) > 60)

let cases =
  Suite.
    [
      case "where it is cut" table;
      case "which options go along" options;
      case "identifications" ids;
      qcheck round_trip;
    ]

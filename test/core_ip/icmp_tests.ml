open Weir_wire
open Weir_core
open Weir_test
open Net

let routes = routes "10.0.0.1" 24

let echo =
  let open QCheck2.Gen in
  QCheck2.Test.make ~name:"an echo reply in place is the reply written anew" ~count:1_000
    ~print:QCheck2.Print.(quad int int string int)
    (quad (int_range 0 0xffff) (int_range 0 0xffff)
       (string_size ~gen:(oneof [ char; return '\000'; return '\xff' ]) (int_range 0 100))
       (int_range 0 20))
    (fun (identifier, sequence, data, off) ->
      let data_length = String.length data in
      let len = Icmpv4.length + data_length in
      let write m =
        let b = Bytes.make (off + len) 'z' in
        Bytes.blit_string data 0 b (off + Icmpv4.length) data_length;
        Icmpv4.emit m b ~off;
        b
      in
      let b = write (Echo_request { identifier; sequence; data_length }) in
      Icmp.echo_reply b ~off ~len;
      Icmpv4.decode b ~off ~len = Ok (Echo_reply { identifier; sequence; data_length })
      && Bytes.sub_string b (off + Icmpv4.length) data_length = data)

let zeros () =
  let b = Bytes.make 40 '\000' in
  Icmpv4.emit (Echo_request { identifier = 0; sequence = 0; data_length = 32 }) b ~off:0;
  Icmp.echo_reply b ~off:0 ~len:40;
  Alcotest.(check bool) "right checksum" true (Result.is_ok (Icmpv4.decode b ~off:0 ~len:40))

let packet ?(src = "10.0.0.2") ?(dst = "10.0.0.1") ?(protocol = Ipv4.protocol_udp) ?(kind = 8)
    ?(fragment_offset = 0) ?(data_length = 8) ?(link_group = false) () =
  let h = { Ipv4.base with src = ip src; dst = ip dst; protocol; fragment_offset; data_length } in
  let b = Bytes.make (20 + data_length) '\000' in
  if data_length > 0 then Bytes.set_uint8 b 20 kind;
  Ipv4.emit h b ~off:0;
  let p = Packet.create () in
  Alcotest.(check bool) "read" true (Result.is_ok (Ipv4.read p b ~off:0 ~len:(Bytes.length b)));
  Icmp.may_report routes ~link_group p

let reports () =
  let check what want got = Alcotest.(check bool) what want got in
  let icmp = Ipv4.protocol_icmp in
  check "UDP" true (packet ());
  check "from far away" true (packet ~src:"8.8.8.8" ());
  check "from ourselves" true (packet ~src:"10.0.0.1" ());
  check "over loopback" true (packet ~src:"127.0.0.1" ~dst:"127.0.0.1" ());
  check "an echo request" true (packet ~protocol:icmp ~kind:8 ());
  check "an echo reply" true (packet ~protocol:icmp ~kind:0 ());
  List.iter
    (fun kind -> check (Fmt.str "ICMP type %d" kind) false (packet ~protocol:icmp ~kind ()))
    [ 3; 4; 5; 11; 12; 99 ];
  check "empty ICMP" false (packet ~protocol:icmp ~data_length:0 ());
  check "a later fragment" false (packet ~fragment_offset:8 ());
  check "by link broadcast" false (packet ~link_group:true ());
  List.iter
    (fun dst -> check ("to " ^ dst) false (packet ~dst ()))
    [ "255.255.255.255"; "10.0.0.255"; "10.0.0.0"; "224.0.0.1"; "10.0.0.9" ];
  List.iter
    (fun src -> check ("from " ^ src) false (packet ~src ()))
    [ "0.0.0.0"; "255.255.255.255"; "10.0.0.255"; "224.0.0.1" ]

let echo_answers () =
  let may src dst =
    Icmp.may_answer routes (Packet.between ~source:(ip src) ~destination:(ip dst))
  in
  Alcotest.(check (list bool))
    "answers"
    [ true; true; true; false; false; false ]
    [
      may "10.0.0.2" "10.0.0.1";
      may "127.0.0.1" "127.0.0.1";
      may "10.0.0.1" "10.0.0.1";
      may "10.0.0.2" "10.0.0.255";
      may "0.0.0.0" "10.0.0.1";
      may "10.0.0.2" "224.0.0.1";
    ]

let errors () =
  let h =
    { Ipv4.base with src = ip "10.0.0.1"; dst = ip "10.0.0.2"; protocol = 17; data_length = 900 }
  in
  let sent = bytes 930 (fun i -> i) in
  Ipv4.emit h sent ~off:10;
  let b = Bytes.make 1_000 'z' in
  let check what error len want =
    let n = Icmp.emit_error error ~quote:sent ~off:10 ~len b ~at:7 in
    Alcotest.(check int) (what ^ ": length") (Int.min (len + 8) 556) n;
    match Icmpv4.decode b ~off:7 ~len:n with
    | Error e -> Alcotest.failf "%s: %a" what Error.pp e
    | Ok m -> (
        Alcotest.(check string) what want (Fmt.str "%a" Icmpv4.pp m);
        match Icmp.quoted b ~off:(7 + Icmpv4.length) ~len:(Icmpv4.data_length m) with
        | None -> Alcotest.failf "%s: the quote is not understood" what
        | Some (q, transport) ->
            Alcotest.check address "quoted destination" h.dst q.dst;
            Alcotest.(check int) "transport" (7 + 8 + 20) transport;
            Alcotest.(check string)
              "its bytes" (Bytes.sub_string sent 30 8) (Bytes.sub_string b transport 8))
  in
  check "short" (Unreachable Port) 28 "ICMP unreachable: port len 28";
  check "long" (Unreachable Host) 920 "ICMP unreachable: host len 548";
  check "protocol" (Unreachable Protocol) 547 "ICMP unreachable: protocol len 547";
  check "reassembly" Reassembly_timed_out 920 "ICMP time exceeded: reassembly len 548"

let bad_quotes () =
  let b = Bytes.make 100 '\000' in
  let quoted ?(len = 28) h =
    Ipv4.emit h b ~off:0;
    Option.is_some (Icmp.quoted b ~off:0 ~len)
  in
  let h = { Ipv4.base with protocol = 6; data_length = 400 } in
  Alcotest.(check bool) "8 bytes" true (quoted h);
  Alcotest.(check bool) "7 bytes" false (quoted h ~len:27);
  Alcotest.(check bool) "it had 7" false (quoted { h with data_length = 7 } ~len:60);
  Alcotest.(check bool) "a later fragment" false (quoted { h with fragment_offset = 8 });
  Alcotest.(check bool) "empty" false (quoted h ~len:0);
  Alcotest.(check bool)
    "options, and no more" false
    (quoted { h with options = "\x01\x01\x01\x01" } ~len:28)

let fuzz () =
  let random = random () in
  let b = Bytes.create 80 in
  for _ = 1 to Suite.iterations 50_000 do
    for i = 0 to 79 do
      Bytes.set_uint8 b i (Random.State.int random 256)
    done;
    if Random.State.bool random then Bytes.set_uint8 b 0 (0x40 lor Random.State.int random 16);
    let len = Random.State.int random 81 in
    match Icmp.quoted b ~off:0 ~len with
    | Some (_, transport) when transport + 8 > len -> Alcotest.fail "beyond the quote"
    | _ -> ()
  done

let cases =
  Suite.
    [
      qcheck echo;
      case "an echo of zeros" zeros;
      case "what is answered" echo_answers;
      case "what is reported" reports;
      case "errors quote and are understood" errors;
      case "bad quotes" bad_quotes;
      case "random quotes" fuzz;
    ]

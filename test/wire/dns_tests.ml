(* DNS messages: as real servers and clients sent them, tables of wrong ones, random ones, and all
   of these cut and mutated. *)

open Weir_wire
module Suite = Weir_test.Suite

let bytes = Bytes.of_string
let decode b = Dns.decode b ~off:0 ~len:(Bytes.length b)
let ok what b = match decode b with Ok m -> m | Error e -> Alcotest.failf "%s: %a" what Error.pp e
let printed m = Fmt.str "@[<h>%a@]" Dns.pp m
let name = Domain_name.of_string_exn

(* -- recorded -------------------------------------------------------------- *)

(* The messages in a capture of UDP and TCP at port 53; a TCP segment in it holds whole messages.
   The checksums were left to the virtual card. *)
let message_in b =
  let ( let* ) = Result.bind in
  let off = Ethernet.length and pseudo = -1 in
  let* ip = Ipv4.decode b ~off ~len:(Bytes.length b - off) in
  let off = off + ip.header_length and len = ip.data_length in
  if ip.protocol = Ipv4.protocol_udp then
    let* udp = Udp.decode ~pseudo b ~off ~len in
    Ok (Some (Bytes.sub b (off + Udp.length) udp.data_length))
  else
    let* tcp = Tcp.decode ~pseudo b ~off ~len in
    let off = off + tcp.header_length in
    if tcp.data_length <= 2 || Bytes.get_uint16_be b off + 2 <> tcp.data_length then Ok None
    else Ok (Some (Bytes.sub b (off + 2) (tcp.data_length - 2)))

let messages file =
  List.filter_map
    (fun (f : Captures.frame) ->
      match message_in f.bytes with
      | Ok m -> m
      | Error e -> Alcotest.failf "%s: %a" f.name Error.pp e)
    (Captures.frames file)

let recorded = lazy (messages "dns.pcap")

let printed_as_expected () =
  let lines = List.map (fun b -> printed (ok "recorded" b)) (Lazy.force recorded) in
  if List.length lines < 30 then Alcotest.failf "only %d messages" (List.length lines);
  Suite.expected ~file:"test/wire/captures/dns.expected" (String.concat "\n" lines ^ "\n")

(* dnsmasq does not look for earlier names in what it adds: ours is shorter then. *)
let both_ways () =
  let otherwise =
    List.filter
      (fun b ->
        let m = ok "recorded" b in
        let again = Dns.emit m in
        if ok "again" (bytes again) <> m then Alcotest.failf "otherwise: %s" (printed m);
        let same = again = Bytes.to_string b in
        if not (same || String.length again < Bytes.length b) then
          Alcotest.failf "not compressed: %s" (printed m);
        not same)
      (Lazy.force recorded)
  in
  Alcotest.(check int) "with other pointers" 2 (List.length otherwise)

let truncated () =
  List.iter
    (fun b ->
      for len = 0 to Bytes.length b - 1 do
        (match decode (Bytes.sub b 0 len) with
        | Ok _ -> Alcotest.failf "%d of %d bytes decoded" len (Bytes.length b)
        | Error _ -> ());
        match Dns.decode b ~off:0 ~len with
        | Ok _ -> Alcotest.failf "%d of %d bytes decoded" len (Bytes.length b)
        | Error _ -> ()
      done)
    (Lazy.force recorded)

(* -- tables ---------------------------------------------------------------- *)

let header ?(qd = 0) ?(an = 0) ?(ar = 0) () =
  Printf.sprintf "00 07 81 80 00 %02x 00 %02x 00 00 00 %02x " qd an ar

let fails what hex at why =
  match decode (Hex.bytes hex) with
  | Ok m -> Alcotest.failf "%s: decoded as %s" what (printed m)
  | Error (Malformed e) when e.at = at && e.what = why -> ()
  | Error e -> Alcotest.failf "%s: %a" what Error.pp e

let question_of hex = header ~qd:1 () ^ hex ^ " 00 01 00 01"
let label n = Printf.sprintf "%02x " n ^ String.concat " " (List.init n (fun _ -> "61")) ^ " "

let names () =
  let takes what hex want =
    match (ok what (Hex.bytes (question_of hex))).questions with
    | [ q ] -> Alcotest.(check string) what want (Domain_name.to_string q.name)
    | _ -> Alcotest.fail what
  in
  takes "root" "00" "";
  takes "one label" "01 61 00" "a";
  takes "longest label" (label 63 ^ "00") (String.make 63 'a');
  takes "255 bytes"
    (label 63 ^ label 63 ^ label 63 ^ label 61 ^ "00")
    (String.concat "."
       [ String.make 63 'a'; String.make 63 'a'; String.make 63 'a'; String.make 61 'a' ]);
  fails "256 bytes"
    (question_of (label 63 ^ label 63 ^ label 63 ^ label 62 ^ "00"))
    204 "name above 255 bytes";
  fails "to itself" (question_of "c0 0c") 12 "pointer that does not point backwards";
  fails "to its own labels" (question_of "01 61 c0 0c") 14 "pointer that does not point backwards";
  fails "forwards" (question_of "c0 20") 12 "pointer that does not point backwards";
  fails "type 01" (question_of "41 61 00") 12 "unknown type of label";
  fails "type 10" (question_of "81 61 00") 12 "unknown type of label"

(* A chain of pointers, each to the one before. *)
let chains () =
  let chain n =
    let out = Buffer.create 1_000 in
    Buffer.add_string out
      (Bytes.to_string (Hex.bytes (header ~an:1 () ^ "00 00 ff 00 01 00 00 00 00")));
    Buffer.add_uint16_be out (1 + (2 * n));
    let first = Buffer.length out in
    Buffer.add_uint8 out 0;
    for i = 1 to n do
      Buffer.add_uint16_be out (0xc000 lor if i = 1 then first else first + 1 + (2 * (i - 2)))
    done;
    Buffer.to_bytes out
  in
  let last n =
    let b = chain n in
    Dns_name.decode b ~off:0 ~len:(Bytes.length b) ~at:(Bytes.length b - 2)
  in
  (match last Dns_name.most_pointers with
  | Ok (n, _) -> Alcotest.(check int) "root" 0 (Domain_name.count_labels n)
  | Error e -> Alcotest.failf "%a" Error.pp e);
  match last (Dns_name.most_pointers + 1) with
  | Error (Malformed { what = "too many pointers"; _ }) -> ()
  | Ok _ | Error _ -> Alcotest.fail "more pointers than allowed"

let records () =
  let one kind data =
    let n = List.length (String.split_on_char ' ' data) in
    let n = if data = "" then 0 else n in
    header ~an:1 () ^ Printf.sprintf "00 %s 00 01 00 00 00 3c 00 %02x %s" kind n data
  in
  let full = "record data of the wrong length" in
  fails "A of 3" (one "00 01" "01 02 03") 23 "address that is cut short";
  fails "A of 5" (one "00 01" "01 02 03 04 05") 27 full;
  fails "AAAA of 4" (one "00 1c" "01 02 03 04") 23 "address that is cut short";
  fails "name beyond its data"
    (header ~an:2 () ^ "00 00 05 00 01 00 00 00 3c 00 01 01 61 00")
    26 full;
  fails "name and more" (one "00 05" "00 00") 24 full;
  fails "SRV of 5" (one "00 21" "00 00 00 00 00") 23 "SRV that is cut short";
  fails "SOA without numbers" (one "00 06" "00 00 01") 25 "SOA that is cut short";
  fails "MX of 1" (one "00 0f" "00") 23 "MX that is cut short";
  fails "string too long" (one "00 10" "05 61 61") 23 "string that is cut short";
  fails "bytes after it" (one "00 01" "01 02 03 04" ^ " 00") 27 "bytes after the last record";
  let opt = "00 00 29 04 d0 00 00 00 00 00 00 " in
  fails "two OPTs" (header ~ar:2 () ^ opt ^ opt) 12 "OPT records that are not one additional record";
  fails "OPT as an answer"
    (header ~an:1 () ^ opt)
    23 "OPT records that are not one additional record";
  fails "OPT with a name"
    (header ~ar:1 () ^ "01 61 00 00 29 04 d0 00 00 00 00 00 00")
    12 "OPT record whose name is not the root";
  fails "option cut short"
    (header ~ar:1 () ^ "00 00 29 04 d0 00 00 00 00 00 05 00 0a 00 09 61")
    23 "option that is cut short"

let edns () =
  let q = Dns.query ~id:1 ~edns:(Some 1_232) A (name "a.example") in
  Alcotest.(check bool) "size" true (Dns.edns (ok "query" (bytes (Dns.emit q))) = Some (1_232, 0));
  let opt =
    { Dns.name = Domain_name.root; class_ = 512; ttl = 1 lsl 24; data = OPT [ (10, "x") ] }
  in
  let bad = { q with response = true; additional = [ opt ] } in
  Alcotest.(check int) "BADVERS" 16 (Dns.rcode (ok "answer" (bytes (Dns.emit bad))))

let hosts () =
  let is n = Dns_name.is_host (Domain_name.of_strings_exn n) in
  let yes n = Alcotest.(check bool) (String.concat "." n) true (is n) in
  let no n = Alcotest.(check bool) (String.concat "." n) false (is n) in
  yes [ "a" ];
  yes [ "_http"; "_tcp"; "example" ];
  yes [ "xn--bcher-kva"; "example" ];
  no [];
  no [ "a b" ];
  no [ "a.b" ];
  no [ "-a" ];
  no [ "a-" ];
  no [ "a\n" ];
  no [ "\xc3\xa9" ]

(* -- random ---------------------------------------------------------------- *)

let message =
  let open QCheck2.Gen in
  let u8 = int_bound 0xff and u16 = int_bound 0xffff and u32 = Weir_test.Suite.bits 32 in
  let label = string_size ~gen:(oneof [ char_range 'a' 'c'; char ]) (int_range 1 12) in
  let name = map Domain_name.of_strings_exn (list_size (int_bound 5) label) in
  let octets n = string_size ~gen:char (return n) in
  let data =
    oneof
      [
        map (fun s -> Dns.A (Ipaddr.V4.of_octets_exn s)) (octets 4);
        map (fun s -> Dns.AAAA (Ipaddr.V6.of_octets_exn s)) (octets 16);
        map (fun n -> Dns.NS n) name;
        map (fun n -> Dns.CNAME n) name;
        map (fun n -> Dns.PTR n) name;
        map2 (fun preference exchange -> Dns.MX { preference; exchange }) u16 name;
        map (fun l -> Dns.TXT l) (list_size (int_bound 4) (string_size ~gen:char (int_bound 40)));
        map2
          (fun (priority, weight, port) target -> Dns.SRV { priority; weight; port; target })
          (triple u16 u16 u16) name;
        map2
          (fun (server, mailbox) (serial, refresh, retry) ->
            Dns.SOA { server; mailbox; serial; refresh; retry; expire = 9; minimum = retry })
          (pair name name) (triple u32 u32 u32);
        map (fun s -> Dns.Other (257, s)) (string_size ~gen:char (int_bound 30));
      ]
  in
  let record =
    map2 (fun (name, ttl) data -> { Dns.name; class_ = 1; ttl; data }) (pair name u32) data
  in
  let opt =
    map2
      (fun size options ->
        { Dns.name = Domain_name.root; class_ = size; ttl = 0; data = OPT options })
      u16
      (list_size (int_bound 3) (pair u16 (string_size ~gen:char (int_bound 9))))
  in
  let records = list_size (int_bound 6) record in
  map2
    (fun (flags, (id, kind, qname)) ((answers, authority), additional) ->
      let bit n = flags land (1 lsl n) <> 0 in
      {
        Dns.id;
        response = bit 0;
        opcode = flags lsr 4;
        authoritative = bit 1;
        truncated = bit 2;
        recursion_desired = bit 3;
        recursion_available = bit 0;
        reserved = bit 1;
        authentic = bit 2;
        checking_disabled = bit 3;
        rcode = flags land 15;
        questions = [ { name = qname; kind = Dns.Kind.of_int kind; class_ = 1 } ];
        answers;
        authority;
        additional;
      })
    (pair u8 (triple u16 u16 name))
    (pair (pair records records) (map2 (fun l o -> l @ Option.to_list o) records (option opt)))

let round_trip =
  QCheck2.Test.make ~count:2_000 ~name:"emitted and decoded" ~print:printed message (fun m ->
      let b = bytes (Dns.emit m) in
      match decode b with
      | Ok again -> again = m && Dns.emit again = Bytes.to_string b
      | Error e -> QCheck2.Test.fail_reportf "%a" Error.pp e)

(* Whatever the bytes are, decoding ends, and what it gives can be emitted and decoded again. *)
let mutated () =
  let state = Random.State.make [| 0xd45 |] in
  let int = Random.State.int state in
  let corpus = Array.of_list (Lazy.force recorded) in
  let decoded = ref 0 and n = Suite.iterations 100_000 in
  for _ = 1 to n do
    let b = Bytes.copy corpus.(int (Array.length corpus)) in
    let len = Bytes.length b in
    for _ = 0 to int 5 do
      let at = if int 3 = 0 then int (min len 12) else int len in
      let v =
        match int 3 with 0 -> int 256 | 1 -> 0xc0 | _ -> Bytes.get_uint8 b at lxor (1 lsl int 8)
      in
      Bytes.set_uint8 b at v
    done;
    let len = if int 4 = 0 then int (len + 1) else len in
    match Dns.decode b ~off:0 ~len with
    | exception e -> Alcotest.failf "%s on %S" (Printexc.to_string e) (Bytes.sub_string b 0 len)
    | Error _ -> ()
    | Ok m ->
        incr decoded;
        ignore (printed m : string);
        if decode (bytes (Dns.emit m)) <> Ok m then
          Alcotest.failf "otherwise: %S" (Bytes.sub_string b 0 len)
  done;
  if !decoded * 20 < n then Alcotest.failf "only %d of %d could be decoded" !decoded n

let cases =
  [
    Suite.case "recorded from unbound and dnsmasq" printed_as_expected;
    Suite.case "recorded, both ways" both_ways;
    Suite.case "every truncation" truncated;
    Suite.case "names" names;
    Suite.case "chains of pointers" chains;
    Suite.case "wrong records" records;
    Suite.case "EDNS" edns;
    Suite.case "names of hosts" hosts;
    Suite.qcheck round_trip;
    Suite.case "mutated" mutated;
  ]

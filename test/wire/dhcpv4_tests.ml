(* DHCP: what dnsmasq and udhcpc sent, options in every place, tables of wrong messages, random
   ones, mutated ones. *)

open Weir_wire
module Options = Dhcpv4_options
module Suite = Weir_test.Suite

(* The UDP payloads of the capture. *)
let payloads =
  lazy
    (List.map
       (fun (f : Captures.frame) ->
         let t = Layers.of_frame f.bytes ~off:0 ~len:(Bytes.length f.bytes) in
         Bytes.sub f.bytes t.data_off t.data_length)
       (Captures.frames "dhcp.pcap"))

let decode b = Dhcpv4.decode b ~off:0 ~len:(Bytes.length b)

let decoded b =
  match decode b with
  | Ok m -> m
  | Error e -> Alcotest.failf "%a on %S" Error.pp e (Bytes.to_string b)

let emitted (m : Dhcpv4.t) =
  let b = Bytes.make (Dhcpv4.length m) '\xa5' in
  Dhcpv4.emit m b ~off:0;
  b

let overloads b = Bytes.get_uint8 b 44 <> 0 || Bytes.get_uint8 b 108 <> 0

(* At an odd offset; a message whose names held options is longer afterwards, and means the same. *)
let both_ways () =
  let same = ref 0 and overloaded = ref 0 in
  List.iter
    (fun b ->
      let m = decoded b in
      let again = emitted m in
      if overloads b then (
        incr overloaded;
        if { (decoded again) with shortest = m.shortest } <> m then Alcotest.fail "other meaning")
      else (
        incr same;
        Alcotest.(check string) "bytes" (Bytes.to_string b) (Bytes.to_string again));
      let off = 3 in
      let moved = Bytes.cat (Bytes.make off '\xff') (Bytes.cat b (Bytes.make 4 '\xff')) in
      match Dhcpv4.decode moved ~off ~len:(Bytes.length b) with
      | Ok there when there = m -> ()
      | _ -> Alcotest.fail "decoded differently elsewhere")
    (Lazy.force payloads);
  Alcotest.(check (pair int int)) "of each kind" (14, 2) (!same, !overloaded)

let end_of b =
  let rec go at =
    match Bytes.get_uint8 b at with
    | 255 -> at + 1
    | 0 -> go (at + 1)
    | _ -> go (at + 2 + Bytes.get_uint8 b (at + 1))
  in
  go 240

let truncated () =
  List.iter
    (fun b ->
      let stop = end_of b in
      for len = 0 to stop - 1 do
        let short = Bytes.sub b 0 len in
        let check b =
          match Dhcpv4.decode b ~off:0 ~len with
          | Error (Truncated { need; have }) when have = len && need > len -> ()
          | Error e -> Alcotest.failf "%d bytes: %a" len Error.pp e
          | Ok _ -> Alcotest.failf "%d of %d bytes decoded" len stop
        in
        check short;
        check b
      done;
      ignore (decoded (Bytes.sub b 0 stop)))
    (Lazy.force payloads)

let v4 s = Ip.of_v4 (Ipaddr.V4.of_string_exn s)

(* Frame 4 of the capture is an ACK with all that a client asks for. *)
let values () =
  let m = decoded (List.nth (Lazy.force payloads) 3) in
  let get code read = Option.bind (Dhcpv4.option m code) read in
  let check what t expected got = Alcotest.(check (option t)) what (Some expected) got in
  let ip = Alcotest.testable Ip.pp Ip.equal in
  Alcotest.(check bool) "ack" true (m.reply && m.kind = Ack);
  Alcotest.check ip "your" (v4 "10.0.0.63") m.yiaddr;
  check "server" ip (v4 "10.0.0.2") (get Options.server_identifier Options.address);
  check "lease" Alcotest.int 3_600 (get Options.lease_time (Options.number ~bytes:4));
  check "T1" Alcotest.int 1_800 (get Options.renewal_time (Options.number ~bytes:4));
  check "mask" Alcotest.int 24 (get Options.subnet_mask Options.prefix_length);
  check "MTU" Alcotest.int 1_400 (get Options.interface_mtu (Options.number ~bytes:2));
  check "domain" Alcotest.string "weir.example" (get Options.domain_name Options.name);
  check "search" (Alcotest.list Alcotest.string)
    [ "weir.example"; "lab.weir.example" ]
    (get Options.domain_search Options.names);
  check "resolvers" (Alcotest.list ip)
    [ v4 "10.0.0.2"; v4 "192.0.2.53" ]
    (get Options.name_servers Options.addresses);
  let route network length gateway : Options.route =
    { network = v4 network; length; gateway = v4 gateway }
  in
  Alcotest.(check bool)
    "routes" true
    (get Options.classless_routes Options.routes
    = Some [ route "0.0.0.0" 0 "10.0.0.2"; route "198.51.100.0" 24 "10.0.0.3" ])

(* -- options in every place ---------------------------------------------- *)

let with_options s =
  let b = emitted { Dhcpv4.base with shortest = 0 } in
  Bytes.cat (Bytes.sub b 0 240) (Bytes.of_string s)

let option b code = Dhcpv4.option (decoded b) code

let places () =
  let check what expected got = Alcotest.(check (option string)) what (Some expected) got in
  let b = with_options "\053\001\001\000\000\012\002ab\012\001c\255\000\077" in
  check "parts of one option (RFC 3396), pads between" "abc" (option b 12);
  let long = String.init 600 (fun i -> Char.chr (i land 255)) in
  let m = { Dhcpv4.base with options = [ (77, long); (78, "") ] } in
  Alcotest.(check int) "600 bytes in three parts" (240 + 3 + 600 + 6 + 2 + 1) (Dhcpv4.length m);
  check "a long one" long (option (emitted m) 77);
  check "an empty one" "" (option (emitted m) 78);
  let overload n =
    with_options (Printf.sprintf "\053\001\001\052\001%c\012\001a\255" (Char.chr n))
  in
  let put b at s = Bytes.blit_string s 0 b at (String.length s) in
  let b = overload 3 in
  put b 44 "\012\001c\255";
  put b 108 "\012\001b\255";
  check "options, then file, then sname" "abc" (option b 12);
  let m = decoded b in
  Alcotest.(check (pair string string)) "no names" ("", "") (m.sname, m.file);
  let b = overload 1 in
  put b 44 "server";
  put b 108 "\012\001b";
  check "file only, without its end" "ab" (option b 12);
  Alcotest.(check string) "the name is one" "server" (decoded b).sname;
  let b = overload 2 in
  Bytes.fill b 44 64 '\012';
  put b 44 "\012\062";
  check "a field full to its last byte" ("a" ^ String.make 62 '\012') (option b 12);
  put b 44 "\012\063";
  match decode b with
  | Error (Malformed { at = 44; _ }) -> ()
  | _ -> Alcotest.fail "an option beyond its field"

let malformed () =
  let good = Bytes.to_string (with_options "\053\001\001\255") in
  let with_byte at c = Bytes.mapi (fun i x -> if i = at then c else x) (Bytes.of_string good) in
  let check what at b =
    match decode b with
    | Error (Malformed { at = found; _ }) -> Alcotest.(check int) what at found
    | Error e -> Alcotest.failf "%s: %a" what Error.pp e
    | Ok _ -> Alcotest.failf "%s: decoded" what
  in
  check "op" 0 (with_byte 0 '\003');
  check "hardware" 1 (with_byte 1 '\006');
  check "its length" 2 (with_byte 2 '\016');
  check "cookie" 236 (with_byte 239 '\000');
  check "no type" 240 (with_options "\012\001a\255");
  check "type 0" 240 (with_options "\053\001\000\255");
  check "type 9" 240 (with_options "\053\001\009\255");
  check "two types" 240 (with_options "\053\001\001\053\001\001\255");
  check "overload 0" 240 (with_options "\053\001\001\052\001\000\255");
  check "overload 4" 240 (with_options "\053\001\001\052\001\004\255");
  check "overload of two bytes" 240 (with_options "\053\001\001\052\002\001\001\255")

(* -- values -------------------------------------------------------------- *)

let check_option_values () =
  let names = Alcotest.(check (option (list string))) in
  names "compressed"
    (Some [ "a.example"; "b.example"; "example" ])
    (Options.names "\001a\007example\000\001b\192\002\192\002");
  names "to itself" None (Options.names "\192\000");
  names "forwards" None (Options.names "\192\002\001a\000");
  names "in a circle" None (Options.names "\001a\192\000\001b\192\000");
  names "cut" None (Options.names "\003ab");
  names "no end" None (Options.names "\001a");
  names "empty" None (Options.names "");
  names "the root" None (Options.names "\000");
  names "a space" None (Options.names "\003a b\000");
  let label = "\063" ^ String.make 63 'x' in
  names "too long" None (Options.names (label ^ label ^ label ^ label ^ "\000"));
  let many = String.concat "" (List.init 1_000 (fun _ -> "\001a\000")) in
  Alcotest.(check int) "at most 64" 64 (List.length (Option.get (Options.names many)));
  let name what expected s = Alcotest.(check (option string)) what expected (Options.name s) in
  name "zeros and a dot" (Some "a.b") "a.b.\000\000";
  name "empty" None "";
  name "a line" None "a\nb";
  name "two dots" None "a..b";
  name "long" None (String.concat "." (List.init 200 (fun _ -> "ab")));
  let routes what ok s = Alcotest.(check bool) what ok (Options.routes s <> None) in
  routes "default" true "\000\010\000\000\001";
  routes "host" true "\032\010\001\002\003\010\000\000\001";
  routes "33 bits" false "\033\010\001\002\003\004\010\000\000\001";
  routes "cut" false "\024\010\001\002\010\000\000";
  routes "empty" false "";
  (match Options.routes "\009\010\255\010\000\000\001" with
  | Some [ r ] -> Alcotest.(check string) "bits beyond" "10.128.0.0" (Fmt.str "%a" Ip.pp r.network)
  | _ -> Alcotest.fail "one route");
  let mask what expected s =
    Alcotest.(check (option int)) what expected (Options.prefix_length s)
  in
  mask "20" (Some 20) "\255\255\240\000";
  mask "0" (Some 0) "\000\000\000\000";
  mask "32" (Some 32) "\255\255\255\255";
  mask "a hole" None "\255\000\255\000";
  mask "short" None "\255\255\255"

(* -- random -------------------------------------------------------------- *)

let message =
  let open QCheck2.Gen in
  let u32 = Weir_test.Suite.bits 32 in
  let ip = map Ip.of_int u32 in
  let text n =
    map (String.map (fun c -> if c = '\000' then 'x' else c)) (string_size (int_bound n))
  in
  let+ reply = bool
  and+ kind = oneof_list Dhcpv4.[ Discover; Offer; Request; Decline; Ack; Nak; Release; Inform ]
  and+ hops = int_bound 255
  and+ xid = u32
  and+ secs = int_bound 65_535
  and+ broadcast = bool
  and+ ciaddr = ip
  and+ yiaddr = ip
  and+ siaddr = ip
  and+ giaddr = ip
  and+ chaddr = map Mac.of_int (Weir_test.Suite.bits 48)
  and+ sname = text 64
  and+ file = text 128
  and+ options = list_size (int_bound 12) (pair (int_range 1 254) (string_size (int_bound 600)))
  and+ shortest = int_bound 1_000 in
  let once =
    List.fold_left
      (fun all (code, v) ->
        if code = 52 || code = 53 || List.mem_assoc code all then all else (code, v) :: all)
      [] options
  in
  let m =
    {
      Dhcpv4.reply;
      kind;
      hops;
      xid;
      secs;
      broadcast;
      ciaddr;
      yiaddr;
      siaddr;
      giaddr;
      chaddr;
      sname;
      file;
      options = once;
      shortest;
    }
  in
  { m with shortest = Dhcpv4.length m }

let round_trip =
  QCheck2.Test.make ~name:"random messages, both ways" ~count:2_000 ~print:(Fmt.str "%a" Dhcpv4.pp)
    message (fun m -> decode (emitted m) = Ok m)

let value_round_trip =
  let open QCheck2.Gen in
  let label = string_size ~gen:(char_range 'a' 'z') (int_range 1 20) in
  let names =
    list_size (int_range 1 20) (map (String.concat ".") (list_size (int_range 1 5) label))
  in
  let route =
    let+ n = Weir_test.Suite.bits 32 and+ length = int_bound 32 and+ g = Weir_test.Suite.bits 32 in
    let network = Ip.network (Ip.of_int n) ~prefix_length:length in
    { Options.network; length; gateway = Ip.of_int g }
  in
  QCheck2.Test.make ~name:"names and routes, both ways" ~count:2_000
    (pair names (list_size (int_range 1 20) route))
    (fun (names, routes) ->
      Options.names (Options.of_names names) = Some names
      && Options.routes (Options.of_routes routes) = Some routes)

(* What is decoded can be emitted, and then says the same. *)
let fuzz () =
  let state = Random.State.make [| 0xd4c9 |] in
  let int = Random.State.int state in
  let corpus = Array.of_list (Lazy.force payloads) in
  let read_all (m : Dhcpv4.t) =
    List.iter
      (fun (_, v) ->
        ignore (Options.names v);
        ignore (Options.routes v);
        ignore (Options.name v);
        ignore (Options.text v);
        ignore (Options.addresses v);
        ignore (Options.prefix_length v))
      m.options
  in
  let decoded = ref 0 and n = Suite.iterations 100_000 in
  for _ = 1 to n do
    let b = Bytes.copy corpus.(int (Array.length corpus)) in
    let len = Bytes.length b in
    for _ = 0 to int 6 do
      let at = if int 3 = 0 then int len else 240 + int (len - 240) in
      Bytes.set_uint8 b at
        (match int 3 with 0 -> int 256 | 1 -> [| 0; 1; 52; 53; 255; 3 |].(int 6) | _ -> int 64)
    done;
    let len = if int 4 = 0 then int (len + 1) else len in
    match
      match Dhcpv4.decode b ~off:0 ~len with
      | Error _ -> ()
      | Ok m ->
          incr decoded;
          read_all m;
          let again = emitted m in
          let line = Fmt.str "%a" Dhcpv4.pp m in
          if String.contains line '\n' || String.length line > 200 then Alcotest.fail line;
          if decode again <> Ok { m with shortest = Bytes.length again } then
            Alcotest.fail "emitted with another meaning"
    with
    | () -> ()
    | exception (Invalid_argument _ as e) ->
        Alcotest.failf "%s on %S" (Printexc.to_string e) (Bytes.sub_string b 0 len)
  done;
  if !decoded * 5 < n then Alcotest.failf "only %d of %d messages could be decoded" !decoded n

let cases =
  Suite.
    [
      case "captured messages, both ways" both_ways;
      case "captured messages, every truncation" truncated;
      case "the values of an ACK" values;
      case "options in every place" places;
      case "malformed messages" malformed;
      case "values of options" check_option_values;
      qcheck round_trip;
      qcheck value_round_trip;
      case "mutated messages" fuzz;
    ]

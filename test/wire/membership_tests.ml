(* IGMP and MLD: round trips, every truncation, and the numbers with an exponent. *)

open Weir_test
open Weir_wire
open QCheck2
module M = Membership

let word n = Ip.of_int (0xe000_0000 lor n)

let group ~v4 n =
  if v4 then word n
  else Ip.of_ipaddr (V6 (Ipaddr.V6.make 0xff05 0 0 0 0 0 (n lsr 16) (n land 0xffff)))

let source ~v4 n =
  if v4 then Ip.of_int n else Ip.of_ipaddr (V6 (Ipaddr.V6.make 0xfd00 0 0 0 0 0 0 (n land 0xffff)))

let message ~v4 =
  let open Gen in
  let group = map (group ~v4) (int_bound 0xfff_ffff) in
  let sources n = list_size (int_bound n) (map (source ~v4) (int_bound 0xff_ffff)) in
  let kind = oneof_list [ M.Is_include; Is_exclude; To_include; To_exclude; Allow; Block ] in
  let record = map3 (fun kind group sources -> { M.kind; group; sources }) kind group (sources 5) in
  let query =
    let+ about = oneof [ pure (if v4 then Ip.any else Ip.any_v6); group ]
    and+ from = sources 4
    and+ tenths = int_range 1 127
    and+ robustness = int_bound 7
    and+ interval_s = int_bound 127
    and+ old = bool in
    if old then
      let version = if v4 then 2 else 1 in
      M.Query
        {
          version;
          max_response_ms = 100 * tenths;
          about;
          from = [];
          robustness = 0;
          interval_s = 0;
        }
    else
      let from = if Ip.is_any about then [] else from in
      let version = if v4 then 3 else 2 in
      M.Query { version; max_response_ms = 100 * tenths; about; from; robustness; interval_s }
  in
  oneof
    [
      query;
      map (fun group -> M.Report { version = 1; group }) group;
      map (fun g -> M.Leave g) group;
      map (fun l -> M.Records l) (list_size (int_range 1 6) record);
    ]

let pseudo ~v4 = if v4 then 0 else 0x1234

let round_trip name ~v4 =
  Test.make ~name ~count:2_000
    ~print:(fun (m, _) -> Fmt.str "%a" M.pp m)
    Gen.(pair (message ~v4) (int_bound 9))
    (fun (m, off) ->
      let length = M.length ~v4 m and pseudo = pseudo ~v4 in
      let b = Bytes.make (off + length + 9) '\xa5' in
      M.emit m ~pseudo ~v4 b ~off;
      let untouched at n = Bytes.for_all (( = ) '\xa5') (Bytes.sub b at n) in
      if not (untouched 0 off && untouched (off + length) 9) then
        Test.fail_report "emit wrote outside";
      for len = 0 to length - 1 do
        match M.decode ~pseudo:(-1) ~v4 b ~off ~len with
        | Ok (Query { from = []; _ }) -> () (* An older version of it. *)
        | Ok _ -> Test.fail_reportf "%d bytes of %d were enough" len length
        | Error _ -> ()
      done;
      M.decode ~pseudo ~v4 b ~off ~len:length = Ok m)

(* RFC 9776 §4.1.1: 0x80 is 16 << 3; the largest is 31 << 10. *)
let codes () =
  let query ms =
    let m =
      M.Query
        {
          version = 3;
          max_response_ms = ms;
          about = Ip.any;
          from = [];
          robustness = 2;
          interval_s = 1;
        }
    in
    let b = Bytes.create 12 in
    M.emit m ~pseudo:0 ~v4:true b ~off:0;
    match M.decode ~pseudo:0 ~v4:true b ~off:0 ~len:12 with
    | Ok (Query q) -> (Bytes.get_uint8 b 1, q.max_response_ms)
    | _ -> Alcotest.fail "not a query"
  in
  List.iter
    (fun (ms, code, back) ->
      Alcotest.(check (pair int int)) (string_of_int ms) (code, back) (query ms))
    [
      (12_700, 0x7f, 12_700);
      (12_800, 0x80, 12_800);
      (13_500, 0x80, 12_800);
      (24_800, 0x8f, 24_800);
      (25_600, 0x90, 25_600);
      (3_174_400, 0xff, 3_174_400);
      (9_999_900, 0xff, 3_174_400);
    ]

let cases =
  [
    Suite.qcheck (round_trip "IGMP" ~v4:true);
    Suite.qcheck (round_trip "MLD" ~v4:false);
    Suite.case "times and intervals" codes;
  ]

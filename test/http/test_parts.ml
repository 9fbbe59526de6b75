(* The small parts: dates, paths, ranges, URLs, buffers. *)

open Weir_http
open Weir_test

let string = Alcotest.(check string)
let int = Alcotest.(check int)
let bool = Alcotest.(check bool)
let int_option = Alcotest.(check (option int))

let dates () =
  string "preferred" "Sun, 06 Nov 1994 08:49:37 GMT" (Date.to_string 784_111_777);
  string "the origin" "Thu, 01 Jan 1970 00:00:00 GMT" (Date.to_string 0);
  string "before it" "Wed, 31 Dec 1969 23:59:59 GMT" (Date.to_string (-1));
  string "a leap day" "Thu, 29 Feb 2024 12:00:00 GMT" (Date.to_string 1_709_208_000);
  string "no leap day" "Mon, 01 Mar 2100 00:00:00 GMT" (Date.to_string 4_107_542_400);
  string "clamped" "Fri, 31 Dec 9999 23:59:59 GMT" (Date.to_string max_int);
  int "29 bytes" 29 (String.length (Date.to_string min_int));
  let reads s = int_option s (Some 784_111_777) (Date.of_string s) in
  reads "Sun, 06 Nov 1994 08:49:37 GMT";
  reads "Sunday, 06-Nov-94 08:49:37 GMT";
  reads "Sun Nov  6 08:49:37 1994";
  int_option "a year of two digits" (Some 3_155_760_000) (Date.of_string "Monday, 01-Jan-70 00:00:00 GMT" |> Option.map (fun s -> s + 3_155_760_000));
  List.iter
    (fun s -> int_option s None (Date.of_string s))
    [ ""; "Sun"; "Sun, 06 Nov 1994 08:49:37 PST"; "Sun, 06 Now 1994 08:49:37 GMT"; "Sun, 32 Nov 1994 08:49:37 GMT"; "Sun, 31 Nov 1994 08:49:37 GMT"; "Sun, 06 Nov 1994 24:49:37 GMT"; "Sun, 06 Nov 1994 08:60:37 GMT"; "Sun, 6 Nov 1994 08:49:37 GMT"; "Sun, 06 Nov 1994 08-49-37 GMT"; "Sun, +6 Nov 1994 08:49:37 GMT"; String.make 29 ','; String.make 24 ' '; String.make 31 '-' ]
  [@@ocamlformat "disable"]

let date_round_trip =
  QCheck2.Test.make ~name:"dates round-trip" ~count:2_000
    QCheck2.Gen.(int_range (-62_167_219_200) 253_402_300_799)
    (fun s -> Date.of_string (Date.to_string s) = Some s)

let date_cache () =
  let calls = ref [ 0.; 0.9; 1.0; 1.5; 0.5 ] in
  let now () = match !calls with x :: rest -> calls := rest; x | [] -> 9. in
  let date = Date.cached now in
  let a = date () in
  bool "the same string within a second" true (a == date ());
  let b = date () in
  string "the next second" "Thu, 01 Jan 1970 00:00:01 GMT" b;
  bool "kept" true (b == date ());
  string "a clock set back" "Thu, 01 Jan 1970 00:00:00 GMT" (date ())
  [@@ocamlformat "disable"]

let paths () =
  let ok s names slash =
    match Path.of_encoded s with
    | Ok p ->
        Alcotest.(check (list string)) s names p.names;
        bool (s ^ " slash") slash p.slash
    | Error e -> Alcotest.failf "%s: %s" s e
  in
  ok "/" [] true;
  ok "//" [] true;
  ok "/a" [ "a" ] false;
  ok "/a/" [ "a" ] true;
  ok "//a///b" [ "a"; "b" ] false;
  ok "/a%20b/%c3%a9" [ "a b"; "\xc3\xa9" ] false;
  ok "/%252e%252e/x" [ "%2e%2e"; "x" ] false;
  ok "/%2525" [ "%25" ] false;
  ok "/..." [ "..." ] false;
  ok "/..a/.b" [ "..a"; ".b" ] false;
  ok "/a:b+c" [ "a:b+c" ] false;
  ok "/%3Fq" [ "?q" ] false;
  List.iter
    (fun s -> bool s true (Result.is_error (Path.of_encoded s)))
    [ ""; "a"; "*"; "/.."; "/../"; "/."; "/a/../b"; "/a/./b"; "/%2e%2e/etc/passwd"; "/%2E%2e"; "/.%2e"; "/%2e"; "/..%2fetc"; "/a%2fb"; "/a%2F..%2f.."; "/..\\..\\x"; "/a\\b"; "/%5c..%5C"; "/a%00.html"; "/%00"; "/%0a"; "/%7f"; "/%"; "/%2"; "/%zz"; "/a%g0"; "/%-1" ];
  string "encoded" "/a%20b/%C3%A9/" (Path.to_encoded { names = [ "a b"; "\xc3\xa9" ]; slash = true });
  string "no second slash" "/evil.com/" (Path.to_encoded (Result.get_ok (Path.of_encoded "//evil.com/")))
  [@@ocamlformat "disable"]

let path_round_trip =
  QCheck2.Test.make ~name:"no path leaves the tree" ~count:5_000
    QCheck2.Gen.(string_size ~gen:(oneof_list [ '/'; '.'; '%'; '2'; 'e'; 'f'; '5'; 'c'; '\\'; '0'; 'a' ]) (int_range 0 14))
    (fun s ->
      match Path.of_encoded ("/" ^ s) with
      | Error _ -> true
      | Ok p ->
          List.for_all (fun n -> n <> "" && n <> "." && n <> ".." && not (String.exists (fun c -> c = '/' || c = '\\' || c < ' ') n)) p.names
          && Path.of_encoded (Path.to_encoded p) = Ok { p with slash = p.slash || p.names = [] })
  [@@ocamlformat "disable"]

let percent () =
  Alcotest.(check (option string)) "once" (Some "%41") (Percent.decode "%2541");
  Alcotest.(check (option string)) "at the end" None (Percent.decode "a%4");
  string "all but the unreserved" "%00%2F%25%22~-._aZ0" (Percent.encode "\000/%\"~-._aZ0")

let range_of s ~length =
  let text ({ first; last } : Range.part) = Printf.sprintf "%d-%d" first last in
  match Range.parse s ~length with
  | Whole -> "whole"
  | Unsatisfiable -> "none"
  | Part part -> text part
  | Parts parts -> String.concat " " (List.map text parts)

let ranges () =
  let is s length expected =
    string (Printf.sprintf "%s of %d" s length) expected (range_of s ~length)
  in
  is "bytes=0-99" 1_000 "0-99";
  is "bytes=0-0" 1_000 "0-0";
  is "bytes=900-" 1_000 "900-999";
  is "bytes=900-5000" 1_000 "900-999";
  is "bytes=-100" 1_000 "900-999";
  is "bytes=-5000" 1_000 "0-999";
  is "Bytes=0-1" 10 "0-1";
  is "bytes= 0-1 " 10 "0-1";
  is "bytes=999-" 1_000 "999-999";
  is "bytes=1000-" 1_000 "none";
  is "bytes=99999999999999999999-" 1_000 "none";
  is "bytes=0-99999999999999999999" 1_000 "0-999";
  is "bytes=-0" 1_000 "none";
  is "bytes=0-" 0 "none";
  is "bytes=-1" 0 "none";
  List.iter
    (fun s -> is s 1_000 "whole")
    [ ""; "bytes"; "bytes="; "bytes=-"; "bytes=5"; "bytes=5-4"; "bytes=a-b"; "items=0-1"; "bytes=+0-1"; "bytes=0-1-2"; "bytes=0x1-2"; "bytes=1 - 2" ]
  [@@ocamlformat "disable"]

let several_ranges () =
  let is s expected = string s expected (range_of ("bytes=" ^ s) ~length:1_000) in
  is "0-1,5-6" "0-1 5-6";
  is " 0-1 ,\t5-6 , -1" "0-1 5-6 999-999";
  is "5-6,0-1" "5-6 0-1";
  is ",,0-1,,5-6," "0-1 5-6";
  is "0-1,2000-" "0-1";
  is "2000-,-0,1000-1000" "none";
  is "0-1,2-3" "0-3";
  is "0-99,50-149,100-199" "0-199";
  is "500-599,0-99,550-650" "500-650 0-99";
  is "0-1,0-1" "0-1";
  is "900-,0-9,-50" "900-999 0-9";
  is "0-1,x" "whole";
  is "0-1,6-5" "whole";
  is ",, ," "whole";
  is "0-1;5-6" "whole";
  let many n = String.concat "," (List.init n (fun i -> Printf.sprintf "%d-%d" (10 * i) (10 * i))) in
  string "as many as allowed" (String.concat " " (String.split_on_char ',' (many Range.most)))
    (range_of ("bytes=" ^ many Range.most) ~length:1_000);
  is (many (Range.most + 1)) "whole";
  is (String.make 30_000 ',') "whole"
  [@@ocamlformat "disable"]

(* What is sent is what was asked for, each byte of it once. *)
let union_of_ranges =
  let gen = QCheck2.Gen.(list_size (int_range 1 20) (pair (int_range 0 60) (int_range 0 25))) in
  QCheck2.Test.make ~name:"ranges: their union, each byte once"
    ~print:QCheck2.Print.(list (pair int int))
    gen
  @@ fun asked ->
  let length = 50 in
  let spec (first, more) = Printf.sprintf "%d-%d" first (first + more) in
  let wanted i = List.exists (fun (first, more) -> first <= i && i <= first + more) asked in
  let times (parts : Range.part list) i =
    List.length (List.filter (fun (p : Range.part) -> p.first <= i && i <= p.last) parts)
  in
  let check parts = List.for_all (fun i -> times parts i = Bool.to_int (wanted i)) in
  let all = List.init length Fun.id in
  match Range.parse ("bytes=" ^ String.concat "," (List.map spec asked)) ~length with
  | Whole -> false
  | Unsatisfiable -> check [] all
  | Part part -> check [ part ] all
  | Parts parts -> List.length parts > 1 && check parts all

let urls () =
  let ok s host port target =
    match Url.parse s with
    | Ok u ->
        string s host u.host;
        int s port u.port;
        string s target u.target
    | Error e -> Alcotest.fail e
  in
  ok "http://a" "a" 80 "/";
  ok "HTTP://a.b.c/d/e?f=g" "a.b.c" 80 "/d/e?f=g";
  ok "http://10.0.0.11:8080/x#y" "10.0.0.11" 8080 "/x";
  ok "http://a?q" "a" 80 "/?q";
  ok "http://a#f" "a" 80 "/";
  ok "http://a:/x" "a" 80 "/x";
  ok "http://[::1]:81/" "::1" 81 "/";
  ok "http://a/b c\xc3\xa9" "a" 80 "/b%20c%C3%A9";
  ok "http://a/%20" "a" 80 "/%20";
  let error s part =
    match Url.parse s with
    | Ok _ -> Alcotest.failf "%S was taken" s
    | Error e -> bool (Printf.sprintf "%s: %s" s e) true (Script.find_sub e part 0 <> None)
  in
  error "https://a/" "https is not supported";
  error "HTTPS://a/" "https is not supported";
  error "a/b" "begins with http://";
  error "ftp://a" "begins with http://";
  error "" "begins with http://";
  error "http://" "not HOST";
  error "http:///x" "not HOST";
  error "http://:80/" "not HOST";
  error "http://u:p@a/" "not HOST";
  error "http://a:b/" "not HOST";
  error "http://a:0/" "the port";
  error "http://a:65536/" "not HOST";
  error "http://a b/" "not HOST";
  error "http://[::1/" "not HOST";
  error "http://a/\r\nX: y" "control";
  let whole s = Url.to_string (Result.get_ok (Url.parse s)) in
  string "printed" "http://a/" (whole "http://a:80");
  string "printed with a port" "http://[::1]:81/x" (whole "http://[::1]:81/x")

let lists () =
  let has s = Chars.list_mem s ~token:"close" in
  List.iter (fun s -> bool s true (has s)) [ "close"; "CLOSE"; "a, close"; "close,a"; "a ,\tclose ,b"; ",,close" ];
  List.iter (fun s -> bool s false (has s)) [ ""; "closed"; "a close"; "close;x"; "\"close\""; "clos"; "a,b"; "," ];
  int "decimal" 12 (Chars.decimal "0012");
  int "decimal, largest" max_int (Chars.decimal (string_of_int max_int));
  int "decimal, larger" max_int (Chars.decimal "4611686018427387904");
  List.iter (fun s -> int s (-1) (Chars.decimal s)) [ ""; "-1"; "+1"; "1 "; " 1"; "0x1"; "1_0"; "1e1" ]
  [@@ocamlformat "disable"]

let requests () =
  let head target : Request.head =
    { meth = `GET; target; version = `HTTP_1_1; headers = Http.Header.init () }
  in
  let is target path query =
    string target path (Request.path (head target));
    Alcotest.(check (option string)) target query (Request.query (head target))
  in
  is "/" "/" None;
  is "/a/b?c?d" "/a/b" (Some "c?d");
  is "/?" "/" (Some "");
  is "http://h/a?b" "/a" (Some "b");
  is "http://h" "/" None;
  is "http://h?b" "/" (Some "b");
  is "*" "*" None;
  is "/x://y" "/x://y" None;
  let host target fields =
    Request.host { (head target) with headers = Http.Header.of_list fields }
  in
  string "host of the field" "a:81" (host "/" [ ("host", "a:81") ]);
  string "host of the target first" "b:82" (host "http://b:82/x" [ ("host", "a:81") ]);
  string "host of a target alone" "b" (host "http://b" []);
  string "host of nothing" "" (host "/" [])

let pool () =
  let p = Buffers.create ~most:2 ~keep:2 ~size:100 ~scarce:10 () in
  let take n = List.init n (fun _ -> Buffers.take p ~need:10 ~more:true) in
  let sizes what expected buffers = Alcotest.(check (list int)) what expected (List.map Bytes.length buffers) in
  let taken = take 5 in
  sizes "two, then small ones" [ 100; 100; 10; 10; 10 ] taken;
  let more = Buffers.take p ~need:11 ~more:true in
  int "unless that is not enough" 100 (Bytes.length more);
  List.iter (Buffers.give p) (more :: taken);
  Buffers.give p (Bytes.create 99);
  let again = take 5 in
  sizes "the same again" [ 100; 100; 10; 10; 10 ] again;
  let reused = List.filter (fun b -> List.memq b (more :: taken)) again in
  int "two of each were kept" 4 (List.length reused);
  Buffers.give p (Bytes.create 100);
  Buffers.give p (Bytes.create 100);
  Buffers.give p (Bytes.create 100);
  sizes "more given back than were taken" [ 100; 100; 10 ] (take 3);
  let p = Buffers.create ~size:100 ~scarce:10 () in
  sizes "no more than is of use" [ 10; 100 ]
    [ Buffers.take p ~need:10 ~more:false; Buffers.take p ~need:11 ~more:false ]
  [@@ocamlformat "disable"]

(* Whatever is lent and filled, the chunks decode to it. *)
let lent_chunks =
  QCheck2.Test.make ~name:"chunks are written where they were filled" ~count:500
    QCheck2.Gen.(list_size (int_range 1 6) (pair (int_range 1 70_000) (int_range 1 70_000)))
    (fun pieces ->
      let pool = Buffers.create ~most:1 ~keep:1 () in
      (* In every second run large buffers are scarce. *)
      if List.length pieces mod 2 = 0 then ignore (Buffers.take pool ~need:1 ~more:true);
      let out = Output.create pool in
      let sent = Buffer.create 1_000 and expected = Buffer.create 1_000 in
      let send () =
        Buffer.add_subbytes sent (Output.data out) (Output.start out) (Output.length out);
        Output.sent out
      in
      List.iteri
        (fun i (want, fill) ->
          let space = Output.lend out ~want ~chunked:true in
          let n = min fill space in
          Bytes.fill (Output.data out) (Output.lent_at out) n (Char.chr (97 + (i mod 26)));
          if i mod 3 = 1 then send ();
          Output.filled out n ~chunked:true;
          Buffer.add_string expected (String.make n (Char.chr (97 + (i mod 26))));
          if i mod 2 = 0 then send ())
        pieces;
      Output.string out "0\r\n\r\n";
      send ();
      fst (Script.chunks (Buffer.contents sent) 0 []) = Buffer.contents expected)

let groups =
  let case = Suite.case in
  [
    ( "parts",
      [
        case "dates" dates;
        Suite.qcheck date_round_trip;
        case "the date is made once a second" date_cache;
        case "paths" paths;
        Suite.qcheck path_round_trip;
        case "percent-encoding" percent;
        case "ranges" ranges;
        case "several ranges" several_ranges;
        Suite.qcheck union_of_ranges;
        case "URLs" urls;
        case "lists and numbers" lists;
        case "paths and queries of requests" requests;
        case "the pool of buffers" pool;
        Suite.qcheck lent_chunks;
      ] );
  ]

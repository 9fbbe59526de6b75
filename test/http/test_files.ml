(* The file handler, seen from outside: requests and replies. *)

open Weir_http
open Weir_test

let mtime = 784_111_777.
let digits = String.init 1_000 (fun i -> Char.chr (48 + (i mod 10)))

let tree =
  Files.memory ~mtime
    [
      ("index.html", "<p>home");
      ("a/index.html", "<p>a");
      ("list/b & c.txt", "text");
      ("list/<script>.js", "js");
      ("list/sub/x.css", "css");
      ("list/.secret", "no");
      (".git/config", "no");
      (".well-known/x", "yes");
      ("digits.bin", digits);
      ("empty", "");
      ("%2e%2e", "literal");
      ("caf\xc3\xa9.txt", "caf\xc3\xa9");
    ]

let now () = mtime +. 3_600.
let server = Server.create ()

let files ?index ?listing ?hidden ?(now = Some now) ?(tree = tree) () =
  Files.handler ?index ?listing ?hidden ?now tree

let ask ?(meth = "GET") ?(fields = []) ?(handler = files ()) path =
  let raw = Cases.get ~line:(Printf.sprintf "%s %s HTTP/1.1" meth path) fields in
  let heads = if meth = "HEAD" then [ 0 ] else [] in
  match Script.replies ~heads (Script.serve server handler [ raw ]).output with
  | [ reply ] -> reply
  | replies -> Alcotest.failf "%s %s: %d replies" meth path (List.length replies)

let int = Alcotest.(check int)
let string = Alcotest.(check string)
let field = Alcotest.(check (option string))

let is_status ?meth ?fields ?handler path status =
  int path status (ask ?meth ?fields ?handler path).status

let has what part text = Alcotest.(check bool) what true (Script.find_sub text part 0 <> None)
let hasn't what part text = Alcotest.(check bool) what true (Script.find_sub text part 0 = None)

let serving () =
  let r = ask "/" in
  int "status" 200 r.status;
  string "body" "<p>home" r.body;
  field "type" (Some "text/html; charset=utf-8") (Script.field r "content-type");
  field "length" (Some "7") (Script.field r "content-length");
  field "modified" (Some "Sun, 06 Nov 1994 08:49:37 GMT") (Script.field r "last-modified");
  field "ranges" (Some "bytes") (Script.field r "accept-ranges");
  string "a directory's index" "<p>a" (ask "/a/").body;
  string "the query is not the path's" "<p>a" (ask "/a/?x=../..").body;
  string "absolute form" "<p>a" (ask "http://h/a/").body;
  string "encoded" "text" (ask "/list/b%20%26%20c.txt").body;
  string "UTF-8" "caf\xc3\xa9" (ask "/caf%C3%A9.txt").body;
  string "empty" "" (ask "/empty").body;
  is_status "/none" 404;
  is_status "/a/none" 404;
  is_status "/digits.bin/" 404;
  is_status "/digits.bin/x" 404;
  let r = ask "/a" in
  int "no slash" 301 r.status;
  field "to the slash" (Some "/a/") (Script.field r "location");
  field "with its query" (Some "/a/?q=1") (Script.field (ask "/a?q=1") "location");
  field "never to another host" (Some "/a/") (Script.field (ask "//a") "location")

let traversal () =
  List.iter
    (fun path -> is_status path 400)
    [ "/.."; "/../etc/passwd"; "/a/../../x"; "/%2e%2e/%2e%2e/etc/passwd"; "/..%2f..%2fetc"; "/a%2f..%2f.."; "/..%5c..%5c"; "/a\\..\\b"; "/a%00.html"; "/%"; "/%zz"; "/./a"; "/a/%2e" ];
  string "encoded twice is a name" "literal" (ask "/%252e%252e").body;
  List.iter (fun path -> is_status path 404) [ "/.git/config"; "/.git"; "/list/.secret"; "/%2egit/config" ];
  string "but this" "yes" (ask "/.well-known/x").body;
  string "unless asked" "no" (ask ~handler:(files ~hidden:true ()) "/.git/config").body;
  let opened = ref [] in
  let spy : Files.tree = { open_ = (fun names -> opened := names :: !opened; tree.open_ names) } in
  ignore (ask ~handler:(files ~tree:spy ()) "/../x");
  int "nothing was opened" 0 (List.length !opened)
  [@@ocamlformat "disable"]

let listing () =
  let r = ask "/list/" in
  int "status" 200 r.status;
  has "escaped text" "&lt;script&gt;.js</a>" r.body;
  has "encoded link" "href=\"./b%20%26%20c.txt\"" r.body;
  has "directory" "href=\"./sub/\">sub/</a>" r.body;
  has "up" "href=\"../\"" r.body;
  hasn't "no markup from names" "<script>" r.body;
  hasn't "nothing hidden" "secret" r.body;
  is_status ~handler:(files ~listing:false ()) "/list/" 403;
  has "another index" "x.css" (ask ~handler:(files ~index:"none" ()) "/list/sub/").body;
  let forbidden : Files.tree = { open_ = (fun _ -> Forbidden) } in
  is_status ~handler:(files ~tree:forbidden ()) "/x" 403;
  let many = List.init (Listing.max_entries + 5) (fun i -> (string_of_int i, `File)) in
  has "bounded" "and 5 more" (Listing.html ~path:{ names = []; slash = true } many)

let types () =
  let is name expected = string name expected (Mime.of_name name) in
  is "a.html" "text/html; charset=utf-8";
  is "a.HTM" "text/html; charset=utf-8";
  is "a.txt" "text/plain; charset=utf-8";
  is "a.css" "text/css; charset=utf-8";
  is "a.js" "text/javascript; charset=utf-8";
  is "a.png" "image/png";
  is "a.svg" "image/svg+xml";
  is "a.json" "application/json";
  is "a.pdf" "application/pdf";
  is "a.unknown" "application/octet-stream";
  is "README" "text/plain; charset=utf-8";
  is "Unknown" "application/octet-stream"

let methods () =
  let get = ask "/digits.bin" and head = ask ~meth:"HEAD" "/digits.bin" in
  int "HEAD" 200 head.status;
  string "the same fields"
    (String.concat "\n" (List.map (fun (n, v) -> n ^ v) get.fields))
    (String.concat "\n" (List.map (fun (n, v) -> n ^ v) head.fields));
  List.iter
    (fun meth ->
      let r = ask ~meth "/digits.bin" in
      int meth 405 r.status;
      field meth (Some "GET, HEAD, OPTIONS") (Script.field r "allow"))
    [ "POST"; "PUT"; "DELETE"; "PATCH"; "TRACE" ];
  int "unknown" 501 (ask ~meth:"BREW" "/").status;
  let r = ask ~meth:"OPTIONS" "/" in
  int "OPTIONS" 204 r.status;
  field "OPTIONS" (Some "GET, HEAD, OPTIONS") (Script.field r "allow");
  int "OPTIONS *" 204 (ask ~meth:"OPTIONS" "*").status

let etag () = Option.get (Script.field (ask "/digits.bin") "etag")

let conditions () =
  let tag = etag () in
  let status fields = (ask ~fields "/digits.bin").status in
  let is what expected fields = int what expected (status fields) in
  let later = "Sun, 06 Nov 1994 08:49:38 GMT" and earlier = "Sun, 06 Nov 1994 08:49:36 GMT" in
  let same = "Sun, 06 Nov 1994 08:49:37 GMT" in
  is "modified since, same" 304 [ "If-Modified-Since: " ^ same ];
  is "modified since, later" 304 [ "If-Modified-Since: " ^ later ];
  is "modified since, earlier" 200 [ "If-Modified-Since: " ^ earlier ];
  is "modified since, RFC 850" 304 [ "If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT" ];
  is "modified since, no date" 200 [ "If-Modified-Since: yesterday" ];
  is "none match, same" 304 [ "If-None-Match: " ^ tag ];
  is "none match, weak" 304 [ "If-None-Match: W/" ^ tag ];
  is "none match, in a list" 304 [ "If-None-Match: \"x\", \"a,b\" , W/\"y\"," ^ tag ];
  is "none match, in a second field" 304 [ "If-None-Match: \"x\""; "If-None-Match: " ^ tag ];
  is "none match, any" 304 [ "If-None-Match: *" ];
  is "none match, other" 200 [ "If-None-Match: \"x\"" ];
  is "none match, garbage" 200 [ "If-None-Match: x" ^ tag ];
  is "none match, unclosed" 200 [ "If-None-Match: \"x" ];
  is "none match wins over the date" 200 [ "If-None-Match: \"x\""; "If-Modified-Since: " ^ same ];
  is "match, same" 200 [ "If-Match: " ^ tag ];
  is "match, any" 200 [ "If-Match: *" ];
  is "match, weak is not strong" 412 [ "If-Match: W/" ^ tag ];
  is "match, other" 412 [ "If-Match: \"x\"" ];
  is "unmodified, same" 200 [ "If-Unmodified-Since: " ^ same ];
  is "unmodified, earlier" 412 [ "If-Unmodified-Since: " ^ earlier ];
  let r = ask ~fields:[ "If-None-Match: " ^ tag ] "/digits.bin" in
  field "304 has the tag" (Some tag) (Script.field r "etag");
  field "304 has no length" None (Script.field r "content-length");
  int "HEAD too" 304 (ask ~meth:"HEAD" ~fields:[ "If-None-Match: *" ] "/digits.bin").status;
  let young = ask ~handler:(files ~now:(Some (fun () -> mtime +. 1.)) ()) "/digits.bin" in
  field "weak while young" (Some ("W/" ^ tag)) (Script.field young "etag");
  int "a weak one is never matched strongly" 412
    (ask ~fields:[ "If-Match: W/" ^ tag ] ~handler:(files ~now:None ()) "/digits.bin").status;
  let clockless = ask ~handler:(files ~now:None ()) "/digits.bin" in
  field "weak without a clock" (Some ("W/" ^ tag)) (Script.field clockless "etag")

let ranges () =
  let tag = etag () in
  let part ?(more = []) range = ask ~fields:(("Range: " ^ range) :: more) "/digits.bin" in
  let is range expected content =
    let r = part range in
    int range 206 r.status;
    string range expected r.body;
    field range (Some content) (Script.field r "content-range")
  in
  is "bytes=0-4" "01234" "bytes 0-4/1000";
  is "bytes=995-" "56789" "bytes 995-999/1000";
  is "bytes=-3" "789" "bytes 997-999/1000";
  is "bytes=7-7" "7" "bytes 7-7/1000";
  let none = part "bytes=1000-" in
  int "unsatisfiable" 416 none.status;
  field "its length" (Some "bytes */1000") (Script.field none "content-range");
  is "bytes=0-4,5-9,7-12" "0123456789012" "bytes 0-12/1000";
  is "bytes=2000-,3-5" "345" "bytes 3-5/1000";
  int "malformed" 200 (part "bytes=x").status;
  int "HEAD ignores it" 200 (ask ~meth:"HEAD" ~fields:[ "Range: bytes=0-4" ] "/digits.bin").status;
  int "of this version" 206 (part ~more:[ "If-Range: " ^ tag ] "bytes=0-4").status;
  int "of another" 200 (part ~more:[ "If-Range: \"x\"" ] "bytes=0-4").status;
  int "of a weak one" 200 (part ~more:[ "If-Range: W/" ^ tag ] "bytes=0-4").status;
  int "by date" 206 (part ~more:[ "If-Range: Sun, 06 Nov 1994 08:49:37 GMT" ] "bytes=0-4").status;
  int "by a later date" 200
    (part ~more:[ "If-Range: Sun, 06 Nov 1994 08:49:38 GMT" ] "bytes=0-4").status;
  int "unchanged comes first" 304 (part ~more:[ "If-None-Match: " ^ tag ] "bytes=0-4").status;
  int "of nothing" 416 (ask ~fields:[ "Range: bytes=0-" ] "/empty").status

(* Two ranges, byte for byte as RFC 9110 §14.6 and RFC 2046 have them. *)
let several_ranges () =
  let ask ?meth range = ask ?meth ~fields:[ "Range: " ^ range ] "/digits.bin" in
  let r = ask "bytes=995-,0-2" in
  int "status" 206 r.status;
  let kind = Option.get (Script.field r "content-type") in
  let prefix = "multipart/byteranges; boundary=" in
  let n = String.length prefix in
  string "its type" prefix (String.sub kind 0 n);
  let boundary = String.sub kind n (String.length kind - n) in
  let one range text =
    Printf.sprintf
      "--%s\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes %s/1000\r\n\r\n%s\r\n"
      boundary range text
  in
  string "the parts, in the order asked for"
    (one "995-999" "56789" ^ one "0-2" "012" ^ "--" ^ boundary ^ "--\r\n")
    r.body;
  field "the ranges are the parts' own" None (Script.field r "content-range");
  field "its length" (Some (string_of_int (String.length r.body))) (Script.field r "content-length");
  field "its tag" (Some (etag ())) (Script.field r "etag");
  string "the same each time" r.body (ask "bytes=995-,0-2").body;
  Alcotest.(check bool) "another boundary for others" true (ask "bytes=0-2,995-" <> r);
  int "HEAD ignores it" 200 (ask ~meth:"HEAD" "bytes=0-1,5-6").status;
  int "none of them" 416 (ask "bytes=1000-,2000-").status;
  let many n = String.concat "," (List.init n (fun i -> Printf.sprintf "%d-%d" (3 * i) (3 * i))) in
  let most = ask ("bytes=" ^ many Range.most) in
  int "as many as are allowed" 206 most.status;
  if String.length most.body > 1_000 + (150 * Range.most) then
    Alcotest.failf "%d bytes of a file of 1000" (String.length most.body);
  int "one more: the whole" 200 (ask ("bytes=" ^ many (Range.most + 1))).status

(* Through a buffer of any size, from a file that reads in pieces of any size. *)
let ranges_in_pieces () =
  let parts : Range.part list =
    [ { first = 10; last = 400 }; { first = 900; last = 900 }; { first = 500; last = 999 } ]
  in
  let ranges = Byteranges.make ~seed:"s" ~kind:"text/plain" parts ~of_:1_000 in
  let made ~buffer ~piece ~shrunk =
    let read_at at b ~off ~len =
      let n = max 0 (min (min len piece) (shrunk - at)) in
      Bytes.blit_string digits (min at shrunk) b off n;
      n
    in
    let reader = Byteranges.reader ranges ~read_at in
    let b = Bytes.create buffer and all = Buffer.create 2_000 in
    let rec go () =
      match reader b ~off:0 ~len:buffer with
      | 0 -> Buffer.contents all
      | n ->
          Buffer.add_subbytes all b 0 n;
          go ()
    in
    go ()
  in
  let whole = made ~buffer:100_000 ~piece:max_int ~shrunk:1_000 in
  int "as long as it says" (Byteranges.length ranges) (String.length whole);
  List.iter
    (fun (buffer, piece) -> string "the same" whole (made ~buffer ~piece ~shrunk:1_000))
    [ (1, 1); (1, 7); (7, 1); (50, 33); (1_000, 64) ];
  let short = made ~buffer:100 ~piece:64 ~shrunk:700 in
  Alcotest.(check bool) "cut where the file is" true
    (String.length short < String.length whole && String.starts_with ~prefix:short whole)
  [@@ocamlformat "disable"]

(* Every file opened is closed, once, whatever becomes of the request. *)
let closing () =
  let opened = ref 0 and closed = ref 0 in
  let open_ names : Files.node =
    match tree.open_ names with
    | File f ->
        incr opened;
        File { f with close = (fun () -> incr closed) }
    | other -> other
  in
  let handler = files ~tree:{ open_ } () in
  let ask ?meth ?fields path = ignore (ask ?meth ?fields ~handler path) in
  ask "/";
  ask ~meth:"HEAD" "/";
  ask "/a/";
  ask "/digits.bin/";
  ask ~fields:[ "If-None-Match: *" ] "/digits.bin";
  ask ~fields:[ "If-Match: \"x\"" ] "/digits.bin";
  ask ~fields:[ "Range: bytes=5-6" ] "/digits.bin";
  ask ~fields:[ "Range: bytes=5000-" ] "/digits.bin";
  ask ~fields:[ "Range: bytes=5-6,10-11" ] "/digits.bin";
  ask ~meth:"POST" "/";
  ask "/empty";
  int "opened" 10 !opened;
  int "closed" 10 !closed

let shrinking () =
  let file : Files.file =
    { length = 100_000; mtime; close = ignore; read_at = (fun at b ~off ~len -> if at >= 70_000 then 0 else (let n = min len 7_000 in Bytes.fill b off n 'x'; n)) }
  in
  let tree : Files.tree = { open_ = (fun _ -> File file) } in
  let entry = ref None in
  let server = Server.create ~log:(fun e -> entry := Some e) () in
  let ask = Cases.get ~line:"GET /x HTTP/1.1" [] in
  let outcome = Script.serve server (files ~tree ()) [ ask ^ ask ] in
  Alcotest.(check bool) "cut off" false outcome.kept;
  let entry = Option.get !entry in
  Alcotest.(check (pair int bool)) "and logged so" (70_000, true) (entry.body_bytes, entry.cut);
  Alcotest.(check bool) "not padded" true (String.length outcome.output < 71_000)
  [@@ocamlformat "disable"]

let groups =
  let case = Suite.case in
  [
    ( "files",
      [
        case "paths to files" serving;
        case "no way out" traversal;
        case "listing" listing;
        case "types" types;
        case "methods" methods;
        case "conditions" conditions;
        case "ranges" ranges;
        case "several ranges" several_ranges;
        case "several ranges in pieces" ranges_in_pieces;
        case "each file is closed" closing;
        case "a file that shrinks" shrinking;
      ] );
  ]

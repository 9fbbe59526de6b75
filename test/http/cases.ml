(* Requests and what must become of them: the statuses sent, then whether the
   connection is kept (the server reads on) or closed. Written from RFC 9110 and
   9112; each group names the section it is about. *)

open Weir_http

(* Small limits, so that a case that passes one stays short. *)
let limits =
  {
    Limits.request_line = 200;
    header_bytes = 600;
    header_count = 12;
    body_bytes = 1_000;
    chunk_line = 40;
    chunk_extensions = 100;
    drain_bytes = 300;
  }

(* Says what it understood, so that two readings of one request differ. *)
let handler (r : Request.t) =
  match Request.path r.head with
  | "/unread" -> Response.text "unread"
  | _ ->
      let body = Request.read_all r in
      let meth = Http.Method.to_string (Request.meth r) in
      Response.text (Printf.sprintf "%s %s %d:%s" meth r.head.target (String.length body) body)

let page (e : Error.t) =
  Response.text ~status:(Http.Status.of_int e.status) (Printf.sprintf "%d: %s" e.at e.reason)

let server () = Server.create ~limits ~page ()
let r lines = String.concat "\r\n" lines ^ "\r\n\r\n"
let get ?(line = "GET / HTTP/1.1") fields = r (line :: "Host: a" :: fields)
let post fields body = r ("POST /p HTTP/1.1" :: "Host: a" :: fields) ^ body
let chunked ?(fields = []) body = post ("Transfer-Encoding: chunked" :: fields) body
let long n = String.make n 'x'

let request_line =
  [
    ("plain", get [], "200 keep");
    ("query", get ~line:"GET /a?b=c&d HTTP/1.1" [], "200 keep");
    ("absolute form", get ~line:"GET http://a/b HTTP/1.1" [], "200 keep");
    ("absolute form without a path", get ~line:"GET http://a HTTP/1.1" [], "200 keep");
    ("absolute form, other case", get ~line:"GET HTTP://A:80/b HTTP/1.1" [], "200 keep");
    ("absolute form with user information", get ~line:"GET http://u@a/ HTTP/1.1" [], "400 close");
    ("absolute form without a host", get ~line:"GET http:///x HTTP/1.1" [], "400 close");
    ("absolute form with a bad port", get ~line:"GET http://a:x/ HTTP/1.1" [], "400 close");
    ("another scheme", get ~line:"GET ftp://a/ HTTP/1.1" [], "400 close");
    ("asterisk form", get ~line:"OPTIONS * HTTP/1.1" [], "200 keep");
    ("asterisk form but for OPTIONS", get ~line:"GET * HTTP/1.1" [], "400 close");
    ("authority form but for CONNECT", get ~line:"GET a:80 HTTP/1.1" [], "400 close");
    ("CONNECT", get ~line:"CONNECT a:80 HTTP/1.1" [], "501 close");
    ("CONNECT with a path", get ~line:"CONNECT /a HTTP/1.1" [], "400 close");
    ("a relative target", get ~line:"GET a/b HTTP/1.1" [], "400 close");
    ("a fragment", get ~line:"GET /a#b HTTP/1.1" [], "400 close");
    ("a non-ASCII target", get ~line:"GET /\xc3\xa9 HTTP/1.1" [], "400 close");
    ("NUL in the target", get ~line:"GET /\000 HTTP/1.1" [], "400 close");
    ("DEL in the target", get ~line:"GET /\127 HTTP/1.1" [], "400 close");
    ("a tab for a blank", get ~line:"GET\t/ HTTP/1.1" [], "400 close");
    ("two blanks before the target", get ~line:"GET  / HTTP/1.1" [], "400 close");
    ("two blanks after the target", get ~line:"GET /  HTTP/1.1" [], "400 close");
    ("a blank after the version", get ~line:"GET / HTTP/1.1 " [], "400 close");
    ("a blank before the method", get ~line:" GET / HTTP/1.1" [], "400 close");
    ("a blank in the target", get ~line:"GET /a b HTTP/1.1" [], "400 close");
    ("no version", get ~line:"GET /" [], "400 close");
    ("no target", get ~line:"GET HTTP/1.1" [], "400 close");
    ("a lower-case version", get ~line:"GET / http/1.1" [], "400 close");
    ("another protocol", get ~line:"GET / HTTQ/1.1" [], "400 close");
    ("a version of two digits", get ~line:"GET / HTTP/1.10" [], "400 close");
    ("a version of one number", get ~line:"GET / HTTP/1" [], "400 close");
    ("a version with a sign", get ~line:"GET / HTTP/-1.1" [], "400 close");
    ("version 1.2 is 1.1", get ~line:"GET / HTTP/1.2" [], "200 keep");
    ("version 1.9 needs Host", r [ "GET / HTTP/1.9" ], "400 close");
    ("version 2.0", get ~line:"GET / HTTP/2.0" [], "505 close");
    ("version 0.9", get ~line:"GET / HTTP/0.9" [], "505 close");
    ("the HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400 close");
    ("TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "400 close");
    ("an unknown method", get ~line:"BREW /pot HTTP/1.1" [], "200 keep");
    ("methods are case-sensitive", get ~line:"get / HTTP/1.1" [], "200 keep");
    ("a method with a delimiter", get ~line:"GE(T / HTTP/1.1" [], "400 close");
    ("a long method", get ~line:(String.make 25 'A' ^ " / HTTP/1.1") [], "501 close");
    ("a target at the limit", get ~line:("GET /" ^ long 186 ^ " HTTP/1.1") [], "200 keep");
    ("a target past the limit", get ~line:("GET /" ^ long 187 ^ " HTTP/1.1") [], "414 close");
    ("an endless target", "GET /" ^ long 400, "414 close");
    ("bare LF after the line", "GET / HTTP/1.1\nHost: a\r\n\r\n", "400 close");
    ("bare CR after the line", "GET / HTTP/1.1\rHost: a\r\n\r\n", "400 close");
    ("CR CR LF after the line", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", "400 close");
    ("an empty line before", "\r\n" ^ get [], "200 keep");
    ("four empty lines before", "\r\n\r\n\r\n\r\n" ^ get [], "200 keep");
    ("five empty lines before", "\r\n\r\n\r\n\r\n\r\n" ^ get [], "400 close");
    ("a bare LF before", "\n" ^ get [], "400 close");
    ("a bare CR before", "\r" ^ get [], "400 close");
    ("nothing but an empty line", "\r\n", "keep");
    ("an incomplete head", "GET / HTTP/1.1\r\nHost: a\r\n", "keep");
  ]

let fields =
  [
    ("no Host", r [ "GET / HTTP/1.1" ], "400 close");
    ("no Host in 1.0", r [ "GET / HTTP/1.0" ], "200 close");
    ("Host in any case", r [ "GET / HTTP/1.1"; "hOsT: a" ], "200 keep");
    ("an empty Host", r [ "GET / HTTP/1.1"; "Host:" ], "200 keep");
    ("two Hosts", get [ "Host: b" ], "400 close");
    ("two equal Hosts", get [ "host: a" ], "400 close");
    ("two Hosts in 1.0", r [ "GET / HTTP/1.0"; "Host: a"; "Host: a" ], "400 close");
    ("Host with a port", r [ "GET / HTTP/1.1"; "Host: a:8080" ], "200 keep");
    ("Host with an empty port", r [ "GET / HTTP/1.1"; "Host: a:" ], "200 keep");
    ("Host with a port too high", r [ "GET / HTTP/1.1"; "Host: a:65536" ], "400 close");
    ("Host with a bad port", r [ "GET / HTTP/1.1"; "Host: a:b" ], "400 close");
    ("Host with two ports", r [ "GET / HTTP/1.1"; "Host: a:1:2" ], "400 close");
    ("Host of IPv6", r [ "GET / HTTP/1.1"; "Host: [::1]:80" ], "200 keep");
    ("Host of unclosed IPv6", r [ "GET / HTTP/1.1"; "Host: [::1" ], "400 close");
    ("Host with a path", r [ "GET / HTTP/1.1"; "Host: a/b" ], "400 close");
    ("Host with user information", r [ "GET / HTTP/1.1"; "Host: u@a" ], "400 close");
    ("Host with a list", r [ "GET / HTTP/1.1"; "Host: a,b" ], "400 close");
    ("Host with a blank", r [ "GET / HTTP/1.1"; "Host: a b" ], "400 close");
    ("blanks around a value", get [ "X: \t y \t " ], "200 keep");
    ("an empty value", get [ "X:" ], "200 keep");
    ("bytes above 0x7f in a value", get [ "X: \xc3\xa9" ], "200 keep");
    ("a tab in a value", get [ "X: a\tb" ], "200 keep");
    ("NUL in a value", get [ "X: a\000b" ], "400 close");
    ("a control in a value", get [ "X: a\x0bb" ], "400 close");
    ("DEL in a value", get [ "X: a\127b" ], "400 close");
    ("CR in a value", get [ "X: a\rb" ], "400 close");
    ("LF in a value", get [ "X: a\nb" ], "400 close");
    ("a line ended by LF", "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", "400 close");
    ("the head ended by LF", "GET / HTTP/1.1\r\nHost: a\r\n\n", "400 close");
    ("a blank before the colon", get [ "X : y" ], "400 close");
    ("a tab before the colon", get [ "X\t: y" ], "400 close");
    ("no colon", get [ "X" ], "400 close");
    ("no name", get [ ": y" ], "400 close");
    ("a folded line", get [ "X: a"; " b" ], "400 close");
    ("a line folded by a tab", get [ "X: a"; "\tb" ], "400 close");
    ("a blank before the first field", r [ "GET / HTTP/1.1"; " Host: a" ], "400 close");
    ("a delimiter in a name", get [ "X(: y" ], "400 close");
    ("a non-ASCII name", get [ "\xc3\xa9: y" ], "400 close");
    ("NUL in a name", get [ "X\000: y" ], "400 close");
    ("as many fields as allowed", get (List.init 11 (fun _ -> "X: y")), "200 keep");
    ("a field too many", get (List.init 12 (fun _ -> "X: y")), "431 close");
    ("as many bytes as allowed", get [ "X: " ^ long 584 ], "200 keep");
    ("a byte too many", get [ "X: " ^ long 585 ], "431 close");
    ("an endless name", "GET / HTTP/1.1\r\nHost: a\r\n" ^ long 800, "431 close");
    ("an endless value", "GET / HTTP/1.1\r\nHost: a\r\nX: " ^ long 800, "431 close");
    ("blanks without end", "GET / HTTP/1.1\r\nHost: a\r\nX: " ^ String.make 800 ' ', "431 close");
    ("an expectation", get [ "Expect: 200-ok" ], "417 close");
    ("an upgrade is ignored", get [ "Connection: Upgrade"; "Upgrade: h2c" ], "200 keep");
  ]

let keeping =
  [
    ("Connection: close", get [ "Connection: close" ], "200 close");
    ("Connection: Close", get [ "Connection: Close" ], "200 close");
    ("close in a list", get [ "Connection: x, close" ], "200 close");
    ("close in a second field", get [ "Connection: x"; "Connection: close" ], "200 close");
    ("close and keep-alive", get [ "Connection: keep-alive, close" ], "200 close");
    ("closer is not close", get [ "Connection: closer" ], "200 keep");
    ("keep-alive", get [ "Connection: keep-alive" ], "200 keep");
    ("1.0", get ~line:"GET / HTTP/1.0" [], "200 close");
    ("1.0 with keep-alive", get ~line:"GET / HTTP/1.0" [ "Connection: Keep-Alive" ], "200 keep");
    ("two at once", get [] ^ get [], "200 200 keep");
    ("three, the second closing", get [] ^ get [ "Connection: close" ] ^ get [], "200 200 close");
    ("a bad one after a good one", get [] ^ "bad\r\n\r\n", "200 400 close");
    ("a good one after a bad one", "bad\r\n\r\n" ^ get [], "400 close");
    ("an empty line between", get [] ^ "\r\n" ^ get [], "200 200 keep");
  ]

let bodies =
  [
    ("a length", post [ "Content-Length: 5" ] "hello", "200 keep");
    ("a length of 0", post [ "Content-Length: 0" ] "", "200 keep");
    ("no length", post [] "", "200 keep");
    ("a GET with a body", get [ "Content-Length: 3" ] ^ "abc" ^ get [], "200 200 keep");
    ("leading zeros", post [ "Content-Length: 0005" ] "hello", "200 keep");
    ("a body cut", post [ "Content-Length: 5" ] "hel", "keep");
    ("more than the length is the next request", post [ "Content-Length: 1" ] "xBAD", "200 keep");
    ("the largest body", post [ "Content-Length: 1000" ] (long 1_000), "200 keep");
    ("a larger one", post [ "Content-Length: 1001" ] (long 1_001), "413 close");
    ("a huge length", post [ "Content-Length: 9223372036854775808" ] "", "413 close");
    ("an even longer one", post [ "Content-Length: " ^ String.make 60 '9' ] "", "413 close");
    ("chunks", chunked "5\r\nhello\r\n0\r\n\r\n", "200 keep");
    ("many chunks", chunked "1\r\na\r\n2\r\nbc\r\nA\r\n0123456789\r\n0\r\n\r\n", "200 keep");
    ("sizes in any case", chunked ("0000a\r\n0123456789\r\n0A\r\n0123456789\r\n000\r\n\r\n"), "200 keep");
    ("an empty chunked body", chunked "0\r\n\r\n", "200 keep");
    ("chunks, then a request", chunked "1\r\na\r\n0\r\n\r\n" ^ get [], "200 200 keep");
    ("an extension", chunked "1;x\r\na\r\n0\r\n\r\n", "200 keep");
    ("extensions with values", chunked "1;x=y; z=\"a\\\"b;c\" ;w\r\na\r\n0;q\r\n\r\n", "200 keep");
    ("blanks before an extension", chunked "1 \t;x\r\na\r\n0\r\n\r\n", "200 keep");
    ("a trailer", chunked "1\r\na\r\n0\r\nX-Sum: 5\r\n\r\n", "200 keep");
    ("a trailer that says a length", chunked "1\r\na\r\n0\r\nContent-Length: 9\r\n\r\n" ^ get [], "200 200 keep");
    ("the largest chunks", chunked ("3e8\r\n" ^ long 1_000 ^ "\r\n0\r\n\r\n"), "200 keep");
    ("a chunk too large", chunked ("3e9\r\n" ^ long 1_001 ^ "\r\n0\r\n\r\n"), "413 close");
    ("chunks too large together", chunked ("3e8\r\n" ^ long 1_000 ^ "\r\n1\r\na\r\n0\r\n\r\n"), "413 close");
    ("a chunk without a size", chunked "\r\na\r\n0\r\n\r\n", "400 close");
    ("a size with a sign", chunked "+1\r\na\r\n0\r\n\r\n", "400 close");
    ("a negative size", chunked "-1\r\na\r\n0\r\n\r\n", "400 close");
    ("a size with 0x", chunked "0x1\r\na\r\n0\r\n\r\n", "400 close");
    ("a size with an underscore", chunked "1_0\r\n0123456789abcdef\r\n0\r\n\r\n", "400 close");
    ("a size that is no number", chunked "g\r\na\r\n0\r\n\r\n", "400 close");
    ("a blank before a size", chunked " 1\r\na\r\n0\r\n\r\n", "400 close");
    ("a blank after a size", chunked "1 \r\na\r\n0\r\n\r\n", "400 close");
    ("a size past 64 bits", chunked "10000000000000001\r\na\r\n0\r\n\r\n", "400 close");
    ("a huge size", chunked "fffffffffffffff\r\na\r\n0\r\n\r\n", "413 close");
    ("a size ended by LF", chunked "1\na\r\n0\r\n\r\n", "400 close");
    ("a size ended by CR", chunked "1\ra\r\n0\r\n\r\n", "400 close");
    ("a chunk ended by LF", chunked "1\r\na\n0\r\n\r\n", "400 close");
    ("a chunk longer than its size", chunked "1\r\nab\r\n0\r\n\r\n", "400 close");
    ("a chunk shorter than its size", chunked "3\r\nab\r\n0\r\n\r\n", "400 close");
    ("a bare semicolon", chunked "1;\r\na\r\n0\r\n\r\n", "400 close");
    ("an extension without a value", chunked "1;x=\r\na\r\n0\r\n\r\n", "400 close");
    ("LF in an extension", chunked "1;x\na\r\n0\r\n\r\n", "400 close");
    ("CR in an extension", chunked "1;x\ry\r\na\r\n0\r\n\r\n", "400 close");
    ("NUL in an extension", chunked "1;x\000\r\na\r\n0\r\n\r\n", "400 close");
    ("an unclosed quote", chunked "1;x=\"y\r\na\r\n0\r\n\r\n", "400 close");
    ("a long extension", chunked ("1;" ^ long 40 ^ "\r\na\r\n0\r\n\r\n"), "400 close");
    ("many extensions", chunked (String.concat "" (List.init 5 (fun _ -> "1;" ^ long 30 ^ "\r\na\r\n"))), "400 close");
    ("a folded trailer", chunked "0\r\nX: a\r\n b\r\n\r\n", "400 close");
    ("a trailer ended by LF", chunked "0\r\nX: a\n\r\n", "400 close");
    ("trailers too many", chunked ("0\r\n" ^ String.concat "" (List.init 13 (fun _ -> "X: y\r\n")) ^ "\r\n"), "431 close");
    ("trailers too long", chunked ("0\r\nX: " ^ long 700 ^ "\r\n\r\n"), "431 close");
    ("the last chunk ended by LF", chunked "0\r\n\n", "400 close");
  ]
  [@@ocamlformat "disable"]

(* What one recipient could frame in one way and another in another. *)
let smuggling =
  let inner = get ~line:"GET /admin HTTP/1.1" [] in
  let te value = post [ "Transfer-Encoding: " ^ value ] ("0\r\n\r\n" ^ inner) in
  [
    ("CL.TE", chunked ~fields:[ "Content-Length: 6" ] ("0\r\n\r\n" ^ inner), "400 close");
    ("TE.CL", post [ "Content-Length: 5"; "Transfer-Encoding: chunked" ] ("0\r\n\r\n" ^ inner), "400 close");
    ("CL of 0 and TE", chunked ~fields:[ "Content-Length: 0" ] ("0\r\n\r\n" ^ inner), "400 close");
    ("two lengths", post [ "Content-Length: 5"; "Content-Length: 0" ] "hello", "400 close");
    ("two equal lengths", post [ "Content-Length: 5"; "Content-Length: 5" ] "hello", "400 close");
    ("a list of lengths", post [ "Content-Length: 5, 5" ] "hello", "400 close");
    ("a length with a sign", post [ "Content-Length: +5" ] "hello", "400 close");
    ("a negative length", post [ "Content-Length: -5" ] "hello", "400 close");
    ("a length in hexadecimal", post [ "Content-Length: 0x5" ] "hello", "400 close");
    ("a length with an underscore", post [ "Content-Length: 1_0" ] "0123456789", "400 close");
    ("a length with a fraction", post [ "Content-Length: 5.0" ] "hello", "400 close");
    ("a length with a blank in it", post [ "Content-Length: 1 0" ] "0123456789", "400 close");
    ("a length in quotes", post [ "Content-Length: \"5\"" ] "hello", "400 close");
    ("an empty length", post [ "Content-Length:" ] "hello", "400 close");
    ("a length in other digits", post [ "Content-Length: \xd9\xa5" ] "hello", "400 close");
    ("a length on a folded line", post [ "Content-Length:"; " 5" ] "hello", "400 close");
    ("a length with a blank before its colon", post [ "Content-Length : 5" ] "hello", "400 close");
    ("TE with a blank before its colon", post [ "Transfer-Encoding : chunked" ] "0\r\n\r\n", "400 close");
    ("TE in 1.0", r [ "POST / HTTP/1.0"; "Host: a"; "Transfer-Encoding: chunked" ] ^ "0\r\n\r\n", "400 close");
    ("TE in another case", te "CHUNKED", "200 200 keep");
    ("TE xchunked", te "xchunked", "400 close");
    ("TE chunkedx", te "chunkedx", "400 close");
    ("TE identity", te "identity", "400 close");
    ("TE chunked twice", te "chunked, chunked", "400 close");
    ("TE gzip", te "gzip", "400 close");
    ("TE gzip, chunked", te "gzip, chunked", "501 close");
    ("TE chunked, gzip", te "chunked, gzip", "400 close");
    ("TE chunked, identity", te "chunked, identity", "400 close");
    ("TE with an empty element", te "chunked,", "400 close");
    ("TE with an empty first element", te ",chunked", "501 close");
    ("TE in quotes", te "\"chunked\"", "400 close");
    ("TE with a parameter", te "chunked;q=1", "400 close");
    ("TE with a vertical tab", te "\x0bchunked", "400 close");
    ("TE with NUL", te "chunked\000", "400 close");
    ("an empty TE", te "", "400 close");
    ("two TEs", chunked ~fields:[ "Transfer-Encoding: chunked" ] "0\r\n\r\n", "400 close");
    ("two TEs, one unknown", chunked ~fields:[ "Transfer-Encoding: cow" ] "0\r\n\r\n", "400 close");
    ("TE on a folded line", post [ "Transfer-Encoding:"; " chunked" ] "0\r\n\r\n", "400 close");
    ("TE behind a bare LF", post [ "X: y\nTransfer-Encoding: chunked" ] "0\r\n\r\n", "400 close");
    ("TE behind a bare CR", post [ "X: y\rTransfer-Encoding: chunked" ] "0\r\n\r\n", "400 close");
    ("a request in a body is no request", post [ "Content-Length: " ^ string_of_int (String.length inner) ] inner, "200 keep");
    ("nor in an unread one", r [ "POST /unread HTTP/1.1"; "Host: a"; "Content-Length: " ^ string_of_int (String.length inner) ] ^ inner ^ get [], "200 200 keep");
    ("nor in a chunk", chunked (Printf.sprintf "%x\r\n%s\r\n0\r\n\r\n" (String.length inner) inner), "200 keep");
    ("nor in a trailer", chunked ("0\r\nX: GET /admin HTTP/1.1\r\n\r\n"), "200 keep");
  ]
  [@@ocamlformat "disable"]

let unread =
  let to_unread fields body = r ("POST /unread HTTP/1.1" :: "Host: a" :: fields) ^ body in
  [
    ("a short body", to_unread [ "Content-Length: 5" ] "hello" ^ get [], "200 200 keep");
    ("the longest dropped", to_unread [ "Content-Length: 300" ] (long 300) ^ get [], "200 200 keep");
    ("a short chunked one", to_unread [ "Transfer-Encoding: chunked" ] "5\r\nhello\r\n0\r\n\r\n" ^ get [], "200 200 keep");
    ("a malformed one", to_unread [ "Transfer-Encoding: chunked" ] "5\r\nhellooo" ^ get [], "200 close");
    ("a long chunked one", to_unread [ "Transfer-Encoding: chunked" ] ("200\r\n" ^ long 512 ^ "\r\n0\r\n\r\n") ^ get [], "200 close");
    ("one that does not come", to_unread [ "Content-Length: 5" ] "hel", "200 keep");
  ]
  [@@ocamlformat "disable"]

let groups =
  [
    ("request line", request_line);
    ("fields", fields);
    ("keeping", keeping);
    ("bodies", bodies);
    ("smuggling", smuggling);
    ("unread bodies", unread);
  ]

let all = List.concat_map snd groups

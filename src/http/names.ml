let rec same_from b off s i =
  i = String.length s
  || (Bytes.unsafe_get b (off + i) = String.unsafe_get s i && same_from b off s (i + 1))

let same b ~off ~len s =
  String.length s = len && off >= 0 && off <= Bytes.length b - len && same_from b off s 0

let known =
  [
    "Accept"; "Accept-Encoding"; "Accept-Language"; "Accept-Ranges"; "Age"; "Authorization";
    "Cache-Control"; "Connection"; "Content-Encoding"; "Content-Length"; "Content-Range";
    "Content-Type"; "Cookie"; "Date"; "ETag"; "Expect"; "Host"; "If-Modified-Since";
    "If-None-Match"; "If-Range"; "Keep-Alive"; "Last-Modified"; "Location"; "Origin"; "Pragma";
    "Range"; "Referer"; "Server"; "Set-Cookie"; "Transfer-Encoding"; "Upgrade";
    "Upgrade-Insecure-Requests"; "User-Agent"; "Vary"; "Via"; "X-Forwarded-For";
  ] [@@ocamlformat "disable"]

(* The names of each length: a few at most. *)
let by_length =
  let longest = List.fold_left (fun n s -> max n (String.length s)) 0 known in
  let table = Array.make (longest + 1) [] in
  let add s = table.(String.length s) <- s :: table.(String.length s) in
  List.iter
    (fun s ->
      add s;
      add (String.lowercase_ascii s))
    known;
  table

let rec find candidates b ~off ~len =
  match candidates with
  | [] -> Bytes.sub_string b off len
  | s :: rest -> if same b ~off ~len s then s else find rest b ~off ~len

let field b ~off ~len =
  if len < Array.length by_length then find by_length.(len) b ~off ~len
  else Bytes.sub_string b off len

let meth b ~off ~len : Http.Method.t =
  match len with
  | 3 when same b ~off ~len "GET" -> `GET
  | 4 when same b ~off ~len "HEAD" -> `HEAD
  | 4 when same b ~off ~len "POST" -> `POST
  | 3 when same b ~off ~len "PUT" -> `PUT
  | 6 when same b ~off ~len "DELETE" -> `DELETE
  | 7 when same b ~off ~len "OPTIONS" -> `OPTIONS
  | 5 when same b ~off ~len "PATCH" -> `PATCH
  | 5 when same b ~off ~len "TRACE" -> `TRACE
  | 7 when same b ~off ~len "CONNECT" -> `CONNECT
  | _ -> `Other (Bytes.sub_string b off len)

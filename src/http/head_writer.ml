type framing = Nothing | Length of int | Chunked

(* Only this module writes the fields that frame the message. *)
let reserved name =
  match String.length name with
  | 10 -> Chars.equal_caseless name "connection"
  | 14 -> Chars.equal_caseless name "content-length"
  | 17 -> Chars.equal_caseless name "transfer-encoding"
  | _ -> false

let rec valid = function
  | [] -> true
  | (name, value) :: rest -> Chars.is_token name && Chars.all Chars.field_value value && valid rest

let rec fields out = function
  | [] -> ()
  | (name, value) :: rest ->
      if not (reserved name) then Output.field out name value;
      fields out rest

let framing_field out = function
  | Nothing -> ()
  | Length n ->
      Output.string out "Content-Length: ";
      Output.decimal out n;
      Output.crlf out
  | Chunked -> Output.string out "Transfer-Encoding: chunked\r\n"

let rec has name = function
  | [] -> false
  | (n, _) :: rest -> Chars.equal_caseless n name || has name rest

let response out ~status ~headers ~date ~framing ~connection =
  let headers = Http.Header.to_list headers in
  valid headers
  && begin
    Output.string out (Status.line status);
    if date <> "" && not (has "date" headers) then Output.field out "Date" date;
    fields out headers;
    framing_field out framing;
    if connection <> "" then Output.field out "Connection" connection;
    Output.crlf out;
    true
  end

let request out ~meth ~target ~host ~headers ~framing ~connection =
  let headers = Http.Header.to_list headers in
  let meth = Http.Method.to_string meth in
  Chars.is_token meth && target <> "" && Chars.all Chars.target target
  && Authority.valid host ~off:0 ~len:(String.length host)
  && valid headers
  && begin
    Output.string out meth;
    Output.char out ' ';
    Output.string out target;
    Output.string out " HTTP/1.1\r\n";
    if not (has "host" headers) then Output.field out "Host" host;
    fields out headers;
    framing_field out framing;
    if connection <> "" then Output.field out "Connection" connection;
    Output.crlf out;
    true
  end

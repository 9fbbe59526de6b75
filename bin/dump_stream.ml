open Cmdliner
open Weir_dissect

type which = Numbered of int | Between of Conversations.endpoint * Conversations.endpoint
type format = Text | Json | Raw of [ `Client | `Server ]

type t = {
  which : which;
  format : format;
  mutable number : int;  (** of the stream, -1 until it is found *)
  bytes : Stream_bytes.t;
  missing : int ref;  (** of the side that is printed raw *)
}

(* -- which stream -------------------------------------------------------- *)

let pp_endpoint f (e : Conversations.endpoint) = Fmt.pf f "%a:%d" Weir_wire.Ip.pp e.ip e.port

let pp_which f = function
  | Numbered n -> Fmt.int f n
  | Between (a, b) -> Fmt.pf f "%a,%a" pp_endpoint a pp_endpoint b

let endpoint s : Conversations.endpoint option =
  match String.rindex_opt s ':' with
  | None -> None
  | Some i -> (
      let ip = Ipaddr.of_string (String.sub s 0 i)
      and port = int_of_string_opt (String.sub s (i + 1) (String.length s - i - 1)) in
      match (ip, port) with
      | Ok ip, Some port when port >= 0 && port <= 0xffff ->
          Some { ip = Weir_wire.Ip.of_ipaddr ip; port }
      | _ -> None)

let parse s =
  match (int_of_string_opt s, List.map endpoint (String.split_on_char ',' s)) with
  | Some n, _ when n >= 0 -> Ok (Numbered n)
  | _, [ Some a; Some b ] -> Ok (Between (a, b))
  | _ -> Error (`Msg (Printf.sprintf "%S is not a stream: give its number or IP:PORT,IP:PORT" s))

let which = Arg.conv (parse, pp_which)

let same (a : Conversations.endpoint) (b : Conversations.endpoint) =
  a.port = b.port && Weir_wire.Ip.equal a.ip b.ip

let is_wanted which (s : Conversations.stream) =
  match which with
  | Numbered n -> s.number = n
  | Between (a, b) -> (same a s.client && same b s.server) || (same b s.client && same a s.server)

(* -- text ---------------------------------------------------------------- *)

(* A sender must not be able to send control sequences to the terminal. *)
let add_escaped b c =
  match c with
  | '\t' -> Buffer.add_char b c
  | '\\' -> Buffer.add_string b "\\\\"
  | ' ' .. '~' -> Buffer.add_char b c
  | c -> Printf.bprintf b "\\x%02x" (Char.code c)

type text = {
  out : Buffer.t;
  mutable from_client : bool;
  mutable inside : bool;  (** a line has begun *)
  mutable return : bool;  (** a carriage return waits for its line feed *)
}

let begin_line t =
  if not t.inside then Buffer.add_string t.out (if t.from_client then "> " else "< ");
  t.inside <- true

let end_return t =
  if t.return then (
    begin_line t;
    add_escaped t.out '\r');
  t.return <- false

let end_line t =
  end_return t;
  if t.inside then Buffer.add_char t.out '\n';
  t.inside <- false

let add_char t c =
  if c = '\n' then (
    t.return <- false;
    begin_line t;
    end_line t)
  else (
    end_return t;
    if c = '\r' then t.return <- true
    else (
      begin_line t;
      add_escaped t.out c))

let text_piece t (p : Stream_bytes.piece) =
  if p.from_client <> t.from_client then end_line t;
  t.from_client <- p.from_client;
  (match p.what with
  | Data s -> String.iter (add_char t) s
  | Missing n ->
      end_line t;
      begin_line t;
      Printf.bprintf t.out "[%d bytes are not in the capture]" n;
      end_line t);
  Buffer.output_buffer stdout t.out;
  Buffer.clear t.out

(* -- JSON, raw ----------------------------------------------------------- *)

let hex s =
  let digit n = "0123456789abcdef".[n] in
  let nibble i =
    let c = Char.code s.[i / 2] in
    digit (if i land 1 = 0 then c lsr 4 else c land 15)
  in
  String.init (2 * String.length s) nibble

let json_piece (p : Stream_bytes.piece) =
  let what =
    match p.what with Data s -> ("hex", `String (hex s)) | Missing n -> ("missing", `Int n)
  in
  print_endline
    (Yojson.Safe.to_string
       (`Assoc
          [
            ("from", `String (if p.from_client then "client" else "server"));
            ("time", Dump_json.time p.time);
            ("offset", `Int p.offset);
            what;
          ]))

let raw_piece side missing (p : Stream_bytes.piece) =
  if p.from_client = (side = `Client) then
    match p.what with Data s -> print_string s | Missing n -> missing := !missing + n

(* -- the stream ---------------------------------------------------------- *)

let headline format (s : Conversations.stream) =
  match format with
  | Raw _ -> ()
  | Text ->
      print_endline
        (Fmt.str "stream %d: > is client %a, < is server %a" s.number pp_endpoint s.client
           pp_endpoint s.server)
  | Json ->
      let endpoint e = `String (Fmt.str "%a" pp_endpoint e) in
      print_endline
        (Yojson.Safe.to_string
           (`Assoc
              [
                ("stream", `Int s.number);
                ("client", endpoint s.client);
                ("server", endpoint s.server);
              ]))

let create which format =
  let missing = ref 0 in
  let give =
    match format with
    | Text ->
        text_piece { out = Buffer.create 4_096; from_client = true; inside = false; return = false }
    | Json -> json_piece
    | Raw side -> raw_piece side missing
  in
  { which; format; number = -1; bytes = Stream_bytes.create give; missing }

let add t (d : Dissection.t) =
  match d.stream with
  | None -> ()
  | Some { stream; _ } ->
      if t.number < 0 && is_wanted t.which stream then (
        t.number <- stream.number;
        headline t.format stream);
      if stream.number = t.number then Stream_bytes.add t.bytes d

let finish t =
  if t.number < 0 then
    Fail.failed "%s: no such TCP stream in the capture; --json shows each packet's tcp.stream"
      (Fmt.str "%a" pp_which t.which);
  Stream_bytes.finish t.bytes;
  if !(t.missing) > 0 then Fail.failed "%d bytes of that side are not in the capture" !(t.missing)

(* Flows whose reads are a script, and what was written to them, read back by a
   reader that shares nothing with src/http. *)

exception Stalled

class flow ?(at_end = `Stall) chunks =
  object
    inherit Weir_flow.Flow.flow
    val mutable chunks = List.filter (fun s -> s <> "") chunks
    val mutable at = 0
    val out = Buffer.create 256
    val mutable writes = 0
    val mutable reads = 0
    method output = Buffer.contents out
    method writes = writes
    method reads = reads

    method read_into b ~off ~len =
      reads <- reads + 1;
      if len <= 0 then Alcotest.fail "asked for no bytes";
      match chunks with
      | [] -> ( match at_end with `End -> 0 | `Stall -> raise Stalled)
      | chunk :: rest ->
          let n = min len (String.length chunk - at) in
          Bytes.blit_string chunk at b off n;
          at <- at + n;
          if at = String.length chunk then (
            at <- 0;
            chunks <- rest);
          n

    method write b ~off ~len =
      if len <= 0 then Alcotest.fail "wrote no bytes";
      writes <- writes + 1;
      Buffer.add_subbytes out b off len
  end

let bytewise s = List.init (String.length s) (fun i -> String.make 1 s.[i])

let halves s i =
  if i = 0 || i = String.length s then [ s ]
  else [ String.sub s 0 i; String.sub s i (String.length s - i) ]

(* {1 Replies} *)

type reply = { status : int; fields : (string * string) list; body : string }

let field reply name = List.assoc_opt name reply.fields

let find_sub s sub from =
  let n = String.length sub in
  let rec go i =
    if i + n > String.length s then None else if String.sub s i n = sub then Some i else go (i + 1)
  in
  go from

let line_end s from =
  match find_sub s "\r\n" from with
  | Some i -> i
  | None -> Alcotest.failf "no end of line in the reply %S" s

let parse_head s from =
  let rec fields acc from =
    let stop = line_end s from in
    if stop = from then (List.rev acc, stop + 2)
    else
      let line = String.sub s from (stop - from) in
      match String.index_opt line ':' with
      | None -> Alcotest.failf "a field line without a colon: %S" line
      | Some i ->
          let name = String.lowercase_ascii (String.sub line 0 i) in
          let value = String.trim (String.sub line (i + 1) (String.length line - i - 1)) in
          fields ((name, value) :: acc) (stop + 2)
  in
  let stop = line_end s from in
  let line = String.sub s from (stop - from) in
  if String.length line < 13 || String.sub line 0 9 <> "HTTP/1.1 " then
    Alcotest.failf "not a status line: %S" line;
  let fields, after = fields [] (stop + 2) in
  (int_of_string (String.sub line 9 3), fields, after)

let rec chunks s from acc =
  let stop = line_end s from in
  let n = int_of_string ("0x" ^ String.sub s from (stop - from)) in
  let data = stop + 2 in
  if String.sub s (data + n) 2 <> "\r\n" then Alcotest.fail "a chunk without its end";
  if n = 0 then (String.concat "" (List.rev acc), data + 2)
  else chunks s (data + n + 2) (String.sub s data n :: acc)

(* [heads] are the places of replies to HEAD. *)
let replies ?(heads = []) s =
  let rec go from place acc =
    if from = String.length s then List.rev acc
    else
      let status, fields, after = parse_head s from in
      let body, next =
        if status < 200 || status = 204 || status = 304 || List.mem place heads then ("", after)
        else if List.mem_assoc "transfer-encoding" fields then chunks s after []
        else
          let n =
            match List.assoc_opt "content-length" fields with
            | Some n -> int_of_string n
            | None -> String.length s - after
          in
          if after + n > String.length s then Alcotest.failf "a reply cut short: %S" s;
          (String.sub s after n, after + n)
      in
      let place = if status < 200 then place else place + 1 in
      go next place ({ status; fields; body } :: acc)
  in
  go 0 0 []

(* {1 Conversations} *)

type outcome = { output : string; kept : bool; flow : flow }

(* Runs a connection to its end; [kept] says that the server waited for more
   than the script had. *)
let serve ?at_end ?on_idle server handler chunks =
  let flow = new flow ?at_end chunks in
  match Weir_http.Server.serve_connection ?on_idle server flow handler with
  | () -> { output = flow#output; kept = false; flow }
  | exception Stalled -> { output = flow#output; kept = true; flow }

let statuses ?heads outcome = List.map (fun r -> r.status) (replies ?heads outcome.output)

let summary ?heads outcome =
  String.concat " "
    (List.map string_of_int (statuses ?heads outcome)
    @ [ (if outcome.kept then "keep" else "close") ])

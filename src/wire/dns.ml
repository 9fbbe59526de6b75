type name = Dns_name.t

module Kind = Dns_kind

type question = { name : name; kind : Kind.t; class_ : int }

type soa = {
  server : name;
  mailbox : name;
  serial : int;
  refresh : int;
  retry : int;
  expire : int;
  minimum : int;
}

type data =
  | A of Ipaddr.V4.t
  | NS of name
  | CNAME of name
  | SOA of soa
  | PTR of name
  | MX of { preference : int; exchange : name }
  | TXT of string list
  | AAAA of Ipaddr.V6.t
  | SRV of { priority : int; weight : int; port : int; target : name }
  | OPT of (int * string) list
  | Other of int * string

type record = { name : name; class_ : int; ttl : int; data : data }

type t = {
  id : int;
  response : bool;
  opcode : int;
  authoritative : bool;
  truncated : bool;
  recursion_desired : bool;
  recursion_available : bool;
  reserved : bool;
  authentic : bool;
  checking_disabled : bool;
  rcode : int;
  questions : question list;
  answers : record list;
  authority : record list;
  additional : record list;
}

let header_length = 12
let in_ = 1
let ( let* ) = Result.bind

(* -- decoding ------------------------------------------------------------ *)

let u16 b at = Bytes.get_uint16_be b at
let u32 b at = (u16 b at lsl 16) lor u16 b (at + 2)

(* Below, [at] counts from the message's first byte, as pointers do, and [last] is the end of a
   record's data. *)
let room ~at ~last n what =
  if at + n > last then Error.malformed ~at (what ^ " that is cut short") else Ok ()

let ends ~at ~last x =
  if at = last then Ok x else Error.malformed ~at "record data of the wrong length"

let only_name b ~off ~len ~at ~last make =
  let* name, at = Dns_name.decode b ~off ~len ~at in
  ends ~at ~last (make name)

let soa b ~off ~len ~at ~last =
  let* server, at = Dns_name.decode b ~off ~len ~at in
  let* mailbox, at = Dns_name.decode b ~off ~len ~at in
  let* () = room ~at ~last 20 "SOA" in
  let n i = u32 b (off + at + (4 * i)) in
  ends ~at:(at + 20) ~last
    (SOA { server; mailbox; serial = n 0; refresh = n 1; retry = n 2; expire = n 3; minimum = n 4 })

let rec strings b ~off ~at ~last found =
  if at = last then Ok (TXT (List.rev found))
  else
    let n = Bytes.get_uint8 b (off + at) in
    let* () = room ~at ~last (1 + n) "string" in
    strings b ~off ~at:(at + 1 + n) ~last (Bytes.sub_string b (off + at + 1) n :: found)

let rec options b ~off ~at ~last found =
  if at = last then Ok (OPT (List.rev found))
  else
    let* () = room ~at ~last 4 "option" in
    let n = u16 b (off + at + 2) in
    let* () = room ~at ~last (4 + n) "option" in
    let option = (u16 b (off + at), Bytes.sub_string b (off + at + 4) n) in
    options b ~off ~at:(at + 4 + n) ~last (option :: found)

let mx b ~off ~len ~at ~last =
  let* () = room ~at ~last 2 "MX" in
  only_name b ~off ~len ~at:(at + 2) ~last (fun exchange ->
      MX { preference = u16 b (off + at); exchange })

let srv b ~off ~len ~at ~last =
  let* () = room ~at ~last 6 "SRV" in
  let n i = u16 b (off + at + (2 * i)) in
  only_name b ~off ~len ~at:(at + 6) ~last (fun target ->
      SRV { priority = n 0; weight = n 1; port = n 2; target })

let address b ~off ~at ~last n make =
  let* () = room ~at ~last n "address" in
  ends ~at:(at + n) ~last (make (Bytes.sub_string b (off + at) n))

let data (kind : Kind.t) ~class_ b ~off ~len ~at ~last =
  match kind with
  | OPT -> options b ~off ~at ~last []
  | kind when class_ <> in_ ->
      Ok (Other (Kind.to_int kind, Bytes.sub_string b (off + at) (last - at)))
  | A -> address b ~off ~at ~last 4 (fun s -> A (Ipaddr.V4.of_octets_exn s))
  | AAAA -> address b ~off ~at ~last 16 (fun s -> AAAA (Ipaddr.V6.of_octets_exn s))
  | NS -> only_name b ~off ~len ~at ~last (fun n -> NS n)
  | CNAME -> only_name b ~off ~len ~at ~last (fun n -> CNAME n)
  | PTR -> only_name b ~off ~len ~at ~last (fun n -> PTR n)
  | SOA -> soa b ~off ~len ~at ~last
  | MX -> mx b ~off ~len ~at ~last
  | TXT -> strings b ~off ~at ~last []
  | SRV -> srv b ~off ~len ~at ~last
  | Other n -> Ok (Other (n, Bytes.sub_string b (off + at) (last - at)))

let truncated_at ~len need = if need > len then Error.truncated ~need ~have:len else Ok ()

let question b ~off ~len ~at =
  let* name, at = Dns_name.decode b ~off ~len ~at in
  let* () = truncated_at ~len (at + 4) in
  Ok ({ name; kind = Kind.of_int (u16 b (off + at)); class_ = u16 b (off + at + 2) }, at + 4)

let record b ~off ~len ~at =
  let* name, next = Dns_name.decode b ~off ~len ~at in
  let* () = truncated_at ~len (next + 10) in
  let field i = u16 b (off + next + i) in
  let kind = Kind.of_int (field 0) and class_ = field 2 and first = next + 10 in
  let last = first + field 8 in
  let* () = truncated_at ~len last in
  if kind = OPT && Domain_name.count_labels name > 0 then
    Error.malformed ~at "OPT record whose name is not the root"
  else
    let* data = data kind ~class_ b ~off ~len ~at:first ~last in
    Ok ({ name; class_; ttl = u32 b (off + next + 4); data }, last)

let rec several one b ~off ~len ~at n found =
  if n = 0 then Ok (List.rev found, at)
  else
    match one b ~off ~len ~at with
    | Error e -> Error e
    | Ok (x, at) -> several one b ~off ~len ~at (n - 1) (x :: found)

let is_opt r = match r.data with OPT _ -> true | _ -> false

let decode b ~off ~len =
  if off < 0 || len < 0 || off + len > Bytes.length b then invalid_arg "Dns.decode";
  let* () = truncated_at ~len header_length in
  let flags = u16 b (off + 2) and count i = u16 b (off + 4 + (2 * i)) in
  let bit n = flags land (1 lsl n) <> 0 in
  let* questions, at = several question b ~off ~len ~at:header_length (count 0) [] in
  let* answers, at = several record b ~off ~len ~at (count 1) [] in
  let* authority, at = several record b ~off ~len ~at (count 2) [] in
  let additional_at = at in
  let* additional, at = several record b ~off ~len ~at (count 3) [] in
  let opts l = List.length (List.filter is_opt l) in
  if at < len then Error.malformed ~at "bytes after the last record"
  else if opts answers + opts authority > 0 || opts additional > 1 then
    Error.malformed ~at:additional_at "OPT records that are not one additional record"
  else
    Ok
      {
        id = u16 b off;
        response = bit 15;
        opcode = (flags lsr 11) land 15;
        authoritative = bit 10;
        truncated = bit 9;
        recursion_desired = bit 8;
        recursion_available = bit 7;
        reserved = bit 6;
        authentic = bit 5;
        checking_disabled = bit 4;
        rcode = flags land 15;
        questions;
        answers;
        authority;
        additional;
      }

let kind : data -> Kind.t = function
  | A _ -> A
  | NS _ -> NS
  | CNAME _ -> CNAME
  | SOA _ -> SOA
  | PTR _ -> PTR
  | MX _ -> MX
  | TXT _ -> TXT
  | AAAA _ -> AAAA
  | SRV _ -> SRV
  | OPT _ -> OPT
  | Other (n, _) -> Kind.of_int n

(* -- emitting ------------------------------------------------------------ *)

let add_u16 out what n =
  if n < 0 || n > 0xffff then invalid_arg ("Dns.emit: " ^ what);
  Buffer.add_uint16_be out n

let add_u32 out n = Buffer.add_int32_be out (Int32.of_int n)

let emit_data names out = function
  | A a -> Buffer.add_string out (Ipaddr.V4.to_octets a)
  | AAAA a -> Buffer.add_string out (Ipaddr.V6.to_octets a)
  | NS n | CNAME n | PTR n -> Dns_name.emit names out n
  | SOA s ->
      Dns_name.emit names out s.server;
      Dns_name.emit names out s.mailbox;
      List.iter (add_u32 out) [ s.serial; s.refresh; s.retry; s.expire; s.minimum ]
  | MX { preference; exchange } ->
      add_u16 out "preference" preference;
      Dns_name.emit names out exchange
  | TXT strings ->
      List.iter
        (fun s ->
          if String.length s > 255 then invalid_arg "Dns.emit: string";
          Buffer.add_uint8 out (String.length s);
          Buffer.add_string out s)
        strings
  | SRV { priority; weight; port; target } ->
      List.iter (add_u16 out "SRV") [ priority; weight; port ];
      Dns_name.emit_whole names out target
  | OPT options ->
      List.iter
        (fun (code, s) ->
          add_u16 out "option" code;
          add_u16 out "option's length" (String.length s);
          Buffer.add_string out s)
        options
  | Other (_, s) -> Buffer.add_string out s

(* Length fields are written into the finished message. *)
let emit_record names out lengths r =
  Dns_name.emit names out r.name;
  add_u16 out "type" (Kind.to_int (kind r.data));
  add_u16 out "class" r.class_;
  add_u32 out r.ttl;
  let at = Buffer.length out in
  Buffer.add_uint16_be out 0;
  emit_data names out r.data;
  let length = Buffer.length out - at - 2 in
  if length > 0xffff then invalid_arg "Dns.emit: record";
  lengths := (at, length) :: !lengths

let flags t =
  let bit n b = if b then 1 lsl n else 0 in
  bit 15 t.response
  lor ((t.opcode land 15) lsl 11)
  lor bit 10 t.authoritative lor bit 9 t.truncated lor bit 8 t.recursion_desired
  lor bit 7 t.recursion_available lor bit 6 t.reserved lor bit 5 t.authentic
  lor bit 4 t.checking_disabled lor (t.rcode land 15)

let emit t =
  let out = Buffer.create 512 and names = Dns_name.table () and lengths = ref [] in
  add_u16 out "identifier" t.id;
  Buffer.add_uint16_be out (flags t);
  add_u16 out "number" (List.length t.questions);
  List.iter (fun l -> add_u16 out "number" (List.length l)) [ t.answers; t.authority; t.additional ];
  List.iter
    (fun (q : question) ->
      Dns_name.emit names out q.name;
      add_u16 out "type" (Kind.to_int q.kind);
      add_u16 out "class" q.class_)
    t.questions;
  List.iter (List.iter (emit_record names out lengths)) [ t.answers; t.authority; t.additional ];
  let b = Buffer.to_bytes out in
  List.iter (fun (at, n) -> Bytes.set_uint16_be b at n) !lengths;
  Bytes.unsafe_to_string b

(* -- for a resolver ------------------------------------------------------ *)

let opt t = List.find_opt is_opt t.additional
let edns t = Option.map (fun r -> (r.class_, (r.ttl lsr 16) land 0xff)) (opt t)
let rcode t = match opt t with None -> t.rcode | Some r -> ((r.ttl lsr 24) lsl 4) lor t.rcode

let query ~id ~edns kind name =
  let opt size = { name = Domain_name.root; class_ = size; ttl = 0; data = OPT [] } in
  {
    id;
    response = false;
    opcode = 0;
    authoritative = false;
    truncated = false;
    recursion_desired = true;
    recursion_available = false;
    reserved = false;
    authentic = false;
    checking_disabled = false;
    rcode = 0;
    questions = [ { name; kind; class_ = in_ } ];
    answers = [];
    authority = [];
    additional = Option.to_list (Option.map opt edns);
  }

let no_error = 0
let format_error = 1
let server_failure = 2
let name_error = 3
let not_implemented = 4
let refused = 5

(* -- printing ------------------------------------------------------------ *)

let pp_rcode f n =
  match n with
  | 0 -> Fmt.string f "NOERROR"
  | 1 -> Fmt.string f "FORMERR"
  | 2 -> Fmt.string f "SERVFAIL"
  | 3 -> Fmt.string f "NXDOMAIN"
  | 4 -> Fmt.string f "NOTIMP"
  | 5 -> Fmt.string f "REFUSED"
  | 16 -> Fmt.string f "BADVERS"
  | n -> Fmt.pf f "RCODE%d" n

let pp_name f n = Fmt.pf f "%S" (Domain_name.to_string ~trailing:true n)

let pp_data f = function
  | A a -> Ipaddr.V4.pp f a
  | AAAA a -> Ipaddr.V6.pp f a
  | NS n | CNAME n | PTR n -> pp_name f n
  | SOA s -> Fmt.pf f "%a serial %d minimum %d" pp_name s.server s.serial s.minimum
  | MX { preference; exchange } -> Fmt.pf f "%d %a" preference pp_name exchange
  | TXT l -> Fmt.(list ~sep:sp (fmt "%S")) f l
  | SRV { priority; weight; port; target } ->
      Fmt.pf f "%d %d %d %a" priority weight port pp_name target
  | OPT l -> Fmt.pf f "%d options" (List.length l)
  | Other (_, s) -> Fmt.pf f "%d bytes" (String.length s)

let pp_record f r =
  match r.data with
  | OPT _ -> Fmt.pf f "OPT size %d" r.class_
  | _ -> Fmt.pf f "%a %a %d s %a" pp_name r.name Kind.pp (kind r.data) r.ttl pp_data r.data

let pp f t =
  let question f (q : question) = Fmt.pf f "%a? %a" Kind.pp q.kind pp_name q.name in
  let records what f = function
    | [] -> ()
    | l -> Fmt.pf f ", %s %a" what Fmt.(list ~sep:(any "; ") pp_record) l
  in
  Fmt.pf f "DNS %d %s" t.id (if t.response then "answer" else "query");
  if t.response then Fmt.pf f " %a" pp_rcode (rcode t);
  if t.truncated then Fmt.string f " truncated";
  List.iter (Fmt.pf f " %a" question) t.questions;
  Fmt.pf f "%a%a%a" (records "answers") t.answers (records "authority") t.authority
    (records "additional") t.additional

type client = {
  protocol : Kind.protocol;
  exchange : string -> string;
  send : string -> unit;
  mutable seqid : int;
}

let client ?(send = fun _ -> invalid_arg "Rpc.client: no [send] for oneway calls") protocol exchange
    =
  { protocol; exchange; send; seqid = 0 }

let next_id c =
  c.seqid <- (c.seqid + 1) land 0x7fff_ffff;
  c.seqid

let request c kind name seqid write =
  let w = Writer.create c.protocol in
  Message.write w c.protocol { name; kind; seqid };
  write w;
  Writer.to_string w

(* Other calls may be made before this one is answered. *)
let call c name write read =
  let seqid = next_id c in
  let r = Reader.of_string c.protocol (c.exchange (request c Message.Call name seqid write)) in
  let m = Message.read r c.protocol in
  if m.seqid <> seqid then Reader.fail r "a reply to another call";
  match m.kind with
  | Reply when m.name = name -> read r
  | Exception -> raise (Application.E (Application.read r))
  | _ -> Reader.fail r "not a reply to this call"

let oneway c name write = c.send (request c Message.Oneway name (next_id c) write)

let no_result name =
  raise
    (Application.E { message = name ^ " came without a result"; kind = Application.missing_result })

let serve protocol dispatch s =
  let reply kind (m : Message.t) write =
    let w = Writer.create protocol in
    Message.write w protocol { m with kind };
    write w;
    Writer.to_string w
  in
  let r = Reader.of_string protocol s in
  let m = Message.read r protocol in
  let refuse_with e = reply Exception m (fun w -> Application.write w e) in
  let refuse kind message = refuse_with { message; kind } in
  match dispatch m.name r with
  | Some answer when m.kind = Call -> Some (reply Reply m answer)
  | (Some _ | None) when m.kind = Oneway -> None
  | Some _ -> Error.fail 0 "a message that is not a call"
  | None -> Some (refuse Application.unknown_method ("no method " ^ m.name))
  | exception Application.E e -> if m.kind = Call then Some (refuse_with e) else None
  | exception Error.Error e when m.kind = Call ->
      Some (refuse Application.protocol_error (Format.asprintf "%a" Error.pp e))

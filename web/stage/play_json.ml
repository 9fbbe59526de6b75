open Weir_core

let p = Printf.sprintf

let text s =
  let b = Buffer.create (String.length s + 2) in
  Buffer.add_char b '"';
  String.iter
    (function
      | ('"' | '\\') as c -> Buffer.add_string b (p "\\%c" c)
      | c when Char.code c < 32 -> Buffer.add_string b (p "\\u%04x" (Char.code c))
      | c -> Buffer.add_char b c)
    s;
  Buffer.add_char b '"';
  Buffer.contents b

let list items = "[" ^ String.concat "," items ^ "]"

let index hosts name =
  let rec from i = function [] -> -1 | h :: _ when h = name -> i | _ :: l -> from (i + 1) l in
  from 0 hosts

let kind : Recorder.kind -> string = function
  | Data -> "data"
  | Ack -> "ack"
  | Again -> "again"
  | Control -> "control"
  | Other -> "other"

let leg hosts (l : Recorder.leg) =
  p "[%d,%d,%d,%d,%d,%s]" (index hosts l.from) (index hosts l.to_) l.enter l.leave
    (Option.value l.arrive ~default:(-1))
    (text l.fate)

let packet hosts (x : Recorder.packet) =
  p "[%d,%s,%s,%b,%d,%s]" x.at
    (text (kind x.kind))
    (text x.flags) x.marked (String.length x.frame)
    (list (List.map (leg hosts) x.legs))

let recovery : Tcp_info.recovery -> string = function
  | Open -> ""
  | Fast_recovery -> "fast recovery"
  | After_timeout -> "after a timeout"

let sample (host, at, (i : Tcp_info.t)) =
  p "[%d,%d,%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%s,%d,%s]" host at
    (text (Fmt.str "%a" Tcb.pp_state i.state))
    i.window
    (Option.value i.threshold ~default:(-1))
    i.in_flight i.peer_window i.unsent i.acknowledged i.received i.unread i.mss
    (Option.value i.srtt ~default:(-1))
    i.rto
    (text (recovery i.recovery))
    i.retransmitted
    (list (List.map (fun (name, at) -> p "[%s,%d]" (text name) at) i.timers))

let of_play t =
  let hosts = Play.hosts t in
  p
    "{\"hosts\":%s,\"finish\":%d,\"digest\":\"%013x\",\"frames\":%d,\"delivered\":%d,\"outcome\":%s,\"packets\":%s,\"samples\":%s}"
    (list (List.map text hosts))
    (Play.finish t) (Play.digest t) (Play.frames t) (Play.delivered t)
    (match Play.outcome t with None -> "null" | Some why -> text why)
    (list (Array.to_list (Array.map (packet hosts) (Play.packets t))))
    (list (List.map sample (Play.samples t)))

let fields l = list (List.map (fun (name, value) -> list [ text name; text value ]) l)

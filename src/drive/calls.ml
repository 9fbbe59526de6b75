open Weir_core

type verdict = Ready | Wait | Ended | Failed of Tcb.error

let connected (c : Tcp.connection) =
  match c.state with
  | Syn_sent | Syn_received ->
      c.want_connected <- true;
      Wait
  | Closed -> ( match c.error with Some e -> Failed e | None -> Ready)
  | _ -> Ready

(* Nothing is left to read, so a FIN that came is the end, also before a reset;
   but these have thrown away what was left. *)
let cut_off (c : Tcp.connection) =
  match c.error with Some (Aborted | No_memory) -> true | _ -> false

let after_empty_read (c : Tcp.connection) =
  if (Tcb.peer_finished c || c.rcv_shut) && not (cut_off c) then Ended
  else
    match (c.state, c.error) with
    | Closed, Some e -> Failed e
    | Closed, None -> Ended
    | _ ->
        c.want_readable <- true;
        Wait

let more_may_come (c : Tcp.connection) = not (Tcb.peer_finished c || c.rcv_shut || c.state = Closed)

let writable (c : Tcp.connection) =
  match (c.state, c.error) with
  | Closed, Some e -> Failed e
  | Closed, None -> Ended
  | _ -> if c.fin_queued then Ended else Ready

let want_room (c : Tcp.connection) = c.want_writable <- true

let pending_error socket =
  Option.map
    (fun code ->
      Fmt.str "%a" Weir_wire.Icmpv4.pp_what
        (Weir_wire.Icmpv4.Destination_unreachable { code; rest = 0; data_length = 0 }))
    (Udp_sockets.take_error socket)

let read_cstruct c (buf : Cstruct.t) =
  Tcp.with_unread c (fun b off len ->
      let n = Int.min len (Cstruct.length buf) in
      Cstruct.blit_from_bytes b off buf 0 n;
      n)

let write_cstruct c (buf : Cstruct.t) =
  Tcp.with_room c ~want:(Cstruct.length buf) (fun b off len ->
      Cstruct.blit_to_bytes buf 0 b off len;
      len)

let rec drop (bufs : Cstruct.t list) n =
  match bufs with
  | [] -> []
  | buf :: rest ->
      let len = Cstruct.length buf in
      if n >= len then drop rest (n - len) else if n = 0 then bufs else Cstruct.shift buf n :: rest

let rec write_list c bufs total =
  match drop bufs 0 with
  | [] -> total
  | buf :: _ as bufs ->
      let n = write_cstruct c buf in
      if n = 0 then total else write_list c (drop bufs n) (total + n)

let write_cstructs c bufs = write_list c bufs 0

let tcp_info (c : Tcp.connection) : Weir_flow.Flow.tcp_info =
  {
    rtt_ns = Int.max 0 (Rto.srtt_ns c.rto);
    cwnd = Congestion.window c.congestion;
    retransmits = c.retransmitted;
  }

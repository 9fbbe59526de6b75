open Weir_core

type verdict = Ready | Wait | Ended | Failed of Tcp.error

let connected c =
  match Tcp.state c with
  | Syn_sent | Syn_received ->
      Tcp.want_connected c;
      Wait
  | Closed -> ( match Tcp.error c with Some e -> Failed e | None -> Ready)
  | _ -> Ready

(* Nothing is left to read, so a FIN that came is the end, also before a reset;
   but these have thrown away what was left. *)
let cut_off c = match Tcp.error c with Some (Aborted | No_memory) -> true | _ -> false

let after_empty_read c =
  if Tcp.receive_over c && not (cut_off c) then Ended
  else
    match (Tcp.state c, Tcp.error c) with
    | Closed, Some e -> Failed e
    | Closed, None -> Ended
    | _ ->
        Tcp.want_readable c;
        Wait

let more_may_come c = not (Tcp.receive_over c || Tcp.state c = Closed)

let writable c =
  match (Tcp.state c, Tcp.error c) with
  | Closed, Some e -> Failed e
  | Closed, None -> Ended
  | _ -> if Tcp.send_over c then Ended else Ready

let want_room = Tcp.want_writable
(* [Fmt.str] makes its buffer when it gets the format: only for an error. *)
let pending_error socket =
  Option.map (fun e -> Fmt.str "%a" Icmp_error.pp e) (Udp_sockets.take_error socket)

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

let tcp_info c : Weir_flow.Flow.tcp_info =
  {
    rtt_ns = Int.max 0 (Tcp.srtt_ns c);
    cwnd = Tcp.congestion_window c;
    retransmits = Tcp.retransmitted c;
    path_mtu = Tcp.path_mtu c;
  }

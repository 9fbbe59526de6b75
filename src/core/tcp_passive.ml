open Weir_base
open Tcp_state

let has_memory t =
  Budget.fits t.shared.budget Tcb.connection_cost
  ||
  (Tcb.want_relief t.shared;
   false)

let has_room t (l : Tcb.listener) =
  Queue.length l.accepted < l.backlog && make_room t && has_memory t

(* With more half-open connections, the text of a SYN is not stored: the peer sends it again. *)
let most_with_text = 64

let numbers t ~src ~dst (h : Segment.t) =
  Isn.initial ~secret:t.secret ~now:t.shared.now ~local:dst ~local_port:h.dst_port ~remote:src
    ~remote_port:h.src_port

let half_open t (l : Tcb.listener) ~src ~dst ~mss ~iss ~ts_offset (syn : Segment.t) =
  let c =
    Tcb.create t.shared ~state:Syn_received ~local:dst ~local_port:syn.dst_port ~remote:src
      ~remote_port:syn.src_port ~iss ~ts_offset ~mss ~parent:(Some l)
  in
  t.shared.counters.tcp_passive_opens <- t.shared.counters.tcp_passive_opens + 1;
  l.half_open_count <- l.half_open_count + 1;
  Queue.push c l.half_open;
  l.prepare c;
  Tcp_input.learn_options c syn;
  Connections.add t.connections c;
  c

let answer_by_cookie t (l : Tcb.listener) ~src ~dst ~mss (h : Segment.t) =
  let { Config.timestamps; sack; ecn; _ } = t.shared.config in
  let h = { h with ts_val = (if timestamps then h.ts_val else -1) } in
  let stamped = h.ts_val >= 0 in
  let stamp =
    if not stamped then -1
    else
      let _, offset = numbers t ~src ~dst h in
      Syn_cookies.stamp ~clock:(Tcb.timestamp t.shared ~offset) h
  in
  let seq =
    Syn_cookies.make ~secret:t.secret ~now:t.shared.now ~local:dst ~local_port:h.dst_port
      ~remote:src ~remote_port:h.src_port h
  in
  l.cookie_at <- t.shared.now;
  t.shared.counters.tcp_cookies_sent <- t.shared.counters.tcp_cookies_sent + 1;
  t.reply ~src:dst ~dst:src
    {
      Segment.base with
      src_port = h.dst_port;
      dst_port = h.src_port;
      syn = true;
      seq;
      ack = Seq.add h.seq 1;
      window = Int.min 65_535 t.shared.config.receive_buffer;
      mss;
      window_scale = (if stamped && h.window_scale >= 0 then Tcb.window_scale t.shared else -1);
      sack_permitted = stamped && sack && h.sack_permitted;
      ece = stamped && ecn <> Off && h.ece && h.cwr;
      ts_val = stamp;
      ts_ecr = (if stamped then h.ts_val else 0);
    }

(* §3.10.7.2, third step. An answered SYN always gets in, so the backlog is exceeded only by
   handshakes that were in progress when it filled. *)
let passive_open t (l : Tcb.listener) ~src ~dst ~mss (h : Segment.t) b ~data =
  Half_open.forget_finished l;
  if not (has_room t l) then
    t.shared.counters.tcp_syns_dropped <- t.shared.counters.tcp_syns_dropped + 1
  else if l.half_open_count >= Int.max l.backlog t.shared.config.max_half_open then
    if Syn_cookies.can_keep h then answer_by_cookie t l ~src ~dst ~mss h
    else t.shared.counters.tcp_syns_dropped <- t.shared.counters.tcp_syns_dropped + 1
  else
    let iss, ts_offset = numbers t ~src ~dst h in
    let c = half_open t l ~src ~dst ~mss ~iss ~ts_offset h in
    if l.half_open_count <= most_with_text then Tcp_receiver.keep c h b ~data;
    Tcb.want_output c

(* Keeps a SYN, for any address, unanswered until the user decides. A repeated SYN of the peer is
   ignored meanwhile. *)
let hold t (l : Tcb.listener) ~src ~dst ~mss (h : Segment.t) b ~data =
  Half_open.forget_finished l;
  if
    Int.max l.half_open_count (Queue.length l.accepted) >= l.backlog
    || not (make_room t && has_memory t)
  then t.shared.counters.tcp_syns_dropped <- t.shared.counters.tcp_syns_dropped + 1
  else
    let iss, ts_offset = numbers t ~src ~dst h in
    let c = half_open t l ~src ~dst ~mss ~iss ~ts_offset h in
    c.held <- true;
    if l.half_open_count <= most_with_text then Tcp_receiver.keep c h b ~data;
    Queue.push c l.accepted;
    Tcb.listener_ready l

let flooded t (l : Tcb.listener) = t.shared.now - l.cookie_at <= Syn_cookies.valid_for

let from_cookie t (l : Tcb.listener) ~src ~dst (h : Segment.t) =
  if flooded t l then
    Syn_cookies.check ~secret:t.secret ~now:t.shared.now ~local:dst ~local_port:h.dst_port
      ~remote:src ~remote_port:h.src_port h
  else None

(* Completes the handshake of [syn], which [h] answers. *)
let open_by_cookie t (l : Tcb.listener) ~src ~dst ~mss ~syn (h : Segment.t) b ~data =
  t.shared.counters.tcp_cookies_taken <- t.shared.counters.tcp_cookies_taken + 1;
  let _, ts_offset = numbers t ~src ~dst h in
  let c = half_open t l ~src ~dst ~mss ~iss:(Seq.add h.ack (-1)) ~ts_offset syn in
  Tcp_emit.syn_was_sent c;
  (* The echoed timestamp holds options, so it gives no round trip. *)
  match Tcp_input.segment c { h with ts_ecr = 0 } b ~data with
  | Done | Other_handshake -> ()
  | Reply_reset -> Tcp_resets.refuse t ~src ~dst h

(* An ACK without a connection may complete a handshake by cookie. Without room it is not answered:
   the peer's data will bring another ACK. Nor is one that fits no cookie: a peer whose first data
   were lost may have answered another SYN-ACK, which a forged SYN of the flood caused. A RST would end
   its connection; without an answer it sends the data again, and they fit. *)
let ack_of_cookie t (l : Tcb.listener) ~src ~dst ~mss (h : Segment.t) b ~data =
  match from_cookie t l ~src ~dst h with
  | None -> if not (t.stray () || flooded t l) then Tcp_resets.refuse t ~src ~dst h
  | Some syn -> if has_room t l then open_by_cookie t l ~src ~dst ~mss ~syn h b ~data

(* A flood may have made [c] with the address and port of an honest peer, which now sends the SYN or
   ACK [h]. The peer must not have to wait until [c] ends: a SYN is answered with a cookie, and an
   ACK with a cookie is accepted, as if [c] were not there. *)
let other_handshake t (c : Tcb.t) ~mss (h : Segment.t) b ~data =
  let src = c.remote and dst = c.local in
  let beside () =
    match Tcp_input.synchronised c h b ~data with
    | Reply_reset -> Tcp_resets.refuse t ~src ~dst h ~as_of:(Tcp_resets.stamped c)
    | Done | Other_handshake -> ()
  in
  match c.parent with
  | Some l when l.listening && flooded t l -> (
      if h.ack < 0 then
        if Syn_cookies.can_keep h then answer_by_cookie t l ~src ~dst ~mss h else beside ()
      else
        match from_cookie t l ~src ~dst h with
        | Some syn when has_room t l ->
            Tcb.close c None;
            open_by_cookie t l ~src ~dst ~mss ~syn h b ~data
        | Some _ -> ()
        | None -> beside ())
  | _ -> beside ()

(* §3.10.7.2 (LISTEN) and §3.10.7.1 (CLOSED). *)
let unconnected t ~src ~dst ~mss (h : Segment.t) b ~data =
  match (Tcp_listeners.listener_for t ~src ~src_port:h.src_port ~dst h.dst_port, t.interceptor) with
  | None, Some l when h.syn && h.ack < 0 && not (h.fin || h.rst) ->
      hold t l ~src ~dst ~mss h b ~data
  | None, _ -> if not (t.stray ()) then Tcp_resets.refuse t ~src ~dst h
  | Some l, _ ->
      if h.rst then ignore (t.stray () : bool)
      else if h.ack >= 0 && not h.syn then ack_of_cookie t l ~src ~dst ~mss h b ~data
      else if h.ack >= 0 then (if not (t.stray ()) then Tcp_resets.refuse t ~src ~dst h)
      else if h.syn && not h.fin then passive_open t l ~src ~dst ~mss h b ~data

open Weir_base
open Weir_wire
open Tcb

let counters t = t.shared.counters

(* IP and TCP of a segment with data. *)
let header t = Segment.shortest + if t.timestamps then 12 else 0
let headers t = header t + t.ip_header

let own t =
  if t.path == Path_state.none then t.path <- Path_state.create ~since:t.iss;
  t.path

(* What the link, a report and the peer allow, whatever a search has found. *)
let ceiling t =
  let { link_mtu; table; _ } = t.shared.paths in
  let told = if Paths.is_silent table t.remote then max_int else Paths.mtu table t.remote in
  Int.max 1 (Int.min t.mss_limit (Int.min (link_mtu t.remote) told - headers t))

let goal t =
  let { link_mtu; table; _ } = t.shared.paths in
  let mtu = Int.min (link_mtu t.remote) (Paths.mtu table t.remote) in
  Int.max 1 (Int.min (Int.min t.mss_limit t.path.cap) (mtu - headers t))

(* -- changing the length ---------------------------------------------------- *)

let data_end t = Seq.add t.snd_head (Send_queue.length t.snd)

(* The recovery that follows is no sign of congestion, and does not show whether an earlier one was
   spurious. *)
let cut ?(frames = false) t =
  let e = t.recovery in
  if not t.sack then Scoreboard.forget_duplicates t.board;
  if Scoreboard.cut t.board ~mss:t.mss ~data_end:(data_end t) ~frames then (
    e.tlp_end <- -1;
    e.tlp_due <- false;
    e.undone_upto <- t.snd_max;
    if (not t.sack) && e.phase = Open then e.recover <- t.snd_max;
    want_output t)

let set_mss t mss =
  let p = own t in
  p.since <- t.snd_una;
  t.mss <- mss;
  t.path_seen <- -1;
  Congestion.change_mss t.congestion mss;
  Scoreboard.set_bounds t.board ~mss ~buffer:t.shared.config.send_buffer

let begin_search t ~high =
  let p = own t in
  p.searching <- true;
  p.high <- high;
  p.high_untried <- true;
  p.tries <- 0;
  p.probe_end <- -1;
  t.path_seen <- -1

(* Other connections learn of the limit only after the longest segment was lost a third time while
   shorter ones passed: two timeouts may have been an outage. *)
let tell_others t =
  let { table; changed; _ } = t.shared.paths in
  if Paths.silent table ~now:t.shared.now t.remote ~mtu:(t.mss + headers t) then changed ()

let end_search t =
  let p = t.path in
  p.searching <- false;
  p.again_at <- t.shared.now + Paths.lifetime;
  if t.mss >= ceiling t then p.cap <- max_int
  else (
    (counters t).tcp_black_holes <- (counters t).tcp_black_holes + 1;
    tell_others t)

(* -- the search --------------------------------------------------------------- *)

(* Lengths of packets that links have. *)
let common =
  [ 17_914; 9_000; 8_166; 4_352; 2_002; 1_500; 1_492; 1_480; 1_460; 1_440; 1_420; 1_400; 1_280 ]

(* A gap that is not worth another probe. *)
let close_enough = 8

(* Between what passes and what does not: a common length near the middle, or the middle. *)
let candidate t ~low ~high =
  let p = t.path in
  if p.high_untried then high
  else
    let middle = (low + high + 1) / 2 in
    let off n = Int.abs (n - middle) in
    let nearer best mtu =
      let size = mtu - headers t in
      if size > low && size <= high && off size < off best then size else best
    in
    let best = List.fold_left nearer max_int common in
    if best < max_int then best else middle

let most_tries = 3

let failed t ~size =
  let p = t.path in
  p.probe_end <- -1;
  p.tries <- p.tries + 1;
  (* The longest was lost twice before. *)
  if p.high_untried then tell_others t;
  if p.high_untried || p.tries >= most_tries then (
    p.high <- size - 1;
    p.high_untried <- false;
    p.tries <- 0);
  cut t

let succeeded t ~size =
  let p = t.path and { link_mtu; table; changed; _ } = t.shared.paths in
  p.probe_end <- -1;
  p.tries <- 0;
  p.cap <- size;
  let mtu = size + headers t and limit = Int.min (link_mtu t.remote) (ceiling t + headers t) in
  if Paths.proved table ~now:t.shared.now t.remote ~mtu ~limit then changed ();
  set_mss t size

let size_of_probe p = Seq.diff p.Path_state.probe_end p.probe_from

(* Called for each segment that is sent during a search. *)
let search t =
  let p = t.path in
  if Seq.lt p.since t.snd_una then p.unproven <- false;
  if p.probe_end >= 0 && Seq.leq p.probe_end t.snd_una then succeeded t ~size:(size_of_probe p);
  p.high <- Int.min p.high (ceiling t);
  if p.probe_end < 0 && p.high - t.mss < close_enough && not (p.high_untried && p.high > t.mss) then
    end_search t

let probe_size t =
  let p = t.path in
  if
    p.searching && p.probe_end < 0 && (not p.unproven) && (not t.probe) && t.recovery.phase = Open
    (* Without SACK, duplicates must count again (RFC 6582 §3.2 step 1). *)
    && (t.sack || Seq.lt t.recovery.recover t.snd_una)
    && Scoreboard.lost t.board = 0
  then candidate t ~low:t.mss ~high:p.high
  else 0

let probe_sent t ~size =
  let p = t.path in
  (counters t).tcp_path_probes <- (counters t).tcp_path_probes + 1;
  p.probe_from <- t.snd_nxt;
  p.probe_end <- Seq.add t.snd_nxt size

let probe_timed_out t =
  let p = t.path in
  p.probe_end >= 0 && Seq.lt t.snd_una p.probe_end
  &&
  (failed t ~size:(size_of_probe p);
   true)

let probe_lost t =
  let p = t.path in
  p.probe_end >= 0
  &&
  let size = Scoreboard.lost_at t.board p.probe_from in
  size > 0
  &&
  let only = Scoreboard.newly_lost t.board = size in
  failed t ~size:(size_of_probe p);
  only

(* -- following the path -------------------------------------------------------- *)

let set_to_goal t =
  let mss = goal t in
  if mss <> t.mss then (
    let shorter = mss < t.mss and frames = t.most > t.mss in
    set_mss t mss;
    if shorter then (
      t.path.probe_end <- -1;
      cut t ~frames))

let search_again t =
  let most = ceiling t in
  if most > t.mss then begin_search t ~high:most
  else t.path.again_at <- t.shared.now + Paths.lifetime

let follow t =
  let p = t.path in
  if p.searching then search t
  else if p.cap < max_int && p.again_at <= t.shared.now then search_again t;
  set_to_goal t

(* -- reports --------------------------------------------------------------------- *)

let in_flight t seq =
  Seq.leq t.snd_una seq && Seq.lt seq t.snd_max && not (Scoreboard.sacked_at t.board seq)

(* More than ten segments acknowledged since the MSS changed: packets of this length pass, or did.
   Beyond 2 GB the difference is negative. *)
let passes t =
  let since = if t.path == Path_state.none then t.iss else t.path.since in
  let acked = Seq.diff t.snd_una since in
  acked < 0 || acked > 10 * t.mss

(* How many reports are followed at once. Each forged report can cost the retransmission of a
   segment, so further ones wait. *)
let most_at_once = 8
let worth_waiting = Time.s 60

let obey t ~mtu ~length =
  (counters t).tcp_path_reports <- (counters t).tcp_path_reports + 1;
  let { table; changed; _ } = t.shared.paths in
  if Paths.reported table ~now:t.shared.now t.remote ~mtu ~length then changed ();
  follow t

let wait t ~seq ~mtu ~length =
  let p = own t in
  if not (p.report_seq >= 0 && in_flight t p.report_seq) then (
    p.report_seq <- seq;
    p.report_mtu <- mtu;
    p.report_length <- length;
    p.report_at <- t.shared.now)

let ignored t = (counters t).tcp_path_ignored <- (counters t).tcp_path_ignored + 1

(* RFC 4821 §7.6.4: such a report lowers nothing, but it says what to try next. *)
let refuses_probe t ~seq ~mtu =
  let p = t.path in
  let size = mtu - headers t in
  p.probe_end >= 0 && Seq.leq p.probe_from seq && Seq.lt seq p.probe_end && size >= t.mss
  && size < size_of_probe p
  &&
  (p.probe_end <- -1;
   p.tries <- 0;
   p.high <- size;
   p.high_untried <- true;
   cut t;
   true)

let too_big t ~seq ~mtu ~length =
  match t.state with
  | (Established | Close_wait | Fin_wait_1 | Closing | Last_ack)
    when in_flight t seq && refuses_probe t ~seq ~mtu ->
      ()
  | (Established | Close_wait | Fin_wait_1 | Closing | Last_ack) when in_flight t seq ->
      follow t;
      (* The quoted packet may be a long frame, which a device has not cut yet. *)
      let probe = if t.path.probe_end >= 0 then size_of_probe t.path else 0 in
      let longest = Int.max t.mss probe + headers t in
      (* A report without an MTU about a packet longer than any sent now is out of date: the
         segments were cut since. *)
      let stale = mtu = 0 && length > longest and length = Int.min length longest in
      if stale || mtu >= length || (mtu > 0 && mtu < Paths.least t.remote && not (Ip.is_v4 t.remote))
      then ignored t
      else
        let p = own t in
        if passes t || p.obeyed >= most_at_once then wait t ~seq ~mtu ~length
        else (
          p.obeyed <- p.obeyed + 1;
          obey t ~mtu ~length)
  | _ -> ignored t

let report_counts t =
  let p = t.path in
  p.report_seq >= 0
  &&
  let seq = p.report_seq in
  p.report_seq <- -1;
  let before = t.mss in
  if in_flight t seq && t.shared.now - p.report_at < worth_waiting then
    obey t ~mtu:p.report_mtu ~length:p.report_length
  else ignored t;
  t.mss < before

(* The probe alone, or the segment of the report. *)
let explains_loss t =
  t.path != Path_state.none
  && (probe_lost t
     || t.path.report_seq >= 0
        && Scoreboard.is_lost_at t.board t.path.report_seq
        && report_counts t)

let first_is_probe t =
  let p = t.path in
  p.probe_end >= 0 && p.probe_from = t.snd_una
  &&
  (failed t ~size:(size_of_probe p);
   true)

(* -- black holes ------------------------------------------------------------------- *)

(* 1,024 bytes of data, as Linux tries first (RFC 4821 §7.2); then what every path carries. *)
let bases t = if Ip.is_v4 t.remote then [ 1_064; Paths.least_v4 ] else [ Paths.least_v6 ]

let suspect t =
  let head = Scoreboard.head_length t.board and before = t.mss in
  let shorter mtu = mtu - headers t < Int.min head t.mss in
  match List.find_opt shorter (bases t) with
  | None -> ()
  | Some mtu ->
      let p = own t in
      if not p.searching then begin_search t ~high:before;
      p.cap <- mtu - headers t;
      p.unproven <- true;
      p.high_untried <- true;
      set_to_goal t;
      (* One segment, as after any timeout. *)
      Congestion.pace t.congestion t.mss

let on_timeout t =
  if t.path != Path_state.none then ignore (probe_timed_out t : bool);
  if t.retries >= 2 && t.retries land 1 = 0 && t.snd_wnd > 0 then suspect t

(** BBR's model of the path (draft-ietf-ccwg-bbr-06 §5.5): the bandwidth and the round trip without
    queues, how much may be in flight, and what losses say of both. Rates are bytes per second,
    sizes bytes, times nanoseconds; {!unbounded} stands for the draft's Infinity. Names are the
    draft's. {!Bbr_phases} moves through the states, {!Bbr} sets pace and window. *)

open Weir_base

type state = Startup | Drain | Down | Cruise | Refill | Up | Probe_rtt

(** Which probe for bandwidth the arriving ACKs belong to. *)
type ack_phase = Acks_init | Refilling | Probe_starting | Probe_feedback | Probe_stopping

type t = {
  mutable state : state;
  mutable pacing_gain : int;  (** percent *)
  mutable cwnd_gain : int;  (** percent *)
  mutable pacing_rate : int;  (** 0 before the first round trip was measured *)
  (* Round trips. *)
  mutable next_round_delivered : int;
  mutable round_start : bool;
  mutable round_count : int;
  mutable drain_start_round : int;
  (* Bandwidth. *)
  mutable bw : int;  (** the least of the two below *)
  mutable max_bw : int;  (** of this probing cycle and the one before *)
  mutable max_bw_now : int;
  mutable max_bw_before : int;
  mutable bw_shortterm : int;
  mutable delivery_rate : int;  (** RS.delivery_rate *)
  (* Round trip. *)
  mutable min_rtt : int;
  mutable min_rtt_stamp : Time.t;  (** below 0 before the first ACK *)
  mutable probe_rtt_min_delay : int;
  mutable probe_rtt_min_stamp : Time.t;
  mutable probe_rtt_expired : bool;
  mutable probe_rtt_done_stamp : Time.t;  (** below 0 if not set *)
  mutable probe_rtt_round_done : bool;
  mutable idle_restart : bool;
  (* Bytes in flight. *)
  mutable inflight_longterm : int;
  mutable inflight_shortterm : int;
  mutable extra_acked_now : int;
  mutable extra_acked_before : int;
  mutable extra_acked_round : int;
  mutable extra_acked_interval_start : Time.t;
  mutable extra_acked_delivered : int;
  (* Losses. *)
  mutable bw_latest : int;
  mutable inflight_latest : int;
  mutable loss_round_delivered : int;
  mutable loss_round_start : bool;
  mutable is_loss_in_round : bool;
  mutable loss_seen : bool;  (** since the last ACK *)
  mutable loss_events_in_round : int;
  mutable in_recovery : bool;
  mutable prior_cwnd : int;
  (* The full pipe. *)
  mutable full_bw : int;
  mutable full_bw_count : int;
  mutable full_bw_now : bool;
  mutable full_bw_reached : bool;
  (* Probing for bandwidth. *)
  mutable ack_phase : ack_phase;
  mutable cycle_stamp : Time.t;
  mutable bw_probe_wait : int;
  mutable rounds_since_probe_up : int;
  mutable bw_probe_up_rounds : int;
  mutable bw_probe_up_acked : int;
  mutable probe_up_acked_per_inc : int;
  mutable is_bw_probe_sample : bool;
  mutable prev_probe_too_high : bool;
  mutable prev_probe_precautionary : bool;
  (* What an undone loss episode restores. *)
  mutable undo_state : state option;
  mutable undo_bw_shortterm : int;
  mutable undo_inflight_shortterm : int;
  mutable undo_inflight_longterm : int;
}

val unbounded : int
val beta_percent : int
val create : unit -> t

val start_round : t -> Congestion.ack -> unit
(** [start_round t a]: the round ends when data sent from now on are delivered. *)

val update_round : t -> Congestion.ack -> unit
val advance_max_bw_filter : t -> unit

val bdp : t -> initial:int -> int
(** [bdp t ~initial] is the estimated product of bandwidth and delay, [initial] before the first
    sample. *)

val inflight : t -> Congestion.t -> gain:int -> int
(** [inflight t c ~gain] is [gain] percent of {!bdp}, and enough for offloads and pipelining
    (§5.6.4.2). *)

val least_window : Congestion.t -> int
(** [least_window c] is MinPipeCwnd, four segments. *)

val target_inflight : t -> Congestion.t -> int
val inflight_with_headroom : t -> Congestion.t -> int

val extra_acked : t -> int
(** [extra_acked t] is by how much recent ACKs ran ahead of the bandwidth (§5.5.9). *)

val reset_full_bw : t -> unit
val reset_congestion_signals : t -> unit
val reset_shortterm_model : t -> unit
val save_cwnd : t -> Congestion.t -> unit
val restore_cwnd : t -> Congestion.t -> unit
val is_in_probe_bw : t -> bool

(** {1 At each ACK, in this order} *)

val update_latest_delivery_signals : t -> Congestion.ack -> unit
val update_congestion_signals : t -> Congestion.t -> Congestion.ack -> unit
val update_ack_aggregation : t -> Congestion.t -> Congestion.ack -> unit
val update_min_rtt : t -> Congestion.ack -> unit
val advance_latest_delivery_signals : t -> Congestion.ack -> unit
val bound_bw : t -> unit

(** {1 Losses} *)

val note_loss : t -> Congestion.t -> unit

val is_too_high : lost:int -> tx_in_flight:int -> sack:bool -> bool
(** [is_too_high ~lost ~tx_in_flight ~sack] is true if more than 2% of what was in flight is lost.
*)

val inflight_at_loss : tx_in_flight:int -> lost:int -> size:int -> int
(** [inflight_at_loss ~tx_in_flight ~lost ~size] is at which bytes in flight the losses crossed 2%,
    within the lost segment of [size] (§5.5.10.2). *)

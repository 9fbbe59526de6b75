(** What may change about the program's network, as options and time tables say it. *)

type rate =
  | Constant of { bps : int; queue : int option }
  | Trace of { name : string; trace : Weir_link.Delivery_trace.t; queue : int option }

type kind =
  | Refuse  (** connections are refused *)
  | Black_hole  (** they are not answered, and datagrams are dropped *)
  | Reset of int  (** after so many bytes *)
  | Stall of int  (** nothing passes after so many bytes *)
  | Dns of [ `Servfail | `Nxdomain | `Timeout ]  (** questions of names *)

type fault = { kind : kind; chance : float }
type what = Impair of Weir_link.Impairment.t | Rate of rate | Cut | Heal | Fault of fault
type t = { what : what; scope : Run_scope.t }

val parse : string -> string -> (t, string) result
(** [parse option value] reads the value of [--impair], [--rate] and [--fault], and [cut] and [heal]
    with a scope. A trace is read from its file. *)

val trace : string -> (t, string) result
(** [trace s] is a rate by the trace [FILE[/in|/out]]. *)

val times : string -> (Weir_base.Time.t * Weir_base.Time.t * t, string) result
(** [times s] reads [5s..8s[/in|/out][@WHERE]], for a cut. *)

val time : string -> (Weir_base.Time.t, string) result

val to_text : t -> string option
(** [to_text t] is what {!of_text} reads, in another process too; [None] for faults. *)

val of_text : string -> (t, string) result
val pp_kind : Format.formatter -> kind -> unit

val pp : Format.formatter -> t -> unit
(** [pp] prints [impair loss=0.02/in], say. *)

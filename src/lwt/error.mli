(** Why a call failed. *)

type lookup =
  [ Weir_drive.Lookup.failure | `No_service  (** neither TCP nor UDP has that service *) ]

type t =
  | Tcp of Weir_core.Tcp.error  (** the connection, or the attempt at one, failed *)
  | Closed_locally  (** the socket was closed, or shut down for writing, here *)
  | Port_in_use of int
  | No_free_port
  | Bad_address of string
  | Message_too_long of int  (** its length in bytes *)
  | Queue_full
  | Unsupported of string
      (** a feature, such as ["jumbo frames are"]: {!pp} adds "not supported by Weir" *)
  | Lookup_failed of lookup  (** a name was not resolved *)
  | Icmp of string  (** an ICMP error about a packet sent earlier *)

exception Error of t
(** Raised by channels, which do not return results, and by {!get}. *)

exception Wrong_domain of { owner : int; caller : int }
(** A call in domain [caller] used a host of domain [owner], or one of its sockets. Promises cannot
    be shared between domains, so the call did nothing. Make the call in [owner]
    ([Lwt_unix.send_notification] wakes its loop), or give each domain its own host. *)

val pp : Format.formatter -> t -> unit

val get : ('a, t) result Lwt.t -> 'a Lwt.t
(** [get p] is [p], rejected with {!exception-Error} instead of an [Error]. *)

type Weir_flow.Flow.flow_error += Weir of t

val to_flow : t -> Weir_flow.Flow.error
(** [to_flow e] is the matching error of {!Weir_flow.Flow} if there is one, else {!Weir}. *)

val check_port : int -> unit
(** [check_port p] checks a port to listen at.
    @raise Invalid_argument unless [p] is 1 to 65,535. *)

val of_open : what:string -> port:int -> [< `In_use | `No_port | `No_route | `Bad_address ] -> t
(** [of_open ~what ~port e] is the error for [port], or for the address [what], if it cannot be
    used. *)

(** Plays a {!Setting.t} and writes down what happens, to be drawn afterwards at any moment. *)

open Weir_base

type t

val run : Setting.t -> t
(** [run s] plays at most 10 minutes of a transfer, or a scenario to its end, and writes down the
    first 20,000 packets. *)

val hosts : t -> string list
val packets : t -> Recorder.packet array

val samples : t -> (int * Time.t * Weir_core.Tcp_info.t) list
(** [samples t] are host, time and state, one for each change that was seen of a connection: at most
    one connection a host, the one that began last. *)

val finish : t -> Time.t
val digest : t -> int
val frames : t -> int

val outcome : t -> string option
(** [outcome t] is why the play failed. *)

val delivered : t -> int
(** [delivered t] is how many bytes of a transfer came, all right and in order. *)

val line : t -> int -> string
(** [line t n] is packet [n] as [weir dump] prints it.
    @raise Not_found if there is none. *)

val fields : t -> int -> (string * string) list
(** [fields t n] are the decoded headers of packet [n], by the names of `weir dump --json`.
    @raise Not_found if there is none. *)

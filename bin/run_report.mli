(** What [weir run] tells about connections: a line for each that ends, a summary by destination, a
    document for programs and for the page. *)

module Record = Weir_gateway.Record

type t

val make :
  log:[ `None | `Text | `Json ] ->
  keep:bool ->
  names:(Ipaddr.t -> string option) ->
  own:Ipaddr.t list ->
  t
(** [make ~log ~keep ~names] remembers connections one by one if [keep], at most {!most_kept}.
    [names a] is the name by which the program knows [a]; [own] are the program's addresses. *)

val most_kept : int

(** {1 What happens} *)

val began : t -> Record.t -> unit
val ended : t -> Record.t -> unit

val set_fault : t -> Record.t -> Run_change.kind -> unit
(** [set_fault t r k] is told at the end of [r]. *)

val packet : t -> Run_packet.t -> Weir_link.Lane.fate -> unit
(** [packet t p fate] counts what became of a packet. *)

val all_sent : t -> there:(Ipaddr.t -> bool) -> bool
(** [all_sent t ~there] is whether no connection has anything left that the program sent to an
    address that is [there]. *)

(** {1 What is known} *)

val name : t -> Record.t -> string
(** [name t r] is [TCP example.org (192.0.2.1:80)], say, or [TCP 10.0.2.15:80 from 192.0.2.1]. *)

val describe : t -> Record.t -> string
(** [describe t r] is one line about [r], open or ended. *)

val key : t -> Record.t -> Run_packet.key

val number_of : Record.t -> string
(** [number_of r] is what [r] is called in captures and on the page. *)

type totals = {
  opened : int;
  open_now : int;
  failed : int;
  sent : int;  (** bytes *)
  received : int;
  lost : int;  (** packets that did not arrive as they were sent *)
}

val totals : t -> totals

val rtts : t -> int list
(** [rtts t] is the smoothed round-trip times of the open TCP connections that have one, as the
    program meets them, in nanoseconds; of at most 200. *)

val summary : t -> queues:(string * int * int) list -> unit
(** [summary t ~queues] prints a table on standard error. *)

val to_json : t -> Yojson.Safe.t
(** [to_json t] is a list of the connections that are remembered, in order of beginning. *)

val not_kept : t -> int
(** [not_kept t] is how many connections there were beyond. *)

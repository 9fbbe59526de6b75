(** Prints the bytes of one TCP stream of a capture. *)

(** The first stream between two endpoints, or the one of a number. *)
type which =
  | Numbered of int
  | Between of Weir_dissect.Conversations.endpoint * Weir_dissect.Conversations.endpoint

val which : which Cmdliner.Arg.conv
(** [N], or [ADDRESS:PORT,ADDRESS:PORT] in either order. *)

type format =
  | Text  (** lines with [> ] before the client's and [< ] before the server's *)
  | Json  (** an object for each piece, its bytes in hexadecimal *)
  | Raw of [ `Client | `Server ]  (** what that side sent, and nothing else *)

type t

val create : which -> format -> t

val add : t -> Weir_dissect.Dissection.t -> unit
(** [add t d] takes the packet if it is of the stream, and prints what it adds. *)

val finish : t -> unit
(** @raise Fail.Failed if there was no such stream, or if bytes of a [Raw] side are missing. *)

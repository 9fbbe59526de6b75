(** Prints the bytes of one TCP stream of a capture. *)

(** The stream with this number, or the first one between two endpoints. *)
type which =
  | Numbered of int
  | Between of Weir_dissect.Conversations.endpoint * Weir_dissect.Conversations.endpoint

val which : which Cmdliner.Arg.conv
(** [N], or [ADDRESS:PORT,ADDRESS:PORT] in either order. *)

type format =
  | Text  (** lines with [> ] before the client's and [< ] before the server's *)
  | Json  (** an object for each piece, its bytes in hexadecimal *)
  | Raw of [ `Client | `Server ]  (** only the bytes that side sent *)

type t

val create : which -> format -> t

val add : t -> Weir_dissect.Dissection.t -> unit
(** [add t d] prints the bytes that become known by [d], if [d] belongs to the stream. *)

val finish : t -> unit
(** @raise Fail.Failed if the capture has no such stream, or lacks bytes of a [Raw] side. *)

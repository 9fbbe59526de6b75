(** How connections end, between any two networks. *)

open Eio.Std

type net = [ `Generic ] Eio.Net.ty r

type t = {
  server : net;
  at : string;  (** the server's address, to the client *)
  client : net;
  sleep : float -> unit;
}

val address : string -> Eio.Net.Ipaddr.v4v6
(** [address a] is the IPv4 address written [a]. *)

val tcp : string -> int -> Eio.Net.Sockaddr.stream

val pair :
  t ->
  sw:Switch.t ->
  [ `Generic ] Eio.Net.stream_socket_ty r * [ `Generic ] Eio.Net.stream_socket_ty r
(** [pair w ~sw] are the server's and the client's end of a connection. *)

val text : int -> string

type ending = End | Reset

val ending : ending Alcotest.testable

val read_out : _ Eio.Flow.source -> string * ending
(** [read_out flow] is all that can be read, and how it ended. *)

val reset_after_fin : t -> unit
(** The peer sends, shuts down, and closes with our bytes unread: a reset after its FIN. *)

val cut_stream : t -> unit
(** The same where the window keeps part of the stream, and the FIN, on the peer's side. *)

val early_answer : t -> unit
(** A server that answers at once and closes on a request that it did not read. *)

val receive_shut : t -> unit
val all : (string * (t -> unit)) list

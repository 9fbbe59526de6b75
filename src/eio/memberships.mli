(** What {!Udp_options} says, done to a socket; the host's lock is held. *)

open Weir_core

val set :
  Stack.t -> now:Weir_base.Time.t -> Udp_sockets.socket -> 'a Eio.Net.Sockopt.t -> 'a -> bool
(** [set stack ~now s o v] is [false] if [o] is none of these options.
    @raise Eio.Io as {!Udp_options} says. *)

val get : Udp_sockets.socket -> 'a Eio.Net.Sockopt.t -> 'a option

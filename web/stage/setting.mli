(** What decides a play: its seed, the middle link, the settings of both hosts, the faults. A play
    is a function of it. *)

open Weir_base

type host = {
  congestion : string;  (** an algorithm of {!Weir_core.Config.default} *)
  sack : bool;
  delayed_ack : bool;
  nagle : bool;
}

type fault = Cut | Heal

type t = {
  scenario : string;  (** ["transfer"], ["short"], or one of [weir sim] *)
  seed : int;
  bytes : int;  (** of the transfer *)
  link : Weir_link.Impairment.t;  (** the middle link, from the client to the server *)
  back : Weir_link.Impairment.t option;  (** the way back; [None] is like [link] *)
  mtu : int;  (** of the middle link *)
  silent : bool;  (** too long packets are dropped without a report *)
  marks : Time.t option;  (** ECN: the backlog from which the middle link marks packets *)
  client : host;
  server : host;
  faults : (Time.t * fault) list;  (** of the middle link, in order of time *)
}

val default : t

val scenarios : (string * string) list
(** Names, and what they are in a line. *)

val of_string : string -> (t, string) result
(** [of_string s] reads [NAME=VALUE] parts joined by ["&"], all optional, such as
    ["seed=7&bytes=100000&link=loss=2%,delay=20ms&back=delay=80ms&mtu=1400&silent=1&marks=5&client.cc=reno&server.sack=0&cut=1.5&heal=3"].
    [marks] is in ms, [cut] and [heal] are seconds and may be repeated. The error is a sentence. *)

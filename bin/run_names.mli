(** The name server of [weir run]: it answers from a table, and asks the user's servers for other
    names. *)

type entry = string * Ipaddr.t
(** A name in small letters, without a dot at the end. *)

val of_option : string -> entry list
(** [of_option s] reads [NAME=ADDRESS], or the file [s], which is like /etc/hosts.
    @raise Fail.Usage if it cannot be read. *)

type t = {
  table : unit -> entry list;  (** as it is now *)
  servers : Ipaddr.t list;  (** the user's; each is asked if those before did not answer *)
  clock : Eio.Time.Mono.ty Eio.Resource.t;
  fails : Weir_wire.Dns.t -> [ `Servfail | `Nxdomain | `Timeout ] option;
      (** asked for each question: whether it is to fail *)
  heard : string -> Ipaddr.t list -> unit;
      (** called with a name and the addresses that an answer gives for it *)
}

val service : t -> net:_ Eio.Net.t -> Weir_gateway.Decision.service
(** [service t ~net] answers over UDP and TCP. What the table does not know is asked as it came, and
    the answer passed on as it is; without an answer it is a server failure. *)

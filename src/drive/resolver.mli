(** A stub resolver: asks recursive DNS servers (RFC 1034 §5.3.1, RFC 1035 §7) and keeps their
    answers. It does no input or output: the caller carries its messages and tells it the time.

    - Each message has a random identifier, random case in its name, and goes out from a socket of
      its own, whose port is random (RFC 5452 §9). An answer counts only if it comes from the server
      to that port and repeats identifier, question and case. After {!most_wrong} others on one
      socket, the server is asked by TCP.
    - Servers are asked in turn: first the next one after 1 s, in the second round after 2 s, in the
      third after 4 s. A late answer still counts. A server that did not answer is asked after the
      others for 30 s. The third round is plain: without EDNS and random case, for servers or
      middleboxes that drop what they do not know.
    - Messages allow answers of 1,232 bytes by EDNS(0) (RFC 6891). A server that does not understand
      it is asked without. A truncated answer is asked for again by TCP (RFC 7766), on a connection
      of its own.
    - Requests for the same name and type share one query. At most {!most_queries} are under way;
      others wait.
    - Names under [localhost] are answered here, and those under [invalid] and [onion] do not exist
      (RFC 6761 §6, RFC 7686 §2).

    Not supported: DNSSEC, TCP connections used several times, encrypted transports, multicast DNS.
*)

open Weir_base
open Weir_wire

type t

val create : random:Random.State.t -> t
(** [create ~random] has no servers. What [random] gives is public: see {!Weir_core.Public_random}.
*)

val set_servers : t -> ?search:Search_list.t -> Ipaddr.t list -> unit
(** [set_servers t ~search servers] makes [servers], at most {!most_servers}, the servers of [t],
    and [search] its search list (default: none). Cached answers are forgotten. Queries under way go
    on with the former servers. *)

val servers : t -> Ipaddr.t list
val search : t -> Search_list.t

val most_servers : int
(** 4 *)

val most_queries : int
(** 128 *)

val most_wrong : int
(** 16 *)

(** {1 Requests} *)

type failure =
  | No_name  (** the name does not exist *)
  | No_data  (** it has no record of the types asked for *)
  | Server_failure  (** all servers failed: SERVFAIL and the like *)
  | Refused
  | No_answer  (** no server answered in time *)
  | No_servers  (** there are none, or the resolver was stopped *)

type found = (Dns.Kind.t * Dns.record list) list

type progress =
  | Partly of found  (** one type is answered, with records, and others are not yet *)
  | Done of (found, failure) result  (** never [Ok []]; nothing follows *)

type request

val ask : t -> now:Time.t -> Dns.Kind.t list -> Dns.name list -> request
(** [ask t ~now kinds names] asks for the records of these types that the first of [names] has, then
    for those of the next if it has none, and so on: see {!Search_list.candidates}. Its progress
    comes by {!next}, sooner or later.
    @raise Invalid_argument if [kinds] is empty. *)

val cancel : t -> now:Time.t -> request -> unit
(** [cancel t ~now r] ends [r]: {!next} returns no more progress of it. Queries that no request
    needs end too. *)

val stop : t -> now:Time.t -> unit
(** [stop t ~now] ends every request with [No_servers]; there are no servers any more. *)

(** {1 Output} *)

type channel = int
(** A UDP socket with a port of its own, or a TCP connection. *)

type output =
  | Idle
  | Datagram of { channel : channel; server : Ipaddr.t; message : string }
      (** open a UDP socket at a new random port, connect it to [server] at port 53, and send *)
  | Stream of { channel : channel; server : Ipaddr.t; message : string }
      (** connect to [server] at port 53 by TCP, and write [message], which has its length before it
      *)
  | Close of channel
  | Progress of request * progress

val next : t -> output
(** [next t] removes and returns the next output. Call it until it is [Idle], after any other call.
*)

(** {1 Input} *)

val receive : t -> now:Time.t -> channel -> from:Ipaddr.t * int -> Bytes.t -> len:int -> unit
(** [receive t ~now c ~from b ~len] processes a datagram of [len] bytes in [b] that has come to [c].
    It ignores a datagram that does not answer the message sent. *)

val receive_stream : t -> now:Time.t -> channel -> Bytes.t -> len:int -> unit
(** [receive_stream t ~now c b ~len] processes the next [len] bytes of [c]. *)

val failed : t -> now:Time.t -> channel -> unit
(** [failed t ~now c] says that nothing more will come to [c], because the port is unreachable,
    there is no route, or the connection ended. *)

val tick : t -> now:Time.t -> unit
val deadline : t -> Time.t

val queries : t -> int
(** [queries t] is how many are under way or wait. *)

val is_idle : t -> bool
(** [is_idle t] is true if there are no queries and no outputs. *)

val cache : t -> Dns_cache.t

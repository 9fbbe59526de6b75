(** Two hosts send each other a stream, whatever the network does, and close. *)

open Weir_base

(** How the two ends finish. *)
type ending =
  | Both_shut  (** each shuts down its sending side when all is written, closes when all is read *)
  | Answer_after_end  (** the second writes only once the first's end of stream has come *)
  | Close_at_once  (** the first only writes, and closes at once; the second only reads *)

type plan = {
  seed : int;
  over_v6 : bool;  (** only with an MTU of 1,280 or more *)
  mtu : int;
  offload : bool;  (** the hosts' cards cut and join long frames *)
  configs : Weir_core.Config.t * Weir_core.Config.t;
  there : Weir_link.Impairment.t;
  back : Weir_link.Impairment.t;
  sizes : int * int;  (** bytes from the first to the second, and back *)
  most : int;  (** how much an application moves at a time *)
  ending : ending;
}

val plan : plan
(** 100,000 bytes each way over a perfect network. *)

type result = {
  took : Time.t;  (** virtual, from the call to connect until the last byte was read *)
  frames : int;
  digest : string;  (** of all frames and their times, if recorded *)
  world : World.t;
}

val run : ?record:bool -> ?check:bool -> ?limit:Time.t -> plan -> result
(** [run plan] compares every byte and waits until no connection is left on either host. It fails
    the test if that takes longer than [limit] (an hour) of virtual time. *)

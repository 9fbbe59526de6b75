(* What runs the stack of one life of a host. *)

open Weir_base

type t = {
  stack : Weir_core.Stack.t;
  sent : unit -> unit;  (** to be called after the stack was changed: sends what it has *)
  attach : mac:Macaddr.t -> Weir_link.Link.t -> cidr:string -> unit;  (** one more interface *)
  release : unit -> unit;  (** ends the host at once; idempotent *)
  eio : Weir_eio.host option;  (** if it is Eio's *)
}

type life = {
  sw : Eio.Switch.t;  (** ends with the life *)
  now : unit -> Time.t;  (** by the host's clock *)
  after : Time.t -> (unit -> unit) -> unit -> unit;
      (** [after ns f] calls [f ()] in [ns], outside any fiber, unless its result is called before
      *)
  random : Random.State.t;
  mac : Macaddr.t;
  config : Weir_core.Config.t;
  resolvers : Ipaddr.t list;  (** DNS servers *)
  search : string list;  (** domains *)
  names : (string * Ipaddr.t) list;  (** of the world's hosts *)
  link : Weir_link.Link.t;
  cidr : string;
  previous : Ipaddr.V4.t option;  (** what a DHCP server gave to the life before *)
}

type start = life -> t

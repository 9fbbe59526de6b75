(** [--publish]: ports of the machine whose connections and datagrams are for the program. *)

type t

val conv : t Cmdliner.Arg.Conv.t
(** [[ADDRESS:]PORT[:PORT][/udp]] *)

type socket

val open_all : t list -> socket list
(** [open_all l] listens at these ports, of both families unless an address says which.
    @raise Fail.Usage if a port is in use or not allowed. *)

type inside = { own : Ipaddr.t; gateway : Ipaddr.t }
(** The program's address and the gateway's, of one family. *)

val serve : sw:Eio.Switch.t -> insides:inside * inside -> Weir_gateway.inward -> socket list -> unit
(** [serve ~sw ~insides:(v4, v6) way sockets] carries on what comes, to the program's address of the
    client's family, until [sw] ends. The program sees the client's address, unless that is a
    loopback or link-local one or in the program's own network: then the gateway's. *)

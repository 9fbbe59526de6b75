(** Where a program run by [weir run] may go. *)

type rule
(** A network or a name, with a port or for all, that is allowed or denied. *)

val conv : [ `Allow | `Deny ] -> rule Cmdliner.Arg.conv
(** Parses [10.1.0.0/16], [10.1.2.3], [10.1.0.0/16:5432], [[fd00::/8]:443] and [:25], a port of
    every address; [example.com], [*.example.com:443], the addresses that the name server tells. *)

type t

val make : rule list -> t
(** [make rules]: the most specific rule that matches decides, that with the longest prefix, then
    that with a port; of equal ones the last. Without a rule all is allowed. *)

val allows : t -> names:string list -> Ipaddr.t -> port:int -> bool
(** [allows t ~names a ~port]: the name server has told [a] as an address of [names]. *)

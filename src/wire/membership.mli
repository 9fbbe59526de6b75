(** Membership of multicast groups: IGMP versions 1 to 3 over IPv4 (RFC 1112 appendix I, RFC 2236,
    RFC 9776) and MLD versions 1 and 2 over IPv6 (RFC 2710, RFC 9777). The messages of both have the
    same content.

    {v
     IGMP, all versions             +-- of a query of version 3, and of MLD's of version 2:
    +------+------+----------+      |
    | type | code | checksum |      +-------+------+-----------+-----------
    +------+------+----------+      | S QRV | QQIC | how many  | sources ...
    |         group          |      +-------+------+-----------+-----------
    +------------------------+
     MLD                             the newest report, of both
    +------+------+----------+      +------+------+----------+---+----------+
    | type |  0   | checksum |      | type |  0   | checksum | 0 | how many | records ...
    +------+------+----------+      +------+------+----------+---+----------+
    | max. delay  |    0     |       a record
    +-------------+----------+      +------+-----+----------+-------+-------------
    |     group, 16 bytes    |      | kind | aux | how many | group | sources ...
    +------------------------+      +------+-----+----------+-------+-------------
    v}

    Auxiliary data are ignored; no kind of record uses them. *)

(** RFC 9776 §4.2.15. *)
type kind = Is_include | Is_exclude | To_include | To_exclude | Allow | Block

type record = { kind : kind; group : Ip.t; sources : Ip.t list }

type query = {
  version : int;  (** 1 to 3 for IGMP, 1 or 2 for MLD *)
  max_response_ms : int;  (** milliseconds; 0 in IGMP version 1 *)
  about : Ip.t;  (** a group; {!Ip.any} or {!Ip.any_v6} for all *)
  from : Ip.t list;  (** only these sources of that group, if any *)
  robustness : int;  (** 0 if the query does not say *)
  interval_s : int;
}

type t =
  | Query of query
  | Report of { version : int; group : Ip.t }  (** of an old version: IGMP's 1 or 2, MLD's 1 *)
  | Leave of Ip.t  (** IGMP version 2; MLD calls it Done *)
  | Records of record list  (** of the newest version, at least one *)

val is_mld : int -> bool
(** [is_mld n] is true if [n] is a type of ICMPv6 that MLD uses. *)

val decode : pseudo:int -> v4:bool -> Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode ~pseudo ~v4 b ~off ~len] is the message of [len] bytes at [off]. [pseudo] is the sum of
    the pseudo-header, 0 for IGMP; -1 leaves the checksum unchecked. *)

val length : v4:bool -> t -> int

val emit : t -> pseudo:int -> v4:bool -> Bytes.t -> off:int -> unit
(** [emit t ~pseudo ~v4 b ~off] writes [length ~v4 t] bytes. *)

val all_hosts : Ip.t
(** 224.0.0.1, every host on the link. {!Ip.all_nodes} is the same for IPv6. *)

val is_reported : Ip.t -> bool
(** [is_reported g] is false for groups that nobody reports: {!all_hosts}, {!Ip.all_nodes}, and
    those of IPv6 with scope 0 or 1 (RFC 9777 §6). *)

val report_to : version:int -> Ip.t -> Ip.t
(** [report_to ~version g] is the destination of a report about [g]: [g] itself in older versions,
    224.0.0.22 or ff02::16 in the newest. *)

val leave_to : Ip.t -> Ip.t
(** [leave_to g] is the group of all routers of [g]'s family. *)

val pp : Format.formatter -> t -> unit

(** What becomes of a connection, of the datagrams of a pair, or of an echo request. *)

type reason = Weir_core.Icmp_error.reason =
  | Network
  | Host
  | Port
  | Prohibited
  | Code of int  (** See {!Weir_core.Icmp_error.reason}. *)

type service = {
  stream : [ `Generic | `Unix ] Eio.Net.stream_socket_ty Eio.Resource.t -> unit;
      (** serves a connection, which is closed afterwards *)
  datagram : Bytes.t -> Bytes.t option;  (** the answer to a datagram; it may wait *)
}
(** A server in this process. It may raise [Eio.Io] and [End_of_file]. *)

type t =
  | To of Ipaddr.t * int  (** carry it on to that address and port *)
  | Refuse  (** TCP: a RST. UDP: port unreachable. ICMP: prohibited *)
  | Drop  (** no answer *)
  | Unreachable_for of reason  (** an ICMP error *)
  | Serve of service  (** an echo request is answered at once *)

type limit = {
  bytes : int;  (** so many pass *)
  counted : [ `Sent | `Received | `Both ];  (** in which direction, seen from the client *)
  then_ : [ `Reset | `Stall ];
      (** both sides are reset; or nothing passes any more, until the client ends *)
}
(** A fault of one connection. *)

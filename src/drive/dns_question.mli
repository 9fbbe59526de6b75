(** A question on its way to a server and back, and those that no server is asked. *)

open Weir_wire

val random_case : Random.State.t -> Dns.name -> Dns.name
(** [random_case random name] is [name], each letter in upper or lower case. A server repeats it,
    and a forger does not know it. *)

val restore : asked:Dns.name -> sent:Dns.name -> Dns.record -> Dns.record
(** [restore ~asked ~sent r] is [r] of an answer to [sent], {!random_case} of [asked]. Names in it
    that end as [sent] does, in its case, get the case of [asked]: the server has pointed to the
    question. *)

val for_stream : string -> string
(** [for_stream message] is [message] after its length (RFC 1035 §4.2.2). *)

val answer_here : Dns.name -> Dns.Kind.t -> (Dns.record list, [ `No_data | `No_name ]) result option
(** [answer_here name kind] is the answer to what no server is asked: [localhost] and the names
    under it are this host; those under [invalid] and [onion] do not exist (RFC 6761 §6, RFC 7686
    §2). *)

(** What a server's answer says about a question (RFC 1034 §4.3, RFC 2308 §2). *)

open Weir_wire

(** Times are seconds; [None]: the answer must not be kept (RFC 2308 §5). *)
type t =
  | Found of { records : Dns.record list; seconds : int }  (** of the type asked for *)
  | Alias of { target : Dns.name; links : int; seconds : int }
      (** the name is an alias, by [links] CNAME records, of [target], of which nothing is said *)
  | No_data of int option  (** the name exists, but has no such record *)
  | No_name of int option
  | Failed of failure

and failure =
  | Server_failure  (** also an answer that makes no sense: a loop of aliases, a referral *)
  | Refused
  | Not_understood  (** FORMERR, NOTIMP or BADVERS: the server may know an older form *)

val read : Dns.t -> Dns.name -> Dns.Kind.t -> t
(** [read answer name kind] is what [answer] says of [name]. Aliases are followed within the answer
    section, at most {!most_links}; records of other names there are ignored. *)

val most_links : int
(** 16 *)

val is_for : Dns.t -> id:int -> Dns.question -> bool
(** [is_for answer ~id question] is true if [answer] repeats this identifier and question, the name
    also by case (RFC 5452 §9.1). *)

val longest_seconds : int
(** A day. Answers are kept no longer, whatever the server says. *)

val longest_absence : int
(** An hour, for {!No_data} and {!No_name} (RFC 2308 §5). *)

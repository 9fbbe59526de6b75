(* What {!Resolver} keeps of a request, a query and a socket. *)

open Weir_base
open Weir_wire

type failure = No_name | No_data | Server_failure | Refused | No_answer | No_servers
type found = (Dns.Kind.t * Dns.record list) list
type progress = Partly of found | Done of (found, failure) result
type channel = int
type server = { address : Ipaddr.t; mutable late_until : Time.t }

type request = {
  kinds : Dns.Kind.t list;
  mutable names : Dns.name list;  (** to try after this one *)
  mutable left : int;  (** types that are not answered yet *)
  mutable found : found;
  mutable failure : failure;  (** the most serious so far *)
  mutable joined : query list;
  mutable over : bool;
}

and query = {
  name : Dns.name;
  kind : Dns.Kind.t;
  key : string;
  mutable servers : server array;  (** [[||]] while it waits *)
  mutable asked : Dns.name;  (** [name], or what it is an alias of *)
  mutable links : int;
  mutable seconds : int;  (** for which the aliases are valid *)
  mutable attempt : int;
  mutable current : int;  (** the channel of this attempt *)
  mutable due : Time.t;
  mutable struck : server list;  (** which said that they cannot answer *)
  mutable plain : server list;  (** which do not understand EDNS *)
  mutable why : failure;
  mutable channels : open_channel list;
  mutable requests : request list;
}

and open_channel = {
  number : channel;
  query : query;
  server : server;
  id : int;
  question : Dns.question;
  edns : bool;
  stream : bool;
  received : Buffer.t;
  mutable wrong : int;
}

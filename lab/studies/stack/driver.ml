(** The loads of the study, written for each driver in its style. *)

type transport = Tcp | Udp

type t = {
  memory :
    transport ->
    offload:bool ->
    bytes:int ->
    pcap:string option ->
    seen:(int -> unit) ->
    Reading.t list;
      (** between two hosts on a memory link with MTU 1500. Checksums are computed and verified.
          With [offload] they are not, and frames may be longer than the MTU. [pcap] records every
          frame of one host's link. The receiver of [Tcp] calls [seen] with the bytes received so
          far *)
  bulk : [ `In | `Out ] -> device:Space.device -> offload:bool -> bytes:int -> Reading.t list;
      (** over a device (see {!Space}): accepts one connection at {!Load.port} and takes everything,
          or sends [bytes]; says [ready] once it listens *)
  http : device:Space.device -> offload:bool -> unit;
      (** over a device: answers {!Load.page} at {!Load.http_port} and does not return; says [ready]
          once it listens *)
}

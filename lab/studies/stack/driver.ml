(** What the study asks of each driver: the same loads, written in its own style. *)

type transport = Tcp | Udp

type t = {
  memory :
    transport ->
    offload:bool ->
    bytes:int ->
    pcap:string option ->
    seen:(int -> unit) ->
    Reading.t list;
      (** between two hosts on a cable in memory with MTU 1500, where checksums are computed and
          verified, but with [offload] neither, and frames may be super-frames; [pcap] records every
          frame of one host's link; the receiver of [Tcp] calls [seen] with the bytes that it has so
          far *)
  bulk : [ `In | `Out ] -> device:Space.device -> offload:bool -> bytes:int -> Reading.t list;
      (** over a device (see {!Space}): accepts one connection at {!Load.port} and takes everything,
          or sends [bytes]; says [ready] once it listens *)
  http : device:Space.device -> offload:bool -> unit;
      (** over a device: answers {!Load.page} at {!Load.http_port} and does not return; says [ready]
          once it listens *)
}

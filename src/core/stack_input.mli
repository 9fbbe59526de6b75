(** What comes in: {!Stack} gives it frames, and it passes on their packets.

    A frame's way: Ethernet, ARP or IP, is the packet for this host, is it whole (else
    {!Reassembly}), and then by protocol to {!Tcp}, {!Datagrams}, {!Discovery} or {!Dhcp}. A router
    gives what is not for it to {!Forwarding}. Nothing is sent here: answers wait in the
    {!Control_queue}. *)

open Weir_base

val input : Stack_state.t -> now:Time.t -> interface:int -> Frame.t -> unit
(** [input] is {!Stack.input}. *)

val take : Stack_state.t -> now:Time.t -> Siblings.packet -> unit
(** [take] is {!Stack.take}. *)

val ipv4_input :
  Stack_state.t ->
  now:Time.t ->
  looped:bool ->
  link_group:bool ->
  verified:bool ->
  segment_size:int ->
  Bytes.t ->
  off:int ->
  len:int ->
  unit
(** [ipv4_input t ~now ~looped ~link_group ~verified ~segment_size b ~off ~len] processes the IPv4
    packet in these bytes of [b], which the caller keeps. [looped]: this host sent it to itself, and
    its destination is not looked at. [link_group]: its frame was a broadcast. [verified]: its
    transport checksum need not be. [segment_size] is as of {!Weir_base.Frame.t}. *)

val ip_input :
  Stack_state.t ->
  now:Time.t ->
  looped:bool ->
  link_group:bool ->
  verified:bool ->
  segment_size:int ->
  Bytes.t ->
  off:int ->
  len:int ->
  unit
(** [ip_input] is {!ipv4_input} for a packet of either family. *)

val tick : Stack_state.t -> now:Time.t -> unit
(** [tick t ~now] gives up the datagrams whose fragments did not all come in time, and tells their
    senders (RFC 1122 §3.3.2). *)

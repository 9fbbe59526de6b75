(** Programs for Lwt in simulated worlds: hosts of a {!Weir_sim.world} whose network is a
    {!Weir_lwt.host} on the world's virtual clock.

    {[
    Weir_sim.run ~seed:42 @@ fun world ->
    let lan = Weir_sim.lan world ~latency:(`Ms 20) ~loss:0.02 in
    let _server = Weir_sim_lwt.host world lan "10.0.0.1/24" ~main:my_server in
    let client = Weir_sim_lwt.host world lan "10.0.0.2/24" in
    Weir_sim_lwt.run client my_client
    ]}

    Everything is a function of the seed, as for hosts under Eio, which may be in the same world. A
    program must take its time from {!Weir_lwt.Host.clock}: [Lwt_unix.sleep], the system's sockets
    and files, and [Lwt_main.run] do not work in a world.

    Lwt has one queue of paused promises for the whole process. So worlds with hosts of this kind
    take turns if they run in several domains, and one cannot be made inside another, nor by a
    program that runs in [Lwt_main.run]. *)

type host

val host :
  ?name:string ->
  ?gateway:string ->
  ?config:Weir_core.Config.t ->
  ?pcap:string ->
  ?main:(Weir_lwt.host -> unit Lwt.t) ->
  Weir_sim.world ->
  Weir_sim.lan ->
  string ->
  host
(** [host w lan "10.0.0.1/24"] is {!Weir_sim.host} under Lwt. [main network] is its program: it
    begins when the calling fiber waits, and again after each {!Weir_sim.restart}; what it raises
    ends the run, and when it is resolved the host stays on. So does what goes to
    [Lwt.async_exception_hook]. Names of hosts that were made before resolve.

    A crash cancels [main], closes the network without sending anything and stops the host's clock:
    what its threads wait for fails or never comes, and what they raise then is ignored. *)

val sim : host -> Weir_sim.host
(** [sim h] is [h] for all that worlds do to hosts: {!Weir_sim.crash}, {!Weir_sim.partition},
    {!Weir_sim.pause} and so on. Its [net] raises [Invalid_argument]. *)

val network : host -> Weir_lwt.host
(** [network h] is the network of [h]'s present life.
    @raise Invalid_argument if [h] is off. *)

val run : host -> (Weir_lwt.host -> 'a Lwt.t) -> 'a
(** [run h f] is the value of [f (network h)], run by [h] as {!Weir_sim.call} does: the calling
    fiber waits. If the fiber is cancelled, so is the promise.
    @raise Weir_sim.Crashed if [h] crashes before that. *)

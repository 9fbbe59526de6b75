(** Worlds of hosts and links under one virtual clock and one seed.

    An ordinary Eio program, one that takes its network and clock as arguments, runs in a world
    unmodified: on Weir's own TCP/IP, over a network that loses, delays and reorders frames and has
    partitions, while hosts crash and restart. Time is virtual and skips all waiting, so hours of
    virtual time take moments. Everything that happens is a function of the seed, so a bug can be
    replayed.

    {[
    Weir_sim.run ~seed:42 @@ fun world ->
    let lan = Weir_sim.lan world ~latency:(`Ms 20) ~loss:0.02 in
    let a = Weir_sim.host world lan "10.0.0.1/24" and b = Weir_sim.host world lan "10.0.0.2/24" in
    Fiber.both (fun () -> my_server ~net:a.net) (fun () -> my_client ~net:b.net)
    ]}

    Direct use of the system is not controlled: its clock, its randomness, files, [Hashtbl] with
    randomised hashing. A fiber that waits for another domain, a thread or a file descriptor waits
    for ever or fails. Computation takes no virtual time. For a wide-area network use
    {!val-router}s, LANs joined by a {!val-trunk}, or slow paths between hosts ({!impair_path}). *)

type world
type lan
type trunk

type span = [ `Ns of int | `Us of int | `Ms of int | `S of int ]
(** A span of virtual time. *)

module Machine : sig
  type t
  (** The implementation of a {!type-host}. *)
end

type host = {
  name : string;
  address : Ipaddr.t;  (** the first of those that were given, 0.0.0.0 if none was *)
  addresses : Ipaddr.t list;  (** those that were given; {!val-addresses} are what it has now *)
  net : [ `Generic ] Eio.Net.ty Eio.Std.r;
      (** TCP and UDP of the host. It stays valid when the host crashes and restarts: see {!crash}.
          It resolves the names of the world's hosts. *)
  mono_clock : Eio.Time.Mono.ty Eio.Std.r;  (** virtual time, as this host measures it *)
  clock : float Eio.Time.clock_ty Eio.Std.r;  (** the time of day there *)
  random : Random.State.t;  (** random choices of the host's programs *)
  machine : Machine.t;
}

(** {1 Running} *)

(** The fate of a frame, as far as it is known when it goes to a port. *)
type fate = Lan.fate =
  | Entered of Weir_link.Lane.fate
  | Too_long  (** for a trunk's MTU *)
  | Forbidden  (** by a partition *)

type event =
  | Passing of fate  (** it goes to a port, or is lost *)
  | Arrived  (** at the host whose port it is *)

type sight = {
  at : Weir_base.Time.t;
  from : string;  (** the host of its source address *)
  to_ : string;  (** the port: a host's name, or ["a-b"] for a trunk of the LANs a and b *)
  frame : string;
  event : event;
}
(** What happens to a frame at a port of a switch. *)

module Failure = Failure

module Dhcp_server = Dhcp_server
(** A program for a host of a world. *)

module Dns_server = Dns_server
(** A program for a host of a world. *)

exception Failed of Failure.t
(** [Printexc.to_string] prints it as {!Failure.pp} does. *)

val run :
  ?seed:int ->
  ?time_limit:span ->
  ?event_limit:int ->
  ?shuffle:bool ->
  ?epoch:float ->
  ?offload:bool ->
  ?congestion:Weir_core.Congestion.algorithm ->
  ?trace:(string -> unit) ->
  ?trace_absolute:bool ->
  ?watch:(sight -> unit) ->
  ?pcap:string ->
  ?replay:(int -> string) ->
  (world -> 'a) ->
  'a
(** [run ~seed f] is [f world], where [world] has no hosts yet. [f] is the first fiber and belongs
    to no host. When it returns, the hosts' programs are cancelled and the hosts are switched off.

    - [seed] is by default the value of the environment variable [WEIR_SIM_SEED], or 1.
    - [time_limit] (default 1 h of virtual time) and [event_limit] (default 100,000,000 resumptions
      of fibers and timers) bound every run. A fiber that computes for ever without waiting is not
      stopped.
    - With [shuffle:true] (default [false]) the next fiber to run is chosen at random, except where
      Eio guarantees an order.
    - [epoch] is the time of day at the start, in seconds since 1970 (default: 1 January 2026).
    - With [offload:true] (default [false]) the interfaces of hosts cut long frames and join short
      ones, as network cards do: the wire carries the same frames, and the stacks see frames of up
      to 64 KB.
    - With [congestion] the connections of all hosts use this algorithm, whatever the hosts'
      settings prefer; a connection may still choose another of them.
    - [trace line] is called for each frame and each port it goes to. The line, without a newline,
      has virtual time, who sent it, to whom, the packet as {!Weir_wire.Dump} has it, and what the
      network did to it. TCP's sequence numbers are relative to the first of their connection; with
      [trace_absolute:true] (default [false]) they are those of the headers.
    - [watch] is given what [trace] is, with the frame itself, and each arrival at a host before the
      host sees the frame.
    - [pcap] is a file for all frames that reach a switch.
    - [replay seed] is the command that a failure shows; by default the command of this process,
      with [WEIR_SIM_SEED].

    @raise Failed
      if [f] or a program of a host raises, or if the run has to be stopped. Then everything is
      cancelled, and the failure lists what each fiber waited for.
    @raise Sys_error if [pcap] cannot be made.
    @raise Invalid_argument
      if [epoch] is not from 0 to 9e9, or if [WEIR_SIM_SEED] is used and is not a number. *)

val sweep :
  ?jobs:int ->
  ?shard:int * int ->
  ?stop:(unit -> bool) ->
  ?on_done:(seed:int -> Failure.t option -> unit) ->
  ?time_limit:span ->
  ?event_limit:int ->
  ?shuffle:bool ->
  ?offload:bool ->
  ?congestion:Weir_core.Congestion.algorithm ->
  ?replay:(int -> string) ->
  seeds:int * int ->
  (world -> unit) ->
  Failure.t list
(** [sweep ~seeds:(first, last) f] runs [f] with each of these seeds and returns the failures in
    order of seed. If [WEIR_SIM_SEED] is set, only this seed runs; the command that a failure shows
    sets it.
    - With [jobs] above 1 (the default) seeds run in as many domains at once; then the calls of [f]
      must share no mutable state; a large minor heap makes the sweep faster. Worlds share no state,
      so each run is the same as with one job.
    - [shard] [(i, n)] runs only the [i]th of [n] parts of the seeds, counted from 1: every [n]th
      seed. The parts may run on different machines.
    - [stop] is asked before each seed, by every domain: once it is true no other seed begins.
    - [on_done] is called after each seed, never by two domains at once.

    @raise Invalid_argument
      if [first > last], there is no such shard, or [WEIR_SIM_SEED] is no number. *)

val shard_runs : int * int -> seeds:int * int -> int
(** [shard_runs (i, n) ~seeds] is how many of [seeds] the [i]th of [n] shards has. *)

(** {1 The world} *)

val seed : world -> int

val random : world -> Random.State.t
(** [random w] is the world's generator for choices of [f]; each call returns the same one. *)

val now : world -> Weir_base.Time.t
(** [now w] is virtual time since the start, in nanoseconds. *)

val sleep : world -> span -> unit
(** [sleep w s] waits for [s] of virtual time. *)

val clock : world -> float Eio.Time.clock_ty Eio.Std.r
(** [clock w] is the true time of day in the world, without any host's skew or drift. *)

val mono_clock : world -> Eio.Time.Mono.ty Eio.Std.r
(** [mono_clock w] reads {!now}. *)

val digest : world -> int
(** [digest w] is a hash of all frames sent and received so far, with their times: equal runs have
    equal digests. *)

val frames : world -> int
(** [frames w] is how many frames hosts have sent. *)

val events : world -> int
(** [events w] is how many times a fiber was resumed or a timer fired. *)

val stacks : world -> (string * Weir_core.Stack.t option) list
(** [stacks w] is each host's name and the stack of its present life, to look at, in the order in
    which they were made. *)

val waiting : world -> string list
(** [waiting w] is one line for each suspended fiber: the function in which it waits. The fibers of
    the hosts' stacks are left out. *)

(** {1 The network} *)

val lan :
  ?name:string ->
  ?latency:span ->
  ?jitter:span ->
  ?loss:float ->
  ?bandwidth:int ->
  ?impairment:Weir_link.Impairment.t ->
  ?mtu:int ->
  ?pcap:string ->
  world ->
  lan
(** [lan w] is a switch. Every frame takes [latency] (default 100 µs) from a host to another, and at
    most [jitter] (0) more; is lost with probability [loss] (0); and shares [bandwidth] bits a
    second (unlimited) with others to the same host, queueing. [impairment] has these and more; the
    labels override its fields. It applies to frames on their way to each host; {!impair} changes
    one host's. [mtu] is 1500. [pcap] is a file for all frames that reach the switch.
    @raise Invalid_argument if {!Weir_link.Impairment.check} finds an error. *)

val trunk :
  ?latency:span ->
  ?jitter:span ->
  ?loss:float ->
  ?bandwidth:int ->
  ?impairment:Weir_link.Impairment.t ->
  ?mtu:int ->
  ?silent:bool ->
  lan ->
  lan ->
  trunk
(** [trunk a b] joins two LANs of one network, both ways alike, with labels as in {!val-lan}. [mtu]
    and [silent] are as for {!set_trunk_mtu}; without them every frame passes.
    @raise Invalid_argument if they are joined already, directly or through other LANs. *)

val set_trunk_mtu : ?silent:bool -> trunk -> int -> unit
(** [set_trunk_mtu t mtu] lets [t] carry packets of at most [mtu] bytes from now on. A router before
    it fragments longer IPv4 packets that allow it, and drops the others with a report to their
    sender ("fragmentation needed", Packet Too Big). With [silent:true] (default [false]) it drops
    them without a word.
    @raise Invalid_argument unless [mtu] is 576 to 65,535. *)

val set_trunk_marks : trunk -> span option -> unit
(** [set_trunk_marks t (Some s)] lets [t] mark packets of senders that use ECN (RFC 3168 §5) where
    they would wait for [s] or longer, as routers with a managed queue do; [None] undoes it. *)

val link : ?name:string -> world -> lan -> Weir_link.Link.t
(** [link w l] is a port of [l] for a program that is no {!type-host}: a stack under another driver,
    or a test that makes its own frames. It ignores the times given to it and never has a
    [deadline]. Its [name] (default ["link"]) appears in traces; {!partition} uses it for frames
    sent to this link. *)

val host :
  ?name:string ->
  ?gateway:string ->
  ?resolvers:Ipaddr.t list ->
  ?search:string list ->
  ?config:Weir_core.Config.t ->
  ?pcap:string ->
  ?main:(host -> unit) ->
  world ->
  lan ->
  string ->
  host
(** [host w lan "10.0.0.1/24"] is a host with that address and network, switched on; with commas
    between them it has several, of both families. With ["dhcp"] among them it asks a DHCP server
    for an IPv4 address, and with ["auto"] routers configure its IPv6 address: see {!driver} for
    waiting until it has one. After a crash it asks for the same address again, as a host does that
    keeps its lease in a file. It is called [name], by default its first address. [main h] is its
    program: it begins when the calling fiber waits, an exception that it raises ends the run, and
    when it returns the host stays on. [pcap] is a file for what the host sends and hears, over all
    its lives. The DNS servers [resolvers] are asked for names that no host of the world has, also
    in the domains [search] (default: none).
    @raise Invalid_argument
      if the address cannot be parsed or no host can have it, or another host has the address or the
      name. *)

(** For hosts under another driver than Eio's, as [weir-sim-lwt] makes them. *)
module Driver : sig
  type t = {
    stack : Weir_core.Stack.t;
    sent : unit -> unit;  (** must be called after a change of the stack: sends its output *)
    attach : mac:Macaddr.t -> Weir_link.Link.t -> cidr:string -> unit;  (** one more interface *)
    release : unit -> unit;  (** ends the host at once; idempotent *)
    eio : Weir_eio.host option;  (** if it is Eio's *)
  }
  (** What runs the stack of one life of a host. *)

  type life = {
    sw : Eio.Switch.t;  (** ends with the life *)
    now : unit -> Weir_base.Time.t;  (** by the host's clock *)
    after : Weir_base.Time.t -> (unit -> unit) -> unit -> unit;
        (** [after ns f] calls [f ()] in [ns], outside any fiber, unless its result is called before
        *)
    random : Random.State.t;
    mac : Macaddr.t;
    config : Weir_core.Config.t;
    resolvers : Ipaddr.t list;  (** DNS servers *)
    search : string list;  (** domains *)
    names : (string * Ipaddr.t) list;  (** of the world's hosts *)
    link : Weir_link.Link.t;
    cidr : string;  (** also "dhcp" and "auto", as for {!val-host} *)
    previous : Ipaddr.V4.t option;
        (** what a DHCP server gave to the life before: {!Weir_core.Dhcp_config.t} *)
  }
  (** What a life of a host begins with. *)

  type start = life -> t

  val host :
    ?name:string ->
    ?gateway:string ->
    ?config:Weir_core.Config.t ->
    ?pcap:string ->
    ?main:(host -> unit) ->
    world ->
    lan ->
    string ->
    start ->
    host
  (** [host w lan address start] is {!val-host}, but each life is begun by [start], in a fiber of
      the host. If the driver is not Eio's, [net] raises [Invalid_argument]. *)

  val daemon : world -> (unit -> [ `Stop_daemon ]) -> unit
  (** [daemon w f] runs [f ()] in a fiber of no host, which ends with the world. *)

  val at_end : world -> (unit -> unit) -> unit
  (** [at_end w f] makes the world call [f ()] when the run is over, also if it was stopped. *)

  val failed : world -> host:string -> exn -> Printexc.raw_backtrace -> unit
  (** [failed w ~host e bt] ends the run, as an exception of a program of [host] does. *)
end

val router :
  ?name:string ->
  ?gateway:string ->
  ?config:Weir_core.Config.t ->
  ?pcap:string ->
  ?main:(host -> unit) ->
  world ->
  (lan * string) list ->
  host
(** [router w [ (lan, "10.0.1.1/24"); (other, "10.0.2.1/24") ]] is a host in these LANs that
    forwards packets between them (RFC 1812, see {!Weir_core.Forwarding}). Hosts use it as their
    [gateway], or find it by what it {!advertise}s. It may crash, pause, be partitioned and have a
    program like every host. The first address is its {!type-host}[.address].
    @raise Invalid_argument as {!val-host}, or if there are fewer than two LANs, or one twice. *)

val attach : host -> lan -> string -> unit
(** [attach h lan "10.0.2.9/24"] puts [h] into another LAN too, in this life and those to come. Only
    a {!val-router} forwards packets between its LANs.
    @raise Invalid_argument as {!val-router}. *)

val route : host -> string -> gateway:string -> unit
(** [route h "10.0.3.0/24" ~gateway:"10.0.2.2"] sends packets of [h] for that network to that
    router, in this life and those to come.
    @raise Invalid_argument
      if one cannot be parsed, or the gateway is not in a LAN of [h]. If [h] is off, its next start
      raises this. *)

val advertise :
  ?every:span ->
  ?lifetime:span ->
  ?mtu:int ->
  ?hop_limit:int ->
  ?resolvers:Ipaddr.V6.t list ->
  ?search:string list ->
  host ->
  lan ->
  (string * span * span) list ->
  unit
(** [advertise r lan [ ("fd00:1::/64", preferred, valid) ]] makes the {!val-router} [r] tell hosts
    in [lan], in place of what it said before, to make addresses in these networks, with a preferred
    and a valid lifetime each time it says so (RFC 4861 §6.2): at once, when a host asks, and at
    least [every] (10 minutes). It is their default router for [lifetime] (30 minutes; 0: it is
    none). [mtu], [hop_limit] (64), the DNS servers [resolvers] and the domains [search] are told
    too. In this life and those to come. To renumber a network, advertise the old prefix with
    preferred lifetime 0 beside the new one.
    @raise Invalid_argument
      if a prefix cannot be read, [every] is not 1 s to 30 minutes, or [r] is not in [lan]. *)

val stop_advertising : host -> lan -> unit
(** [stop_advertising r lan] says that [r] is no router any more (RFC 4861 §6.2.5). *)

val unix_net : host -> [ `Generic | `Unix ] Eio.Net.ty Eio.Std.r
(** [unix_net h] is [h.net] for programs that ask for an [Eio_unix.Net.t]: see {!Weir_eio.unix_net}.
*)

val env :
  host ->
  < net : [ `Generic ] Eio.Net.ty Eio.Std.r
  ; clock : float Eio.Time.clock_ty Eio.Std.r
  ; mono_clock : Eio.Time.Mono.ty Eio.Std.r
  ; secure_random : Eio.Flow.source_ty Eio.Std.r
  ; domain_mgr : Eio.Domain_manager.ty Eio.Std.r
  ; debug : Eio.Debug.t
  ; backend_id : string >
(** [env h] is for programs that want an environment as [Eio_main.run] gives it. [secure_random] is
    a function of the seed; [domain_mgr] runs what it is given in the same domain. There are no
    files, processes or standard streams. *)

val spawn : host -> (unit -> unit) -> unit
(** [spawn h f] runs [f] as a fiber of [h] once the calling fiber waits: it stops when [h] pauses,
    is cancelled when [h] crashes, and ends the run if it raises.
    @raise Eio.Io [Connection_failure] if [h] is off. *)

val call : host -> (unit -> 'a) -> 'a
(** [call h f] returns or raises the outcome of [f ()], run as {!spawn} does. If the caller is
    cancelled, so is [f].
    @raise Crashed if [h] crashes before [f] ends. *)

exception Crashed
(** The exception that cancels the fibers of a host that crashes. *)

val addresses : host -> Ipaddr.t list
(** [addresses h] is the addresses of [h]'s first interface now, without link-local ones. Names of
    hosts resolve to them. *)

val driver : host -> Weir_eio.host option
(** [driver h] is the driver of the present life, to wait for a lease or an address
    ({!Weir_eio.await_lease}, {!Weir_eio.await_autoconf}) or to look at it; [None] while [h] is off.
    @raise Invalid_argument if it is not Eio's. *)

val stack : host -> Weir_core.Stack.t option
(** [stack h] is the stack of the present life, to look at (its counters, its connections); [None]
    while [h] is off. *)

val connections : host -> int
(** [connections h] is how many TCP connections [h] holds, in all states but CLOSED. *)

(** {1 Faults}

    All take effect at once; frames already in transit are not affected. *)

val crash : host -> unit
(** [crash h] switches [h] off at once. It sends no FIN or RST; connections and sockets are gone;
    its fibers are cancelled (a fiber protected from cancellation may go on, without a network).
    Calls of other hosts' fibers on its network fail. It does nothing if [h] is off. *)

val restart : host -> unit
(** [restart h] switches [h] on with the same address and clocks, a new stack, and its [main] from
    the start. If [h] is on, it crashes first. *)

val is_on : host -> bool

val pause : ?for_:span -> host -> unit
(** [pause h] stops all fibers of [h], and with them its stack, until {!resume} or for the time
    [for_]. Its clocks go on; at most 4,096 frames wait for it. *)

val resume : host -> unit
(** [resume h] ends a pause. It does nothing if [h] is not paused. *)

val set_drift : host -> ppm:int -> unit
(** [set_drift h ~ppm] makes both clocks of [h], and with them the timers of its TCP, gain [ppm] µs
    a second from now on, or lose them if [ppm] is negative.
    @raise Invalid_argument beyond 500,000 either way. *)

val set_skew : host -> span -> unit
(** [set_skew h s] puts [h]'s time of day [s] ahead of the true one. *)

val partition : ?one_way:bool -> host list -> host list -> unit
(** [partition a b] keeps all frames of hosts in [a] from those in [b], and, unless [one_way], the
    other way round. *)

val heal : host list -> host list -> unit
(** [heal a b] undoes {!partition}, both ways. *)

val heal_all : world -> unit
(** [heal_all w] undoes every partition. *)

val unplug : host -> unit
(** [unplug h] unplugs its cables: frames on them are lost. The host gets no notification. *)

val plug : host -> unit
(** [plug h] undoes {!unplug}. *)

val impair : ?outbound:Weir_link.Impairment.t -> ?inbound:Weir_link.Impairment.t -> host -> unit
(** [impair h] changes what happens to frames that [h] sends ([outbound], at first nothing) and that
    go to it ([inbound], at first as its LAN has it), from now on.
    @raise Invalid_argument if {!Weir_link.Impairment.check} finds an error. *)

val impair_path : host -> host -> Weir_link.Impairment.t -> unit
(** [impair_path a b i] applies [i], from now on, to frames from [a] on their way to [b], before the
    impairment of all frames to [b]. {!Weir_link.Impairment.none} undoes it.
    @raise Invalid_argument if {!Weir_link.Impairment.check} finds an error. *)

val impair_lan : lan -> Weir_link.Impairment.t -> unit
(** [impair_lan l i] applies [i] to frames on their way to every host of [l]. *)

val impair_trunk : ?back:Weir_link.Impairment.t -> trunk -> Weir_link.Impairment.t -> unit
(** [impair_trunk t i] applies [i] in both directions of [t], which is [trunk a b]; with [back], [i]
    applies from [a] to [b] only, and [back] from [b] to [a]. *)

val cut_trunk : trunk -> unit
(** [cut_trunk t] drops the frames on [t], and all that come until {!mend_trunk}. *)

val mend_trunk : trunk -> unit

type fault = [ `Crash | `Pause | `Unplug | `Partition | `One_way ]

val chaos : ?every:span -> ?lasting:span -> ?faults:fault list -> world -> host list -> 'a
(** [chaos w hosts] repeats: a random one of [faults] (default: all) for a random one of [hosts], or
    between two random groups of them; it is undone after at most [lasting] (default 10 s); the next
    follows after [every] (default 5 s) on average. It ends only when it is cancelled, and then
    undoes the last fault. Several calls at once make faults overlap. {!restart} undoes a crash, so
    hosts need a [main] to do anything afterwards; a host that is off already stays off. Undoing a
    fault also undoes the same fault if other code has caused it. Partitions need two hosts.
    @raise Invalid_argument if there is no host or no fault to do. *)

val counters : ?interface:int -> host -> outbound:bool -> Weir_link.Lane.counters
(** [counters h ~outbound] is the counters of the frames on one cable of [h], that of [interface]
    (default 0, the first): of sent frames if [outbound], else of received ones. *)

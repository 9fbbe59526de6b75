(** The methods of a server with their handlers. *)

(** {1 For any driver} *)

type 'run entry
(** A method with a function from its decoded request to a ['run], which a driver runs. *)

val entry : ('request, 'response) Method.t -> ('request -> 'run) -> 'run entry
val download : ('request, 'response) Method.download -> ('request -> 'run) -> 'run entry

val streamed : ('request, 'response) Method.t -> Method.shape -> 'run -> 'run entry
(** [streamed m shape run] has no request before the stream: [shape] is [Up] or [Both]. *)

type 'run t

val of_entries : 'run entry list -> 'run t
(** @raise Invalid_argument if two methods have one name. *)

val prepare : 'run t -> Method.shape -> string -> Weir_flow.Slice.t -> ('run, Failure.t) result
(** [prepare t shape name request] decodes the request for the method [name]. *)

type 'run step =
  | Run of { id : int; timeout_us : int; name : string; run : 'run }
      (** to be answered once, with {!Callee.reply} or {!Callee.fail} *)
  | Cancel of int  (** as {!Callee.Cancel} *)
  | Stream  (** as {!Callee.Stream} *)
  | Nothing

val input : 'run t -> Callee.t -> Weir_flow.Slice.t -> ('run step, string) result
(** [input t callee frame] is {!Callee.input}. It answers calls that cannot be run. *)

val received : 'a Weir_message.Codec.t -> string -> 'a
(** [received codec message] is a message of a stream of requests.
    @raise Failure.Failed with [Undecodable]. *)

val given_up : unit -> 'a
(** [given_up ()] fails a use of a stream whose call is over or was cancelled.
    @raise Failure.Failed with [Cancelled]. *)

val too_long : int -> 'a
(** [too_long n] fails a call that sent a message of more than [n] bytes in its stream of responses.
    @raise Failure.Failed with [Too_large]. *)

(** {1 In direct style}

    Handlers may wait, and may raise {!Failure.Failed} to answer with a failure. They may use their
    streams until they return: [receive ()] waits for the next message, [None] at the end; [send v]
    waits until the client has space for it. If the call was cancelled, both raise {!Failure.Failed}
    with [Cancelled]. *)

type handler =
  | Handler : ('request, 'response) Method.t * ('request -> 'response) -> handler
  | Download :
      ('request, 'response) Method.download * ('request -> ('response -> unit) -> unit)
      -> handler  (** [f request send] *)
  | Upload :
      ('request, 'response) Method.upload * ((unit -> 'request option) -> 'response)
      -> handler  (** [f receive] *)
  | Exchange :
      ('request, 'response) Method.exchange
      * ((unit -> 'request option) -> ('response -> unit) -> unit)
      -> handler  (** [f receive send] *)

type pipe = { take : unit -> string option; put : string -> unit }
(** The streams of one call, as a driver provides them: messages as bytes. *)

val no_pipe : pipe

type direct = pipe -> Weir_message.Output.t -> unit
(** [direct pipe] calls the handler and returns a function that appends the response. *)

val make : handler list -> direct t
(** @raise Invalid_argument as {!of_entries}. *)

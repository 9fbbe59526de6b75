(** What a server offers: methods with what answers them. *)

(** {1 For any driver} *)

type 'run entry
(** A method whose decoded request becomes a ['run], which a driver runs. *)

val entry : ('request, 'response) Method.t -> ('request -> 'run) -> 'run entry

type 'run t

val of_entries : 'run entry list -> 'run t
(** @raise Invalid_argument if two methods have one name. *)

val prepare : 'run t -> string -> Weir_flow.Slice.t -> ('run, Failure.t) result
(** [prepare t name request] decodes the request for the method [name]. *)

type 'run step =
  | Run of { id : int; timeout_us : int; name : string; run : 'run }
      (** to be answered once, with {!Callee.reply} or {!Callee.fail} *)
  | Cancel of int  (** as {!Callee.Cancel} *)
  | Nothing

val input : 'run t -> Callee.t -> Weir_flow.Slice.t -> ('run step, string) result
(** [input t callee frame] is {!Callee.input}; calls that cannot be run are answered. *)

(** {1 In direct style} *)

type handler =
  | Handler : ('request, 'response) Method.t * ('request -> 'response) -> handler
      (** The function may wait, and may raise {!Failure.Failed} to answer with a failure. *)

type direct = unit -> Weir_message.Output.t -> unit
(** Calls the handler; what that returns writes the response. *)

val make : handler list -> direct t
(** @raise Invalid_argument as {!of_entries}. *)

(** The options that record a link's frames, and the link that does so. *)

type t = {
  file : string;
  snaplen : int;  (** bytes kept of a frame *)
  rotation : Weir_link_unix.Capture_files.rotation option;
}

val whole : string -> t
(** [whole file] is every frame whole, in one file. *)

type options

val term : docs:string -> options Cmdliner.Term.t

val chosen : options -> t option
(** [chosen o] is what the options say, [None] if nothing is to be recorded.
    @raise Fail.Usage for options that do not go together. *)

val link :
  now:(unit -> Weir_base.Time.t) ->
  at_end:((unit -> unit) -> unit) ->
  notice:(string -> unit) ->
  t ->
  Weir_link.Link.t ->
  Weir_link.Link.t
(** [link ~now ~at_end ~notice t l] is [l], recorded until what [at_end] is given is called. That
    tells on standard error how many frames came faster than they could be written, and raises
    {!Fail.Failed} if writing failed; [notice] is told at once. A signal that would end the process
    does so when what was recorded is written.
    @raise Fail.Usage if the file cannot be made. *)

(** {1 Its parts} *)

val writer : notice:(string -> unit) -> header:string -> t -> Weir_link_unix.Capture_writer.t
(** [writer ~notice ~header t] begins the files, as {!link} does.
    @raise Fail.Usage as {!link}. *)

val finish : t -> Weir_link_unix.Capture_writer.t -> unit
(** [finish t w] closes [w], and tells or raises as {!link} does. *)

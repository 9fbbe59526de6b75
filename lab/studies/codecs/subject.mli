(** A codec with the study's message, and the tests of it. *)

type t = {
  name : string;
  bytes : int;  (** the message's length on the wire *)
  tests : (string * (unit -> unit)) list;  (** [read], [write], [rw] and others; one run each *)
  check : unit -> unit;
      (** raises [Failure] unless the message that is read equals the one written *)
}

val make :
  ?tests:('wire -> (string * (unit -> unit)) list) ->
  string ->
  value:'v ->
  write:('v -> 'wire) ->
  read:('wire -> 'v) ->
  length:('wire -> int) ->
  t
(** [make name ~value ~write ~read ~length] has the tests [read] (of [write value]), [write] (of
    [value]) and [rw] (both). [tests wire] are further tests. Values are compared structurally. *)

val only : string list -> t -> t
(** [only tests t] is [t] with only these tests. *)

val ok : string -> (Format.formatter -> 'e -> unit) -> ('v, 'e) result -> 'v
(** [ok name pp r] is the value of [r].
    @raise Failure on an error, with the subject's name. *)

val wrong : string -> string -> 'a
(** [wrong name what] raises [Failure]. *)

val keep : 'a -> unit
(** [keep v] is {!Weir_lab_harness.Measure.keep}. *)

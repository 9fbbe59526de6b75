(** The machine that reads field lines up to the empty one: header and trailer sections (RFC 9112
    §5). Strict: CRLF only, no folding, no space before the colon, no controls in values. It looks
    at each byte once, wherever the input is split. *)

type t

type step =
  | More  (** all of the input was looked at *)
  | Field  (** {!name} and {!value} are the next field *)
  | End  (** the empty line was consumed *)
  | Failed  (** see {!error}; all later steps fail too *)

val create : Limits.t -> t

val start : t -> Input.t -> message:int -> unit
(** [start t input ~message] begins a section at the head of [input], of a message that began at
    stream position [message]. *)

val step : t -> Input.t -> step
val name : t -> string

val value : t -> string
(** [value t] is without the blanks around it. *)

val error : t -> Error.t
(** Statuses 400 and 431. *)

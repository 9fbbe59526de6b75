(** A method, typed: what client and server agree on. *)

type ('request, 'response) t = {
  name : string;  (** by which the server finds it, at most {!max_name} bytes *)
  request : 'request Weir_message.Codec.t;
  response : 'response Weir_message.Codec.t;
}

val max_name : int
(** 1,024 *)

val make :
  string ->
  'request Weir_message.Codec.t ->
  'response Weir_message.Codec.t ->
  ('request, 'response) t
(** [make name request response]; a response that may be an error of a type of its own has the codec
    [Weir_message.Codec.result].
    @raise Invalid_argument if [name] is empty or too long. *)

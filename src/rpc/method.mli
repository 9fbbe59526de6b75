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

(** {1 With streams}

    Of any number of messages, each as the codec of its side has it. *)

(** One request; a stream of responses. *)
type ('request, 'response) download = Download of ('request, 'response) t [@@unboxed]

(** A stream of requests; one response, which may come before the stream's end. *)
type ('request, 'response) upload = Upload of ('request, 'response) t [@@unboxed]

(** A stream of requests and a stream of responses, at once. *)
type ('request, 'response) exchange = Exchange of ('request, 'response) t [@@unboxed]

(** How a call is done: a server refuses one that is done otherwise than its method is. *)
type shape = Single | Down | Up | Both

val shape_to_int : shape -> int
val shape_of_int : int -> shape option

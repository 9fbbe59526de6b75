(** A method: the name and types that client and server agree on. *)

type ('request, 'response) t = {
  name : string;  (** the server looks it up; at most {!max_name} bytes *)
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
(** [make name request response] is a method. For responses that may be errors of the program, use
    the codec [Weir_message.Codec.result].
    @raise Invalid_argument if [name] is empty or too long. *)

(** {1 With streams}

    A stream has any number of messages, of type ['request] or ['response]. *)

(** One request; a stream of responses. *)
type ('request, 'response) download = Download of ('request, 'response) t [@@unboxed]

(** A stream of requests; one response, which may come before the stream's end. *)
type ('request, 'response) upload = Upload of ('request, 'response) t [@@unboxed]

(** A stream of requests and a stream of responses, at once. *)
type ('request, 'response) exchange = Exchange of ('request, 'response) t [@@unboxed]

(** Which sides of a call are streams. A server refuses a call of another shape than its method's.
*)
type shape = Single | Down | Up | Both

val shape_to_int : shape -> int
val shape_of_int : int -> shape option

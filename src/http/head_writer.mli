(** Writes the heads of messages into the output. *)

(** How the body that follows is framed. *)
type framing =
  | Nothing  (** no framing field: no body, or a body that ends with the connection *)
  | Length of int
  | Chunked

val response :
  Output.t ->
  status:int ->
  headers:Http.Header.t ->
  date:string ->
  framing:framing ->
  connection:string ->
  bool
(** [response out ~status ~headers ~date ~framing ~connection] adds a head. It leaves out the
    framing and Connection fields of [headers]. It adds [Date] unless [date] is empty or [headers]
    has one, and [Connection] unless [connection] is empty. If a field name is not a token or a
    value has a control character, it adds nothing and is [false]. *)

val request :
  Output.t ->
  meth:Http.Method.t ->
  target:string ->
  host:string ->
  headers:Http.Header.t ->
  framing:framing ->
  connection:string ->
  bool
(** [request] is the same for a request. [target] must consist of {!Chars.target}. *)

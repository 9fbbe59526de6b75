(** Heads, serialised straight into the bytes to be sent. *)

(** How the body that follows is framed. *)
type framing =
  | Nothing  (** no framing field: a status without a body, or until the close *)
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
(** [response out ~status ~headers ~date ~framing ~connection] adds a head with these fields,
    [headers]' own framing and Connection fields left out, [Date] (unless [date] is empty or
    [headers] has one) and [Connection] (unless empty). If a name is not a token or a value has a
    control character it adds nothing and is [false]. *)

val request :
  Output.t ->
  meth:Http.Method.t ->
  target:string ->
  host:string ->
  headers:Http.Header.t ->
  framing:framing ->
  connection:string ->
  bool
(** [request] is the like for a request; [target] must hold bytes that a target may. *)

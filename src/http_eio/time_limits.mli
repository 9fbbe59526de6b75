(** Many time limits for the price of few timers: one fiber looks at all of them four times a
    second, so a limit may be up to that much late. A timer and a fiber for each wait would cost
    more than answering a small request. *)

type t

val create : sw:Eio.Switch.t -> clock:_ Eio.Time.Mono.t -> t

val http_timer : t -> Weir_http.Server.timer
(** [http_timer t] raises {!Weir_http.Server.Timed_out} in what took too long, by cancelling it. *)

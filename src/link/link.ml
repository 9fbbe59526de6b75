type readiness = Fd of Unix.file_descr | Notify of ((unit -> unit) -> unit)

type stats = {
  mutable rx_frames : int;
  mutable rx_bytes : int;
  mutable rx_dropped : int;
  mutable tx_frames : int;
  mutable tx_bytes : int;
  mutable tx_dropped : int;
}

let stats () =
  { rx_frames = 0; rx_bytes = 0; rx_dropped = 0; tx_frames = 0; tx_bytes = 0; tx_dropped = 0 }

class type t = object
  method mtu : int
  method readiness : readiness
  method receive : now:Weir_base.Time.t -> Frame.t
  method send : now:Weir_base.Time.t -> Frame.t -> unit
  method flush : unit
  method deadline : Weir_base.Time.t
  method stats : stats
  method close : unit
end

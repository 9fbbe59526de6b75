module Frame = Weir_base.Frame

type readiness = ..
type readiness += Notify of ((unit -> unit) -> unit)
type capability = { checksum : bool; longest : int }
type by_family = { v4 : capability; v6 : capability }
type capabilities = { send : by_family; receive : by_family; gathers : bool }

let no_capability = { checksum = false; longest = 0 }
let no_family = { v4 = no_capability; v6 = no_capability }
let header_length = 14
let longest_frame = 65_535 + header_length
let every = { checksum = true; longest = longest_frame }
let every_family = { v4 = every; v6 = every }
let all = { send = every_family; receive = every_family; gathers = false }
let none = { send = no_family; receive = no_family; gathers = false }

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

let received s (f : Frame.t) =
  s.rx_frames <- s.rx_frames + 1;
  s.rx_bytes <- s.rx_bytes + f.len

let complete_now (f : Frame.t) =
  ignore (Weir_wire.Transport.complete f.data ~off:f.off ~len:f.len : bool);
  Frame.set_checksum f Unverified

let[@inline] complete (f : Frame.t) = if f.checksum = Partial then complete_now f

let sent s (f : Frame.t) =
  s.tx_frames <- s.tx_frames + 1;
  s.tx_bytes <- s.tx_bytes + Frame.length f

let refuse s f =
  s.tx_dropped <- s.tx_dropped + 1;
  Frame.release f

class type t = object
  method mtu : int
  method capabilities : capabilities
  method readiness : readiness
  method row : int
  method receive : now:Weir_base.Time.t -> Frame.t
  method send : now:Weir_base.Time.t -> Frame.t -> unit
  method flush : unit
  method deadline : Weir_base.Time.t
  method stats : stats
  method carrier : bool
  method close : unit
end

class forward (inner : t) : t =
  object
    method mtu = inner#mtu
    method capabilities = none
    method readiness = inner#readiness
    method row = inner#row
    method receive ~now = inner#receive ~now
    method send ~now frame = inner#send ~now frame
    method flush = inner#flush
    method deadline = inner#deadline
    method stats = inner#stats
    method carrier = inner#carrier
    method close = inner#close
  end

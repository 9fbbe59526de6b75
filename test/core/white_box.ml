(* The user's calls of TCP on connections whose fields the tests read: the library's
   own name for them, and its one door to what is inside. *)

open Weir_core

module Tcp = struct
  include Tcp

  let inside = Private.tcb
  let c = Private.connection
  let shared = Private.shared
  let waits = Private.waits
  let iter f = iter (fun x -> f (inside x))
  let accept l = Option.map inside (accept l)

  let connect t ~local ~local_port ~remote ~remote_port ~mss =
    Result.map inside (connect t ~local ~local_port ~remote ~remote_port ~mss)

  (* Without the room for the IP header before it. *)
  let next_segment t b ~off =
    let n = next_segment t b ~off in
    Bytes.blit b (off + Weir_wire.Ip.header_length (last_dst t)) b off n;
    n

  let read x = read (c x)
  let with_unread x = with_unread (c x)
  let write x = write (c x)
  let write_string x = write_string (c x)
  let shutdown_send x = shutdown_send (c x)
  let shutdown_receive x = shutdown_receive (c x)
  let close t x = close t (c x)
  let abort t x = abort t (c x)
  let set_keepalive x = set_keepalive (c x)
  let set_nodelay x = set_nodelay (c x)
end

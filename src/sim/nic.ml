open Weir_link

let capacity = 4_096

(* The world's clock and not the host's decides when frames travel, so the times
   that the stack gives are not used. *)
let link world ~mtu ~inbox ~over ~send : Link.t =
  let stats = Link.stats () in
  object
    method mtu = mtu
    method capabilities = Link.none
    method readiness = Inbox.readiness inbox
    method row = 1

    method receive ~now:_ =
      let frame = Inbox.pop inbox in
      if frame != Frame.none then (
        Link.received stats frame;
        World.received world frame);
      frame

    method send ~now:_ frame =
      if !over || not (Inbox.is_open inbox) then Link.refuse stats frame
      else (
        Link.complete frame;
        Link.sent stats frame;
        World.sent world frame;
        send frame)

    method flush = ()
    method deadline = Weir_base.Time.never
    method stats = stats
    method carrier = Inbox.is_open inbox && not !over
    method close = Inbox.close inbox
  end

let link world ~mtu ~inbox ~over ~send =
  let wire = link world ~mtu ~inbox ~over ~send in
  if World.offload world then Gso.wrap wire else wire

let receive inbox frame = if Inbox.push inbox frame then Inbox.wake inbox else Frame.release frame

module Frame = Weir_base.Frame

let smallest_mtu = 68

let check_mtu mtu =
  if mtu < smallest_mtu then invalid_arg (Printf.sprintf "MTU %d is below %d" mtu smallest_mtu)

let end_ ~mtu ~offload ~own ~peer : Link.t =
  let stats = Link.stats () in
  let longest = if offload then Link.longest_frame else mtu + Link.header_length in
  object
    method mtu = mtu
    method capabilities = if offload then Link.all else Link.none
    method readiness = Inbox.readiness own
    method row = 1

    method receive ~now:_ =
      let frame = Inbox.pop own in
      if frame != Frame.none then Link.received stats frame;
      frame

    method send ~now:_ frame =
      if not offload then Link.complete frame;
      if frame.Frame.len <= longest && Inbox.is_open own && Inbox.push peer frame then
        Link.sent stats frame
      else Link.refuse stats frame

    method flush = Inbox.wake peer
    method deadline = Weir_base.Time.never
    method stats = stats
    method carrier = Inbox.is_open own && Inbox.is_open peer

    method close =
      Inbox.close own;
      Inbox.nudge peer
  end

let pair ?(mtu = 1500) ?queue ?(offload = false) () =
  let queue = Option.value queue ~default:(if offload then 512 else 4_096) in
  check_mtu mtu;
  let a = Inbox.create ~capacity:queue and b = Inbox.create ~capacity:queue in
  (end_ ~mtu ~offload ~own:a ~peer:b, end_ ~mtu ~offload ~own:b ~peer:a)

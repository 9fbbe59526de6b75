module Frame = Weir_base.Frame
module Mac = Weir_wire.Mac

type port = {
  number : int;
  inbox : Inbox.t;
  stats : Link.stats;
  mutable waits : bool;  (** whether the port is in [waiting] *)
}

type t = {
  mtu : int;
  queue : int;
  learning : bool;
  table : Mac_table.t;
  lock : Mutex.t;  (** held while a frame is switched: ports may be in several domains *)
  mutable ports : port option array;  (** by number; a closed port's number is given out again *)
  mutable waiting : int array;  (** numbers of the ports to wake at the next flush *)
  mutable waiting_count : int;
}

let create ?(learning = true) ?(mtu = 1500) ?(queue = 4096) ?table () =
  Memory.check_mtu mtu;
  if queue < 1 then invalid_arg "the queue must hold at least one frame";
  let table = Mac_table.create ?size:table () in
  {
    mtu;
    queue;
    learning;
    table;
    lock = Mutex.create ();
    ports = [||];
    waiting = [||];
    waiting_count = 0;
  }

let ports t = Array.fold_left (fun n p -> if Option.is_none p then n else n + 1) 0 t.ports

let deliver t port frame =
  if Inbox.push port.inbox frame then (
    if not port.waits then (
      port.waits <- true;
      t.waiting.(t.waiting_count) <- port.number;
      t.waiting_count <- t.waiting_count + 1))
  else (
    port.stats.rx_dropped <- port.stats.rx_dropped + 1;
    Frame.release frame)

(* Sends [frame] to all ports but [from]: the last one gets the frame itself. *)
let rec flood t ~from i frame =
  if i = Array.length t.ports then Frame.release frame
  else
    match t.ports.(i) with
    | Some port when port.number <> from ->
        if another t ~from (i + 1) then (
          deliver t port (Frame.copy frame.Frame.pool frame);
          flood t ~from (i + 1) frame)
        else deliver t port frame
    | _ -> flood t ~from (i + 1) frame

and another t ~from i =
  i < Array.length t.ports
  && match t.ports.(i) with Some p when p.number <> from -> true | _ -> another t ~from (i + 1)

let switch t ~now ~from (frame : Frame.t) =
  let dst = Mac.get frame.data frame.off and src = Mac.get frame.data (frame.off + 6) in
  if t.learning then Mac_table.learn t.table ~now src ~port:from;
  let known =
    if (not t.learning) || Mac.is_group dst then -1 else Mac_table.find t.table ~now dst
  in
  if known < 0 then flood t ~from 0 frame
  else
    match t.ports.(known) with
    | Some port when known <> from -> deliver t port frame
    | _ -> Frame.release frame (* both ends are behind the same port *)

(* Called without the lock, because the receiver may send at once. *)
let take_waiting t port =
  port.waits <- false;
  t.waiting_count <- t.waiting_count - 1;
  Array.blit t.waiting 1 t.waiting 0 t.waiting_count;
  Inbox.hand_over port.inbox

let rec wake t =
  Mutex.lock t.lock;
  if t.waiting_count = 0 then Mutex.unlock t.lock
  else
    match t.ports.(t.waiting.(0)) with
    | None -> Mutex.unlock t.lock
    | Some port ->
        let told = take_waiting t port in
        Mutex.unlock t.lock;
        if told then Inbox.nudge port.inbox;
        wake t

(* Another port may reuse the number; it must not be in [waiting] already. *)
let stop_waiting t number =
  let kept = ref 0 in
  for i = 0 to t.waiting_count - 1 do
    if t.waiting.(i) <> number then (
      t.waiting.(!kept) <- t.waiting.(i);
      incr kept)
  done;
  t.waiting_count <- !kept

let link t port : Link.t =
  object
    method mtu = t.mtu
    method capabilities = Link.none
    method readiness = Inbox.readiness port.inbox
    method row = 1

    method receive ~now:_ =
      let frame = Inbox.pop port.inbox in
      if frame != Frame.none then Link.received port.stats frame;
      frame

    method send ~now frame =
      let len = frame.Frame.len in
      if
        len < Link.header_length
        || len > t.mtu + Link.header_length
        || not (Inbox.is_open port.inbox)
      then Link.refuse port.stats frame
      else (
        Frame.check_owned frame;
        Link.complete frame;
        Link.sent port.stats frame;
        Mutex.lock t.lock;
        switch t ~now ~from:port.number frame;
        Mutex.unlock t.lock)

    method flush = wake t
    method deadline = Weir_base.Time.never
    method stats = port.stats
    method carrier = Inbox.is_open port.inbox

    method close =
      if Inbox.is_open port.inbox then (
        Inbox.close port.inbox;
        Mutex.protect t.lock @@ fun () ->
        stop_waiting t port.number;
        t.ports.(port.number) <- None;
        Mac_table.forget_port t.table port.number)
  end

let rec free_number t i =
  if i = Array.length t.ports || Option.is_none t.ports.(i) then i else free_number t (i + 1)

let port t =
  Mutex.protect t.lock @@ fun () ->
  let number = free_number t 0 in
  if number = Array.length t.ports then (
    let grown = max 8 (2 * number) in
    let extend a empty = Array.append a (Array.make (grown - number) empty) in
    t.ports <- extend t.ports None;
    t.waiting <- extend t.waiting 0);
  let inbox = Inbox.create ~capacity:t.queue in
  let port = { number; inbox; stats = Link.stats (); waits = false } in
  t.ports.(number) <- Some port;
  link t port

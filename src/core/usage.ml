type gauge = { used : int; limit : int }

type tcp = {
  connections : gauge;
  open_ : gauge;
  half_open : gauge;
  orphans : gauge;
  time_wait : gauge;
  accept_queues : gauge;
}

type t = {
  memory : gauge;
  tcp : tcp;
  udp_sockets : gauge;
  udp_queues : gauge;
  neighbours : gauge;
  neighbour_packets : gauge;
  reassembly : gauge;
  reassembly_bytes : gauge;
  paths : gauge;
  control_queue : gauge;
  echo_replies : gauge;
}

let rows t =
  [
    ("buffer memory, bytes", t.memory);
    ("connections", t.tcp.connections);
    ("  open", t.tcp.open_);
    ("  half-open", t.tcp.half_open);
    ("  orphans", t.tcp.orphans);
    ("  TIME-WAIT", t.tcp.time_wait);
    ("connections to be accepted", t.tcp.accept_queues);
    ("UDP sockets", t.udp_sockets);
    ("UDP queues, bytes", t.udp_queues);
    ("neighbours", t.neighbours);
    ("packets waiting for neighbours", t.neighbour_packets);
    ("incomplete datagrams", t.reassembly);
    ("their fragments, bytes", t.reassembly_bytes);
    ("narrow paths", t.paths);
    ("control packets to be sent", t.control_queue);
    ("echo replies to be read", t.echo_replies);
  ]

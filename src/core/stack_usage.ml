open Weir_base
open Stack_state

let udp_queues t =
  List.fold_left
    (fun ({ used; limit } : Usage.gauge) s : Usage.gauge ->
      { used = used + Udp_sockets.queued_bytes s; limit = limit + Udp_sockets.buffer s })
    { used = 0; limit = 0 }
    (Udp_sockets.to_list (Datagrams.sockets t.datagrams))

(* Of all interfaces. *)
let neighbour_usage t count limit =
  Array.fold_left
    (fun ({ used; limit = sum } : Usage.gauge) (i : Interface.t) : Usage.gauge ->
      { used = used + count i.neighbours; limit = sum + limit (Neighbours.config i.neighbours) })
    { used = 0; limit = 0 } (Routes.interfaces t.routes)

let count t : Usage.t =
  let budget = Tcp.budget t.tcp and fragments = Reassembly.config t.reassembly in
  {
    memory = { used = Budget.used budget; limit = Budget.limit budget };
    tcp = Tcp.usage t.tcp;
    udp_sockets = { used = Udp_sockets.length (Datagrams.sockets t.datagrams); limit = max_int };
    udp_queues = udp_queues t;
    neighbours = neighbour_usage t Neighbours.length (fun c -> c.max_entries);
    neighbour_packets = neighbour_usage t Neighbours.waiting (fun c -> c.max_waiting_total);
    reassembly = { used = Reassembly.length t.reassembly; limit = fragments.max_datagrams };
    reassembly_bytes = { used = Reassembly.bytes t.reassembly; limit = fragments.max_bytes };
    paths = { used = Paths.length t.paths; limit = Paths.most };
    control_queue = { used = Control_queue.length t.control; limit = Control_queue.longest };
    echo_replies = { used = Echoes.pongs t.echoes; limit = Echoes.most_pongs };
  }

open Stack_state

let rec tick_dhcp all ~now =
  match all with
  | [] -> ()
  | d :: rest ->
      Dhcp.tick d ~now;
      tick_dhcp rest ~now

let neighbour_action t ~now i (action : Outgoing.t Neighbours.action) =
  match action with
  | Request r -> Control_queue.push_neighbour t.control i r
  | Failed { address; packets } ->
      Discovery.unreachable t.discovery ~now i address;
      List.iter
        (fun (p : Outgoing.t) -> Stack_output.undeliverable t ~now p.frame ~dst:p.dst)
        packets

let tick_interface t ~now (i : Interface.t) =
  if Interface.deadline i <= now then List.iter (Dad.remove t.dad i) (Interface.expired i ~now);
  if Neighbours.deadline i.neighbours <= now then
    List.iter (neighbour_action t ~now i) (Neighbours.tick i.neighbours ~now)

let tick t ~now =
  advance t ~now;
  if Paths.deadline t.paths <= now && Paths.tick t.paths ~now then Routes.changed t.routes;
  Tcp.tick t.tcp;
  if Discovery.deadline t.discovery <= now then Discovery.tick t.discovery ~now;
  if Groups.deadline t.groups <= now then Groups.tick t.groups ~now;
  Array.iter (tick_interface t ~now) (Routes.interfaces t.routes);
  tick_dhcp t.dhcp ~now;
  Stack_input.tick t ~now

let interface_deadline (i : Interface.t) =
  Int.min (Interface.deadline i) (Neighbours.deadline i.neighbours)

let rec interfaces_deadline all n soonest =
  if n = Array.length all then soonest
  else interfaces_deadline all (n + 1) (Int.min soonest (interface_deadline all.(n)))

let rec dhcp_deadline all soonest =
  match all with
  | [] -> soonest
  | d :: rest -> dhcp_deadline rest (Int.min soonest (Dhcp.deadline d))

let deadline t =
  interfaces_deadline (Routes.interfaces t.routes) 0
    (dhcp_deadline t.dhcp
       (Int.min
          (Int.min (Tcp.deadline t.tcp) (Paths.deadline t.paths))
          (Int.min
             (Int.min (Reassembly.deadline t.reassembly) (Groups.deadline t.groups))
             (Discovery.deadline t.discovery))))

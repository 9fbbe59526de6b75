open Usage

type kinds = { mutable open_ : int; mutable half_open : int; mutable orphans : int }

let note kinds (c : Tcb.t) =
  match c.state with
  | Syn_received when Option.is_some c.parent -> kinds.half_open <- kinds.half_open + 1
  | _ when c.orphan -> kinds.orphans <- kinds.orphans + 1
  | _ -> kinds.open_ <- kinds.open_ + 1

let count (config : Config.t) connections ~time_waits listeners : Usage.tcp =
  let kinds = { open_ = 0; half_open = 0; orphans = 0 } in
  Connections.iter (note kinds) connections;
  let sum of_one =
    Hashtbl.fold
      (fun _ on_port n -> List.fold_left (fun n (l : Tcb.listener) -> n + of_one l) n on_port)
      listeners 0
  in
  let limit = config.max_connections in
  {
    connections = { used = Connections.length connections + time_waits; limit };
    open_ = { used = kinds.open_; limit };
    half_open =
      { used = kinds.half_open; limit = sum (fun l -> Int.max l.backlog config.max_half_open) };
    orphans = { used = kinds.orphans; limit };
    time_wait = { used = time_waits; limit = config.max_time_wait };
    accept_queues =
      { used = sum (fun l -> Queue.length l.accepted); limit = sum (fun l -> l.backlog) };
  }

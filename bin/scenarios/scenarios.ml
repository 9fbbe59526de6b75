let all =
  [
    Echoes.echo;
    Transfers.bulk;
    Transfers.site;
    Echoes.restart;
    Echoes.partition;
    Echoes.pause;
    Echoes.chaos;
    Routers.router_crash;
    Transfers.slow_reader;
    Echoes.many_clients;
    Flood.syn_flood;
    Narrow_paths.black_hole;
    Renumbering.renumbering;
    Happy_eyeballs.happy_eyeballs;
  ]

let find name = List.find_opt (fun (s : Scenario.t) -> s.name = name) all

type user_timeout = { limit : int; announced : bool }
type ecn = Off | Accept | Request
type keepalive = { idle : int; interval : int; probes : int }

type t = {
  send_buffer : int;
  receive_buffer : int;
  memory : int;
  rto_initial : int;
  rto_min : int;
  rto_max : int;
  delayed_ack : int;
  msl : int;
  orphan_timeout : int;
  orphan_lifetime : int;
  syn_retries : int;
  retries : int;
  keepalive : keepalive option;
  user_timeout : user_timeout option;
  nodelay : bool;
  timestamps : bool;
  sack : bool;
  ecn : ecn;
  congestion : Congestion.algorithm list;
  pacing : bool;
  max_connections : int;
  max_half_open : int;
  max_time_wait : int;
  dad_transmits : int;
  redirects : bool;
}

let default =
  let open Weir_base.Time in
  {
    send_buffer = 6 lsl 20;
    receive_buffer = 6 lsl 20;
    memory = 1 lsl 30;
    rto_initial = s 1;
    rto_min = ms 200;
    rto_max = s 60;
    delayed_ack = ms 40;
    msl = s 30;
    orphan_timeout = s 60;
    orphan_lifetime = s 120;
    syn_retries = 6;
    retries = 12;
    keepalive = None;
    user_timeout = None;
    nodelay = false;
    timestamps = true;
    sack = true;
    ecn = Accept;
    congestion = [ Cubic.algorithm; Reno.algorithm; Bbr.algorithm ];
    pacing = true;
    max_connections = 65_536;
    max_half_open = 1_024;
    max_time_wait = 16_384;
    dad_transmits = 0;
    redirects = false;
  }

(* A host's counters; names follow the SNMP MIBs (RFC 4293, RFC 4022) where
   they have one. Mutable because they are bumped on the packet path. *)

type t = {
  mutable ip_in : int;
  mutable ip_out : int;
  mutable ip_in_malformed : int;  (** not decodable: truncated, bad checksum, malformed *)
  mutable ip_in_not_ours : int;
  mutable ip_in_unknown_protocol : int;
  mutable ip_forwarded : int;
  mutable ip_forward_dropped : int;  (** not forwarded, for whatever reason: {!Forwarding} *)
  mutable icmp_in : int;
  mutable icmp_out : int;
  mutable icmp_in_malformed : int;
  mutable redirects_in : int;
  mutable redirects_followed : int;  (** see {!Redirects} *)
  mutable group_queries : int;  (** of IGMP and MLD *)
  mutable group_reports : int;  (** sent, also those that leave a group *)
  mutable udp_in : int;
  mutable udp_out : int;
  mutable udp_in_malformed : int;
  mutable udp_no_port : int;
  mutable udp_flows_dropped : int;  (** too many flows: see [Udp_sockets.intercept] *)
  mutable tcp_in : int;
  mutable tcp_out : int;
  mutable tcp_in_malformed : int;
  mutable tcp_out_resets : int;
  mutable tcp_active_opens : int;
  mutable tcp_passive_opens : int;
  mutable tcp_failed_opens : int;
  mutable tcp_retransmitted : int;
  mutable tcp_timeouts : int;
  mutable tcp_fast_retransmits : int;  (** episodes of fast recovery *)
  mutable tcp_tail_probes : int;
  mutable tcp_undone : int;  (** episodes undone as unnecessary *)
  mutable tcp_dsacks : int;
  mutable tcp_sacks_ignored : int;  (** invalid blocks, which no correct peer sends *)
  mutable tcp_ce_marks : int;  (** packets with data that a router marked (RFC 3168) *)
  mutable tcp_ecn_responses : int;  (** reductions of the window because the peer echoed a mark *)
  mutable tcp_out_of_order : int;
  mutable tcp_duplicate : int;
  mutable tcp_paws_dropped : int;
  mutable tcp_challenge_acks : int;
  mutable tcp_path_reports : int;  (** ICMP reports of too long segments that were followed *)
  mutable tcp_path_ignored : int;  (** and that were not: see {!Tcp_path} *)
  mutable tcp_black_holes : int;  (** paths that swallowed long segments without a report *)
  mutable tcp_path_probes : int;  (** longer segments sent to see whether they pass *)
  mutable tcp_syns_dropped : int;
  mutable tcp_cookies_sent : int;
  mutable tcp_cookies_taken : int;
  mutable tcp_no_memory : int;  (** segments dropped as the host's buffers were full *)
  mutable tcp_evicted : int;  (** connections reset to free memory: see {!Pressure} *)
  mutable dad_conflicts : int;  (** addresses that another host had already *)
  mutable handed_on : int;  (** packets that came for another host of the address: {!Siblings} *)
  mutable control_dropped : int;  (** replies not sent because their queue was full *)
}

let create () =
  {
    ip_in = 0;
    ip_out = 0;
    ip_in_malformed = 0;
    ip_in_not_ours = 0;
    ip_in_unknown_protocol = 0;
    ip_forwarded = 0;
    ip_forward_dropped = 0;
    icmp_in = 0;
    icmp_out = 0;
    icmp_in_malformed = 0;
    redirects_in = 0;
    redirects_followed = 0;
    group_queries = 0;
    group_reports = 0;
    udp_in = 0;
    udp_out = 0;
    udp_in_malformed = 0;
    udp_no_port = 0;
    udp_flows_dropped = 0;
    tcp_in = 0;
    tcp_out = 0;
    tcp_in_malformed = 0;
    tcp_out_resets = 0;
    tcp_active_opens = 0;
    tcp_passive_opens = 0;
    tcp_failed_opens = 0;
    tcp_retransmitted = 0;
    tcp_timeouts = 0;
    tcp_fast_retransmits = 0;
    tcp_tail_probes = 0;
    tcp_undone = 0;
    tcp_dsacks = 0;
    tcp_sacks_ignored = 0;
    tcp_ce_marks = 0;
    tcp_ecn_responses = 0;
    tcp_out_of_order = 0;
    tcp_duplicate = 0;
    tcp_paws_dropped = 0;
    tcp_challenge_acks = 0;
    tcp_path_reports = 0;
    tcp_path_ignored = 0;
    tcp_black_holes = 0;
    tcp_path_probes = 0;
    tcp_syns_dropped = 0;
    tcp_cookies_sent = 0;
    tcp_cookies_taken = 0;
    tcp_no_memory = 0;
    tcp_evicted = 0;
    dad_conflicts = 0;
    handed_on = 0;
    control_dropped = 0;
  }

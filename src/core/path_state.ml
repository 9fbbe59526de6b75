(* What a connection knows of its path, besides its MSS. Most connections share [none]. *)

open Weir_base

type t = {
  mutable since : Seq.t;  (** SND.UNA when the MSS last changed *)
  mutable obeyed : int;  (** reports that were followed at once *)
  (* A report that waits for a timer: RFC 5927 §7.2. *)
  mutable report_seq : Seq.t;  (** -1 if there is none *)
  mutable report_mtu : int;
  mutable report_length : int;
  mutable report_at : Time.t;
  (* The search without ICMP: RFC 4821. Sizes are MSSs. *)
  mutable cap : int;  (** the longest segment that is used; [max_int] unless a black hole was met *)
  mutable searching : bool;
  mutable unproven : bool;  (** nothing was acknowledged yet since the cap was set, at [since] *)
  mutable high : int;  (** the longest segment that may get through *)
  mutable high_untried : bool;
  mutable tries : int;  (** of this size *)
  mutable probe_from : Seq.t;
  mutable probe_end : Seq.t;  (** -1 if no probe is in flight *)
  mutable again_at : Time.t;  (** when to search again *)
}

let create ~since =
  {
    since;
    obeyed = 0;
    report_seq = -1;
    report_mtu = 0;
    report_length = 0;
    report_at = 0;
    cap = max_int;
    searching = false;
    unproven = false;
    high = 0;
    high_untried = false;
    tries = 0;
    probe_from = 0;
    probe_end = -1;
    again_at = 0;
  }

let none = create ~since:0

(* What a connection knows of ECN: see {!Ecn}. Connections without it share [off], which is never
   written. *)

type t = {
  requested : bool;  (** our only SYN asked for ECN *)
  on : bool;  (** both SYNs agreed on ECN *)
  mutable echo : bool;  (** segments that are sent have ECE *)
  mutable cwr_due : bool;  (** the next new data have CWR *)
  mutable cwr_end : Seq.t;  (** SND.MAX at the last reduction of the window, -1 if there was none *)
}

let off = { requested = false; on = false; echo = false; cwr_due = false; cwr_end = -1 }
let asked = { off with requested = true }
let create () = { off with on = true }

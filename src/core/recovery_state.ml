open Weir_base

type phase = Open | Fast | Timeout
type frto = No | Sent_first | Sent_new

type t = {
  prr : Prr.t;
  mutable phase : phase;
  mutable recover : Seq.t;
  mutable began : Seq.t;
  mutable reduced_at : Time.t;
  (* For undoing the episode if nothing was lost. *)
  mutable may_undo : bool;
  mutable first_again_at : Time.t;
  mutable again_end : Seq.t;
  mutable unproven : int;
  mutable undone_upto : Seq.t;
  mutable frto : frto;
  mutable partials : int;
  (* The tail loss probe. *)
  mutable tlp_end : Seq.t;
  mutable tlp_is_retrans : bool;
  mutable tlp_due : bool;
}

let create ~iss =
  {
    prr = Prr.create ();
    phase = Open;
    recover = iss;
    began = iss;
    reduced_at = 0;
    may_undo = false;
    first_again_at = Time.never;
    again_end = -1;
    unproven = 0;
    undone_upto = iss;
    frto = No;
    partials = 0;
    tlp_end = -1;
    tlp_is_retrans = false;
    tlp_due = false;
  }

(* D-SACKs for copies in flight now may still arrive. *)
let copies_out t =
  if t.phase <> Open then t.unproven else Bool.to_int (t.tlp_end >= 0 && t.tlp_is_retrans)

let enter t phase ~at ~snd_una ~recover =
  t.unproven <- copies_out t;
  t.phase <- phase;
  t.began <- snd_una;
  t.reduced_at <- at;
  t.recover <- recover;
  t.may_undo <- Seq.leq t.undone_upto snd_una;
  t.first_again_at <- Time.never;
  t.again_end <- -1;
  t.partials <- 0;
  t.tlp_end <- -1;
  t.tlp_due <- false

let impatient t = t.phase = Fast && t.partials > 1

let on_sent_again t ~upto ~now =
  if t.again_end < 0 then (
    t.again_end <- upto;
    t.first_again_at <- now);
  t.unproven <- t.unproven + 1

let needless t ~right =
  t.may_undo && t.unproven > 0 && Seq.lt t.began right
  &&
  (t.unproven <- t.unproven - 1;
   t.unproven = 0)

let on_advance t ~snd_una =
  (* Just behind SND.UNA, or the comparison would wrap after 2 GB. *)
  if Seq.lt t.undone_upto snd_una then t.undone_upto <- snd_una

let follow t ~snd_una =
  if t.phase = Open && Seq.lt t.recover snd_una then t.recover <- Seq.add snd_una (-1)

let leave t =
  t.phase <- Open;
  t.frto <- No;
  t.may_undo <- false

let undone t ~snd_max =
  t.undone_upto <- snd_max;
  leave t

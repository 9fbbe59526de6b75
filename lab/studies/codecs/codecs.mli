(** The codec study: one message through each codec, and through codecs of other languages, if the
    environment's [WEIR_PEERS] names the folder that [lab/peers/build] made. *)

val study : Weir_lab_harness.Study.t

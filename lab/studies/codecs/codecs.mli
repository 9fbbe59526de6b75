(** The codec study: reads and writes one message with each codec. It includes codecs of other
    languages if the variable [WEIR_PEERS] names the folder that [lab/peers/build] made. *)

val study : Weir_lab_harness.Study.t

(** Segmentation and receive offload in software, as Linux's GSO and GRO: for links whose device
    does neither, or to have in a test what a network card does. *)

val wrap : Link.t -> Link.t
(** [wrap inner] takes long frames and cuts them to segments for [inner], and joins those that
    [inner] gives, as far as they are there, into long ones. Its capabilities are {!Link.all}.
    Frames that need neither pass as they are. It owns [inner]. *)

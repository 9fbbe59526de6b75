(** Segmentation and receive offload in software, like Linux's GSO and GRO, for links whose device
    has neither, and for tests. *)

val wrap : Link.t -> Link.t
(** [wrap inner] accepts long frames and cuts them into segments for [inner]. It joins the segments
    that [inner] has ready into long frames. Its capabilities are {!Link.all}. Other frames pass
    unchanged. It owns [inner]. *)

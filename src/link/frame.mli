(** The frames that links carry: {!Weir_base.Frame}. *)

include module type of struct
  include Weir_base.Frame
end

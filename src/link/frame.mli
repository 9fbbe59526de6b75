(** {!Weir_base.Frame}, whose frames links carry. *)

include module type of struct
  include Weir_base.Frame
end

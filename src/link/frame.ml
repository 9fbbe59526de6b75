include Weir_base.Frame

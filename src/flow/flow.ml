class virtual reader =
  object
    method virtual read_into : Bytes.t -> off:int -> len:int -> int
  end

class virtual writer =
  object
    method virtual write : Bytes.t -> off:int -> len:int -> unit
  end

class virtual flow =
  object
    inherit reader
    inherit writer
  end

let read_into (r : #reader) b ~off ~len = r#read_into b ~off ~len
let write (w : #writer) b ~off ~len = w#write b ~off ~len
let write_string w s = write w (Bytes.unsafe_of_string s) ~off:0 ~len:(String.length s)

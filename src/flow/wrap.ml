type counter = {
  mutable bytes_in : int;
  mutable bytes_out : int;
  mutable reads : int;
  mutable writes : int;
}

let counter () = { bytes_in = 0; bytes_out = 0; reads = 0; writes = 0 }

let took c n =
  c.reads <- c.reads + 1;
  c.bytes_in <- c.bytes_in + n

let gave c n =
  c.writes <- c.writes + 1;
  c.bytes_out <- c.bytes_out + n

(* [copy_to] counts in the writer, so that the reader's fast path is kept. *)
let counting_writer c (w : Flow.writer) : Flow.writer =
  object
    inherit Flow.writer

    method write b ~off ~len =
      w#write b ~off ~len;
      took c len
  end

let count c (f : #Flow.flow) : Flow.flow =
  object
    inherit Flow.flow

    method read_into b ~off ~len =
      let n = f#read_into b ~off ~len in
      took c n;
      n

    method! read =
      let s = f#read in
      took c s.Slice.len;
      s

    method! copy_to w = f#copy_to (counting_writer c w)

    method write b ~off ~len =
      f#write b ~off ~len;
      gave c len

    method! writev slices =
      f#writev slices;
      gave c (List.fold_left (fun n (s : Slice.t) -> n + s.len) 0 slices)

    method! cast ty = f#cast ty
  end

let limit n (r : #Flow.reader) : Flow.reader =
  if n < 0 then invalid_arg "Wrap.limit";
  object
    inherit Flow.reader
    val mutable left = n

    method read_into b ~off ~len =
      if left = 0 then 0
      else begin
        let n = r#read_into b ~off ~len:(Int.min len left) in
        left <- left - n;
        n
      end
  end

let tee (r : #Flow.reader) (copy : #Flow.writer) : Flow.reader =
  object
    inherit Flow.reader

    method read_into b ~off ~len =
      let n = r#read_into b ~off ~len in
      if n > 0 then copy#write b ~off ~len:n;
      n

    method! read =
      let s = r#read in
      if s.Slice.len > 0 then copy#write s.bytes ~off:s.off ~len:s.len;
      s
  end

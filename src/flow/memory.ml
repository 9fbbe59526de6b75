let source ?(chunk = max_int) s : Flow.reader =
  if chunk < 1 then invalid_arg "Memory.source: chunk";
  let data = Bytes.unsafe_of_string s in
  let size = String.length s in
  object
    inherit Flow.reader
    val mutable pos = 0
    val view = Slice.empty ()

    method read_into b ~off ~len =
      let n = Int.min (Int.min len chunk) (size - pos) in
      Slice.blit data pos b off n;
      pos <- pos + n;
      n

    method! read =
      let n = Int.min chunk (size - pos) in
      Slice.set view data ~off:pos ~len:n;
      pos <- pos + n;
      view

    method! copy_to w =
      let start = pos in
      while pos < size do
        let n = Int.min chunk (size - pos) in
        w#write data ~off:pos ~len:n;
        pos <- pos + n
      done;
      size - start
  end

type sink = < Flow.writer ; contents : string ; length : int ; clear : unit >

let too_long max =
  Flow.fail (Flow.Too_long max) (fun ppf -> Format.fprintf ppf "more than %d bytes written" max)

let room = 4096

let sink ?(max = Sys.max_string_length) () : sink =
  object (self)
    inherit Flow.writer
    val mutable data = Bytes.create (Int.min max room)
    val mutable size = 0
    method contents = Bytes.sub_string data 0 size
    method length = size
    method clear = size <- 0

    method private grow want =
      if want > max - size then too_long max;
      let wanted = Int.max (size + want) (2 * Bytes.length data) in
      let larger = Bytes.create (Int.min max wanted) in
      Bytes.blit data 0 larger 0 size;
      data <- larger

    method write b ~off ~len =
      if len > Bytes.length data - size then self#grow len;
      Slice.blit b off data size len;
      size <- size + len

    method! writev slices =
      let total = List.fold_left (fun n (s : Slice.t) -> n + s.len) 0 slices in
      if total > Bytes.length data - size then self#grow total;
      List.iter (fun (s : Slice.t) -> self#write s.bytes ~off:s.off ~len:s.len) slices

    (* At [max] bytes it reads one more byte into another buffer, to see whether the stream has
       ended. *)
    method! copy_from r =
      let start = size in
      let rec go () =
        if size < max && size = Bytes.length data then self#grow 1;
        let left = Bytes.length data - size in
        if left = 0 then (if r#read_into (Bytes.create 1) ~off:0 ~len:1 > 0 then too_long max)
        else
          match r#read_into data ~off:size ~len:left with
          | 0 -> ()
          | n ->
              size <- size + n;
              go ()
      in
      go ();
      size - start
  end

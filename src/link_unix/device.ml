open Weir_link

external silence : Unix.file_descr -> unit = "weir_device_silence" [@@noalloc]

external read :
  Unix.file_descr -> Bytes.t -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_device_read_byte" "weir_device_read"
[@@noalloc]

external write :
  Unix.file_descr -> Bytes.t -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_device_write_byte" "weir_device_write"
[@@noalloc]

external read_offload :
  Unix.file_descr -> Bytes.t -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_device_read_offload_byte" "weir_device_read_offload"
[@@noalloc]

external write_offload :
  Unix.file_descr ->
  Bytes.t ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) = "weir_device_write_offload_byte" "weir_device_write_offload"
[@@noalloc]

external write_gathered :
  Unix.file_descr ->
  Bytes.t ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  Bytes.t ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) = "weir_device_write_gathered_byte" "weir_device_write_gathered"
[@@noalloc]

(* Negative results of the stubs; -1 means "nothing to read". *)
type failure = int

let gone = -3
let down = -4
let unreadable = -5

(* A frame with a VLAN tag is 4 bytes longer. The kernel cuts a frame to the
   buffer, so one that fills the buffer to its last byte was too long. *)
let buffer_size ~mtu ~header =
  (if header then Link.longest_frame else mtu + Link.header_length) + 4 + 1

(* How many frames one [receive] drops before it returns. *)
let patience = 64

(* The two lowest bits of what [read_offload] returns. *)
let checksum n : Frame.checksum =
  match n land 3 with 0 -> Unverified | 1 -> Verified | _ -> Partial

let within b ~off ~len = off >= 0 && len >= 0 && off <= Bytes.length b - len

(* A range of a ring may wrap around. *)
let within_ring b ~at ~len =
  let size = Bytes.length b in
  at >= 0 && len >= 0 && at <= size && len <= size

class t ~fd ~name ~mtu ~header (capabilities : Link.capabilities) =
  object (self)
    val pool = Frame.pool ~size:(buffer_size ~mtu ~header) ()
    val longest = Int.max (mtu + Link.header_length) capabilities.send.v4.longest
    val stats = Link.stats ()
    val mutable is_open = true
    val mutable is_gone = false
    val mutable told = ignore
    method mtu = mtu
    method capabilities = capabilities
    method readiness : Link.readiness = Descriptor.Fd fd
    method row = 64
    method name : string = name
    method offload = capabilities.send.v4.longest > 0
    method is_gone = is_gone

    method on_gone f =
      told <- f;
      if is_gone then f ()

    method private lose =
      if not is_gone then (
        is_gone <- true;
        silence fd;
        told ())

    method private failed failure = if failure = gone then self#lose

    (* The frame's length, or a negative code. *)
    method private read (frame : Frame.t) =
      if header then
        let n = read_offload fd frame.data 0 (Frame.size pool) in
        if n > 0 then (
          Frame.set_checksum frame (checksum n);
          Frame.set_segment_size frame (n lsr 34);
          (n lsr 2) land 0xffff_ffff)
        else n
      else read fd frame.data 0 (Frame.size pool)

    method private read_next patience =
      let frame = Frame.alloc pool in
      let n = self#read frame in
      if n > 0 && n < Frame.size pool then (
        Frame.set_length frame n;
        Link.received stats frame;
        frame)
      else (
        Frame.release frame;
        if n > 0 || n = unreadable then (
          stats.rx_dropped <- stats.rx_dropped + 1;
          if patience = 0 then Frame.none else self#read_next (patience - 1))
        else (
          self#failed n;
          Frame.none))

    method receive ~now:(_ : Weir_base.Time.t) =
      if is_open && not is_gone then self#read_next patience else Frame.none

    (* The range is read only once, because another domain could change the frame meanwhile. *)
    method private write (frame : Frame.t) =
      if not header then Link.complete frame;
      let { Frame.data; off; len; tail; tail_at; tail_len; _ } = frame in
      let facts = (frame.segment_size lsl 1) lor Bool.to_int (frame.checksum = Partial) in
      if not (within data ~off ~len && within_ring tail ~at:tail_at ~len:tail_len) then -1
      else if tail_len > 0 && header then
        write_gathered fd data off len tail tail_at tail_len mtu facts
      else if header then write_offload fd data off len mtu facts
      else write fd data off len

    method send ~now:(_ : Weir_base.Time.t) (frame : Frame.t) =
      Frame.check_owned frame;
      if Frame.length frame > longest || is_gone || not is_open then Link.refuse stats frame
      else
        let n = self#write frame in
        if n >= 0 then (
          Link.sent stats frame;
          Frame.release frame)
        else (
          self#failed n;
          Link.refuse stats frame)

    method flush = ()
    method deadline = Weir_base.Time.never
    method stats = stats
    method carrier = is_open && not is_gone

    method close =
      if is_open then (
        is_open <- false;
        Unix.close fd)
  end

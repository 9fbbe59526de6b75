module Frame = Weir_link.Frame
module Link = Weir_link.Link

external open_exn : string -> bool -> int -> Unix.file_descr * string = "weir_tap_open"
external silence : Unix.file_descr -> unit = "weir_tap_silence" [@@noalloc]

external read :
  Unix.file_descr -> Bytes.t -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_tap_read_byte" "weir_tap_read"
[@@noalloc]

external write :
  Unix.file_descr -> Bytes.t -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_tap_write_byte" "weir_tap_write"
[@@noalloc]

external read_offload :
  Unix.file_descr -> Bytes.t -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_tap_read_offload_byte" "weir_tap_read_offload"
[@@noalloc]

external write_offload :
  Unix.file_descr ->
  Bytes.t ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) ->
  (int[@untagged]) = "weir_tap_write_offload_byte" "weir_tap_write_offload"
[@@noalloc]

(* The stubs return these instead of a length; -1 means "nothing to read". *)
let gone = -3

class type t = object
  inherit Link.t
  method name : string
  method offload : bool
  method is_gone : bool
  method on_gone : (unit -> unit) -> unit
end

(* A frame with a VLAN tag is 4 bytes longer. The kernel cuts a frame to the
   buffer, so one that fills the buffer to its last byte was too long. *)
let buffer_size ~mtu ~offload =
  (if offload then Link.longest_frame else mtu + Link.header_length) + 4 + 1

(* How many over-long frames one [receive] drops before it returns. *)
let patience = 64

(* The two lowest bits of what [read_offload] returns. *)
let checksum n : Frame.checksum =
  match n land 3 with 0 -> Unverified | 1 -> Verified | _ -> Partial

class device ~fd ~name ~mtu ~offload : t =
  object (self)
    val pool = Frame.pool ~size:(buffer_size ~mtu ~offload) ()
    val longest = if offload then Link.longest_frame else mtu + Link.header_length
    val stats = Link.stats ()
    val mutable is_open = true
    val mutable is_gone = false
    val mutable told = ignore
    method mtu = mtu
    method capabilities = if offload then Link.all else Link.none
    method readiness = Weir_link_unix.Descriptor.Fd fd
    method name = name
    method offload = offload
    method is_gone = is_gone

    method on_gone f =
      told <- f;
      if is_gone then f ()

    method private lose code =
      if code = gone && not is_gone then (
        is_gone <- true;
        silence fd;
        told ())

    (* The frame's length, or a negative code. *)
    method private read (frame : Frame.t) =
      if offload then
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
        if n > 0 then (
          stats.rx_dropped <- stats.rx_dropped + 1;
          if patience = 0 then Frame.none else self#read_next (patience - 1))
        else (
          self#lose n;
          Frame.none))

    method receive ~now:_ = if is_open && not is_gone then self#read_next patience else Frame.none

    method private write (frame : Frame.t) =
      if offload then
        write_offload fd frame.data frame.off frame.len mtu
          ((frame.segment_size lsl 1) lor Bool.to_int (frame.checksum = Partial))
      else (
        Link.complete frame;
        write fd frame.data frame.off frame.len)

    method send ~now:_ (frame : Frame.t) =
      let { Frame.len; _ } = frame in
      Frame.check_owned frame;
      if len > longest || is_gone || not is_open then Link.refuse stats frame
      else
        let n = self#write frame in
        if n >= 0 then (
          Link.sent stats frame;
          Frame.release frame)
        else (
          self#lose n;
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

let ( let* ) = Result.bind

let with_mtu name = function
  | None -> Interface.mtu name
  | Some mtu -> Result.map (fun () -> mtu) (Interface.set_mtu name mtu)

let read_address address =
  match Ipaddr.V4.Prefix.of_string address with
  | Ok network -> Ok network
  | Error _ ->
      let reason = "it must be an IPv4 address with a prefix length, such as 10.0.0.1/24" in
      Error (Error.Bad_address { address; reason })

let optionally f = function None -> Ok None | Some x -> Result.map Option.some (f x)

(* Settings that are already as wanted are not set: that would need permission. *)
let give_address name network =
  let* now = Interface.address name in
  if now = Some network then Ok ()
  else
    let module P = Ipaddr.V4.Prefix in
    Interface.set_address name (V4 (P.address network)) ~prefix:(P.bits network)

let bring_up name =
  let* up = Interface.is_up name in
  if up then Ok () else Interface.set_up name

let configured name ~mtu ~kernel ~up =
  let* mtu = with_mtu name mtu in
  let* _ = optionally (give_address name) kernel in
  let* () = if up then bring_up name else Ok () in
  Ok mtu

let available () =
  Error.catch ~action:"open /dev/net/tun" (fun () ->
      match Unix.openfile "/dev/net/tun" [ O_RDWR; O_CLOEXEC ] 0 with
      | fd -> Unix.close fd
      | exception Unix.Unix_error (e, _, path) ->
          raise (Unix.Unix_error (e, "open /dev/net/tun", path)))

let open_ ?(name = "tap%d") ?mtu ?(offload = false) ?persistent ?kernel ?(up = true) () =
  let persistent = match persistent with None -> 2 | Some p -> Bool.to_int p in
  let* () = Error.check_name name in
  let* kernel = optionally read_address kernel in
  let* fd, name =
    Error.catch ~action:("open the TAP device " ^ name) (fun () -> open_exn name offload persistent)
  in
  match configured name ~mtu ~kernel ~up with
  | Ok mtu -> Ok (new device ~fd ~name ~mtu ~offload)
  | Error e ->
      Unix.close fd;
      Error e

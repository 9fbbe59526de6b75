module Device = Weir_link_unix.Device
module Descriptor = Weir_link_unix.Descriptor
module Frame = Weir_link.Frame
module Link = Weir_link.Link
module Packet = Weir_packet.Packet
module Error = Weir_tap.Error

type mode = Best | Zero_copy | Copy | Generic
type memory

external open_exn :
  string -> int -> string -> Unix.file_descr -> int -> int -> int -> memory * Unix.file_descr
  = "weir_xdp_open_byte" "weir_xdp_open"

external kind : memory -> int = "weir_xdp_kind"
external close_memory : memory -> unit = "weir_xdp_close"
external drops : memory -> (int[@untagged]) = "weir_xdp_drops_byte" "weir_xdp_drops" [@@noalloc]

external receive : memory -> Bytes.t -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_xdp_receive_byte" "weir_xdp_receive"
[@@noalloc]

external send : memory -> Bytes.t -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_xdp_send_byte" "weir_xdp_send"
[@@noalloc]

external flush : memory -> (int[@untagged]) = "weir_xdp_flush_byte" "weir_xdp_flush" [@@noalloc]
external driver : Unix.file_descr -> string -> string = "weir_xdp_driver"

class type t = object
  inherit Packet.t
  method zero_copy : bool
  method native : bool
end

(* What the stubs return beside a device's codes. *)
let empty = -1
let unreadable = -5
let full = -6

(* Frames for each direction; a power of 2. *)
let half = 2_048

(* The kernel leaves so many bytes before each frame that it receives. *)
let headroom = 256
let longest_mtu chunk = chunk - headroom - Link.header_length

(* A longer batch would keep other domains from collecting garbage. *)
let most_queued = 64

(* Then the frames of the packet socket have their turn, ARP's requests among them. *)
let most_in_a_row = 64
let patience = 64
let retry_after = Weir_base.Time.ms 1

class socket ~memory ~ready ~partial ~fd ~index ~name ~mtu =
  object (self)
    inherit Packet.socket ~fd ~index ~name ~mtu ~offload:false as others
    val frames = Frame.pool ~size:(mtu + Link.header_length) ()
    val mutable queued = 0
    val mutable queued_bytes = 0
    val mutable in_a_row = 0
    val mutable sent_at = 0
    val mutable retry_at = Weir_base.Time.never
    method! readiness = Descriptor.Fd ready
    method zero_copy = kind memory land 2 <> 0
    method native = kind memory land 1 <> 0

    method private take_other ~now =
      in_a_row <- 0;
      others#receive ~now

    method private take patience =
      let frame = Frame.alloc frames in
      let n = receive memory frame.data 0 (Frame.size frames) in
      if n > 0 then (
        Frame.set_length frame n;
        if partial && Weir_wire.Transport.is_partial frame.data ~off:0 ~len:n then
          Frame.set_checksum frame Partial;
        Link.received stats frame;
        is_down <- false;
        in_a_row <- in_a_row + 1;
        frame)
      else (
        Frame.release frame;
        if n = unreadable then (
          stats.rx_dropped <- stats.rx_dropped + 1;
          if patience = 0 then Frame.none else self#take (patience - 1))
        else Frame.none)

    method! receive ~now =
      if now >= retry_at then self#kick;
      if (not is_open) || self#is_gone then Frame.none
      else
        let other = if in_a_row >= most_in_a_row then self#take_other ~now else Frame.none in
        if other != Frame.none then other
        else
          let frame = self#take patience in
          if frame == Frame.none then self#take_other ~now else frame

    (* What was queued is no longer in the ring if the interface is down. *)
    method private kick =
      let n = flush memory in
      if n = (Device.down :> int) then (
        stats.tx_frames <- stats.tx_frames - queued;
        stats.tx_bytes <- stats.tx_bytes - queued_bytes;
        stats.tx_dropped <- stats.tx_dropped + queued;
        self#failed Device.down)
      else if n = (Device.gone :> int) then self#failed Device.gone;
      queued <- 0;
      queued_bytes <- 0;
      retry_at <- (if n > 0 then sent_at + retry_after else Weir_base.Time.never)

    method private put (frame : Frame.t) ~tries =
      let { Frame.data; off; len; _ } = frame in
      if off < 0 || len < Link.header_length || off > Bytes.length data - len then empty
      else
        let n = send memory data off len in
        if n = full && tries > 0 then (
          self#kick;
          self#put frame ~tries:(tries - 1))
        else n

    method! send ~now frame =
      if is_down then others#send ~now frame
      else (
        Frame.check_owned frame;
        let len = Frame.length frame in
        if len > Frame.size frames || frame.tail_len > 0 || self#is_gone || not is_open then
          Link.refuse stats frame
        else (
          Link.complete frame;
          sent_at <- now;
          if self#put frame ~tries:1 < 0 then Link.refuse stats frame
          else (
            Link.sent stats frame;
            queued <- queued + 1;
            queued_bytes <- queued_bytes + len;
            Frame.release frame;
            if queued >= most_queued then self#kick)))

    method! flush = if queued > 0 && is_open then self#kick
    method! deadline = retry_at

    method! stats =
      if is_open && not self#is_gone then stats.rx_dropped <- stats.rx_dropped + drops memory;
      others#stats

    method! close =
      if is_open then (
        self#flush;
        others#close;
        close_memory memory)
  end

let number = function Best -> 0 | Copy -> 1 | Zero_copy -> 2 | Generic -> 3

(* Devices of one machine hand each other frames whose checksums nobody has completed. *)
let gives_partial driver = driver = "veth" || driver = "virtio_net"

let opening name ~index ~mac ~fd mode ~chunk ~half =
  Error.catch ~action:("open an XDP socket on " ^ name) (fun () ->
      let mac = Option.fold ~none:"" ~some:Macaddr.to_octets mac in
      open_exn name index mac fd (number mode) chunk half)

(* The kernel gives a closed socket's queue free a little later. *)
let rec opening_soon name ~index ~mac ~fd mode ~chunk ~tries =
  match opening name ~index ~mac ~fd mode ~chunk ~half with
  | Error (Other_xdp _) when tries > 0 ->
      Unix.sleepf 0.02;
      opening_soon name ~index ~mac ~fd mode ~chunk ~tries:(tries - 1)
  | result -> result

let open_ ?(mode = Best) ?mac ?up name =
  let make ~fd ~index ~mtu =
    let chunk = if mtu <= longest_mtu 2_048 then 2_048 else 4_096 in
    let opened =
      if mtu > longest_mtu chunk then
        Error (Error.Too_long_for_xdp { name; longest = Error.longest_for_xdp })
      else opening_soon name ~index ~mac ~fd mode ~chunk ~tries:10
    in
    match opened with
    | Ok (memory, ready) ->
        let partial = gives_partial (driver fd name) in
        Ok (new socket ~memory ~ready ~partial ~fd ~index ~name ~mtu)
    | Error _ as e ->
        Unix.close fd;
        e
  in
  Packet.open_with make ?mac ?up name

(* No interface has the index 0, which is looked at after the permissions. *)
let available () =
  match opening "" ~index:0 ~mac:None ~fd:Unix.stdin Best ~chunk:2_048 ~half:64 with
  | Error (No_xdp_library | No_xdp_socket _) as e -> Result.map ignore e
  | Error _ -> Ok ()
  | Ok (memory, _) ->
      close_memory memory;
      Ok ()

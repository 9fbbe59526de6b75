module Device = Weir_link_unix.Device
module Ethernet = Weir_wire.Ethernet
module Frame = Weir_link.Frame
module Link = Weir_link.Link
module Error = Weir_tap.Error
module Interface = Weir_tap.Interface

external open_exn : string -> string -> int -> Unix.file_descr * int = "weir_packet_open"

external drops : Unix.file_descr -> (int[@untagged]) = "weir_packet_drops_byte" "weir_packet_drops"
[@@noalloc]

external is_there : Unix.file_descr -> int -> bool = "weir_packet_is_there" [@@noalloc]

class type t = object
  inherit Device.t
end

(* Bytes that the socket may hold for us. A frame of 64 KB takes more than its
   length. *)
let buffer = 8_388_608

(* Of a frame that stands for many: whether these are datagrams. *)
let holds_datagrams (f : Frame.t) =
  let at n = Bytes.get_uint8 f.data (f.off + Ethernet.length + n) in
  let ethertype = Ethernet.get_ethertype f.data ~off:f.off in
  f.segment_size > 0
  && f.len > Ethernet.length + Weir_wire.Ipv4.shortest
  && ((ethertype = Ethernet.ethertype_ipv4 && at 9 = Weir_wire.Ipv4.protocol_udp)
     || (ethertype = Ethernet.ethertype_ipv6 && at 6 = Weir_wire.Ipv4.protocol_udp))

class socket ~fd ~index ~name ~mtu ~offload =
  object (self)
    inherit
      Device.t
        ~fd ~name ~mtu ~header:true
        { Link.all with send = (if offload then Link.all else Link.none).send } as super

    val datagram_pool = Frame.pool ~size:(mtu + Link.header_length) ()
    val datagrams : Frame.t Queue.t = Queue.create ()
    val mutable is_down = false

    (* One error tells of both: a deleted interface was down before. *)
    method! private failed failure =
      if failure = Device.down then if is_there fd index then is_down <- true else self#lose
      else super#failed failure

    method private cut frame =
      let take f = Queue.push f datagrams in
      if not (Weir_wire.Segmentation.cut datagram_pool frame take) then
        stats.rx_dropped <- stats.rx_dropped + 1;
      Frame.release frame

    method! receive ~now =
      if not (Queue.is_empty datagrams) then Queue.pop datagrams
      else
        let frame = super#receive ~now in
        if frame == Frame.none then frame
        else (
          is_down <- false;
          if holds_datagrams frame then (
            self#cut frame;
            self#receive ~now)
          else frame)

    method! send ~now frame =
      let before = stats.tx_dropped in
      super#send ~now frame;
      if is_down && stats.tx_dropped = before then is_down <- false

    method! stats =
      if is_open && not self#is_gone then stats.rx_dropped <- stats.rx_dropped + drops fd;
      stats

    method! carrier = super#carrier && not is_down

    method! close =
      ignore (self#stats : Link.stats);
      Queue.iter Frame.release datagrams;
      Queue.clear datagrams;
      super#close
  end

let ( let* ) = Result.bind

let opening name mac =
  Error.catch ~action:("open a packet socket on " ^ name) (fun () -> open_exn name mac buffer)

let open_with make ?mac ?(up = true) name =
  let* mtu = Interface.mtu name in
  let* () = if up then Interface.bring_up name else Ok () in
  let* fd, index = opening name (Option.fold ~none:"" ~some:Macaddr.to_octets mac) in
  make ~fd ~index ~mtu

let open_ ?(offload = true) ?mac ?up name =
  open_with (fun ~fd ~index ~mtu -> Ok (new socket ~fd ~index ~name ~mtu ~offload)) ?mac ?up name

(* "lo" is no Ethernet, which is asked for after the socket was made. *)
let available () =
  match opening "lo" "" with
  | Error (Error.Not_ethernet _) -> Ok ()
  | Error (Error.No_packet_socket _) -> Error (Error.No_packet_socket "")
  | Error e -> Error e
  | Ok (fd, _) ->
      Unix.close fd;
      Ok ()

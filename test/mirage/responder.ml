(* A device that answers ARP and ping: as much of a stack over Mirage_net.S as two
   peers need to find each other. *)

open Lwt.Syntax
open Packages

module Make (N : Mirage_net.S) = struct
  let ethernet = 14

  (* 16-bit ones' complement (RFC 1071). *)
  let checksum b off len =
    let rec go sum i =
      if i >= len then sum else go (sum + Cstruct.BE.get_uint16 b (off + i)) (i + 2)
    in
    let sum = go 0 0 in
    let sum = (sum land 0xffff) + (sum lsr 16) in
    lnot ((sum land 0xffff) + (sum lsr 16)) land 0xffff

  let own net = Macaddr.to_octets (N.mac net)

  (* The request, sent back as an answer. *)
  let reply net frame change =
    let size = Cstruct.length frame in
    let+ r =
      N.write net ~size (fun out ->
          Cstruct.blit frame 0 out 0 size;
          Cstruct.blit frame 6 out 0 6;
          Cstruct.blit_from_string (own net) 0 out 6 6;
          change out;
          size)
    in
    match r with Ok () -> () | Error e -> Fmt.failwith "%a" N.pp_error e

  let answer_arp net frame address =
    if
      Cstruct.BE.get_uint16 frame 20 = 1
      && Cstruct.to_string (Cstruct.sub frame 38 4) = Ipaddr.to_octets address
    then
      reply net frame (fun out ->
          Cstruct.BE.set_uint16 out 20 2;
          Cstruct.blit frame 22 out 32 10;
          Cstruct.blit_from_string (own net) 0 out 22 6;
          Cstruct.blit_from_string (Ipaddr.to_octets address) 0 out 28 4)
    else Lwt.return_unit

  let answer_ping net frame =
    let ip = ethernet and icmp = ethernet + 20 in
    let is_request = Cstruct.get_uint8 frame (ip + 9) = 1 && Cstruct.get_uint8 frame icmp = 8 in
    if is_request && checksum frame ip 20 = 0 then
      reply net frame (fun out ->
          Cstruct.blit frame (ip + 12) out (ip + 16) 4;
          Cstruct.blit frame (ip + 16) out (ip + 12) 4;
          Cstruct.set_uint8 out icmp 0;
          Cstruct.BE.set_uint16 out (icmp + 2) 0;
          let len = Cstruct.BE.get_uint16 frame (ip + 2) - 20 in
          Cstruct.BE.set_uint16 out (icmp + 2) (checksum out icmp len))
    else Lwt.return_unit

  let run net address =
    N.listen net ~header_size:ethernet (fun frame ->
        match Cstruct.BE.get_uint16 frame 12 with
        | 0x0806 -> answer_arp net frame address
        | 0x0800 -> answer_ping net frame
        | _ -> Lwt.return_unit)
end

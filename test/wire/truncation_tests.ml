(* Every header cut at every length: in a longer buffer, and at the end of one,
   where a read too far would raise. *)

open Weir_wire
open Captures

let cut what ~header b ~off decode =
  for len = 0 to header - 1 do
    let short = Bytes.sub b off len in
    let check b ~off =
      match decode b ~off ~len with
      | Ok _ -> Alcotest.failf "%s: %d of %d bytes decoded" what len header
      | Error (Error.Truncated { need; have }) ->
          if have <> len || need <= len then
            Alcotest.failf "%s: truncated says %d of %d for %d" what have need len
      | Error Error.Bad_checksum -> ()
      | Error (Error.Malformed _ as e) -> Alcotest.failf "%s: %d bytes: %a" what len Error.pp e
    in
    check b ~off;
    check short ~off:0
  done

let headers () =
  List.iter
    (fun f ->
      let b = f.bytes in
      let len = Bytes.length b in
      cut f.name ~header:Ethernet.length b ~off:0 Ethernet.decode;
      let off = Ethernet.length in
      match decode b ~off:0 ~len with
      | Error e -> Alcotest.failf "%s: %a" f.name Error.pp e
      | Ok { network = Unknown; _ } -> ()
      | Ok { network = Arp _; _ } -> cut f.name ~header:Arp.length b ~off Arp.decode
      | Ok { network = Ipv4 (ip, transport); _ } -> (
          (* IPv4 names its whole length: anything less is truncated. *)
          cut f.name ~header:(ip.header_length + ip.data_length) b ~off Ipv4.decode;
          cut f.name ~header:ip.header_length b ~off Ipv4.decode_quoted;
          let off = off + ip.header_length and pseudo = pseudo ip in
          match transport with
          | Data -> ()
          | Udp u ->
              cut f.name ~header:(Udp.length + u.data_length) b ~off (Udp.decode ~pseudo);
              cut f.name ~header:(Udp.length + u.data_length) b ~off (Udp.decode ~pseudo:(-1))
          | Tcp t ->
              cut f.name ~header:t.header_length b ~off (Tcp.decode ~pseudo);
              cut f.name ~header:t.header_length b ~off (Tcp.decode ~pseudo:(-1))
          | Icmp i ->
              let quoted = if Icmpv4.data_length i >= 28 && Icmpv4.is_error i then 28 else 0 in
              cut f.name ~header:(Icmpv4.length + quoted) b ~off Icmpv4.decode))
    (Lazy.force all)

let dumped () =
  List.iter
    (fun f ->
      for len = 0 to min 100 (Bytes.length f.bytes - 1) do
        let b = Bytes.sub f.bytes 0 len in
        let line = Format.asprintf "%a" (fun ppf b -> Dump.pp_frame ppf b ~off:0 ~len) b in
        if line = "" || String.contains line '\n' then Alcotest.failf "%s: %S" f.name line
      done)
    (Lazy.force all)

let cases =
  [
    Suite.case "every header at every length" headers;
    Suite.case "every frame printed at every length" dumped;
  ]

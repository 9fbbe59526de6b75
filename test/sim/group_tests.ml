(* Groups in a LAN of hosts under Eio and under Lwt: only members receive. *)

open Eio.Std
open Room
open Weir_eio.Udp_options
module Datagram = Weir_lwt.Datagram

let groups = [ "239.1.2.3"; "ff05::1:3" ]
let cstruct = Cstruct.of_string

let socket ~sw (h : Weir_sim.host) =
  Eio.Net.datagram_socket ~sw h.net (`Udp (Eio.Net.Ipaddr.V6.any, 5_000))

let group_of g = Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets (Ipaddr.of_string_exn g))
let join s g = Eio.Net.setsockopt s IP_ADD_MEMBERSHIP (any_interface (group_of g))

let members world =
  Switch.run @@ fun sw ->
  let lan = Weir_sim.lan world ~latency:(`Ms 1) in
  let host n = Weir_sim.host world lan (Fmt.str "10.0.0.%d/24,fd00::%d/64" n n) in
  let a = host 1 and b = host 2 and c = host 3 in
  let under_lwt = Weir_sim_lwt.host world lan "10.0.0.4/24,fd00::4/64" ~name:"lwt" in
  let one = socket ~sw a and two = socket ~sw b and sender = socket ~sw c in
  List.iter (fun g -> join one g) groups;
  (match join one (List.hd groups) with
  | () -> Alcotest.fail "joined twice"
  | exception Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (EADDRINUSE, _, _)), _) -> ());
  let buffer = Cstruct.create 100 in
  let text s =
    let _, n = Eio.Net.recv s buffer in
    Cstruct.to_string (Cstruct.sub buffer 0 n)
  in
  let send ?(from = sender) g t = Eio.Net.send from ~dst:(`Udp (group_of g, 5_000)) [ cstruct t ] in
  let lwt_hears g =
    Weir_sim_lwt.run under_lwt (fun h ->
        let open Lwt.Syntax in
        let s = Result.get_ok (Datagram.open_ h ~port:5_000) in
        let group = Ipaddr.of_string_exn g in
        Weir_lwt.get (Lwt.return (Datagram.mcast_add_membership s group)) |> fun joined ->
        let* () = joined in
        Weir_lwt.Datagram.mcast_set_ttl s 4;
        let* () = Weir_lwt.get (Datagram.send_string s ~dst:(group, 5_000) "from lwt") in
        let b = Bytes.create 100 in
        let* own = Weir_lwt.get (Datagram.recv s b ~off:0 ~len:100) in
        let heard = Bytes.sub_string b 0 own.length in
        Result.get_ok (Datagram.mcast_drop_membership s group);
        let* () = Datagram.close s in
        Lwt.return heard)
  in
  let each g =
    send g "hello";
    check_string "a member" "hello" (text one);
    check_string "under Lwt, its own" "from lwt" (lwt_hears g);
    check_string "from Lwt" "from lwt" (text one);
    join two g;
    send ~from:one g "both";
    check_string "the other member" "both" (text two);
    check_string "itself" "both" (text one);
    Eio.Net.setsockopt one IP_MULTICAST_LOOP false;
    send ~from:one g "not to itself";
    check_string "the other member" "not to itself" (text two);
    Eio.Net.setsockopt one IP_MULTICAST_LOOP true
  in
  List.iter each groups;
  Weir_sim.sleep world (`S 1);
  check_int "nothing else came" 0
    (List.length
       (List.filter
          (fun s ->
            Fiber.first
              (fun () ->
                ignore (Eio.Net.recv s buffer : _ * int);
                true)
              (fun () ->
                Weir_sim.sleep world (`Ms 1);
                false))
          [ one; two; sender ]))

let cases = [ Weir_test.Suite.case "members under Eio and Lwt" (fun () -> Weir_sim.run members) ]

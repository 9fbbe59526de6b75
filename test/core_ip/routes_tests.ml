open Weir_wire
open Weir_core
open Weir_test
open Net

let lan ?gateway () = routes ?gateway "10.1.2.3" 24
let hop t dst want () = Alcotest.check address dst (ip want) (Net.next_hop t (ip dst))

let table () =
  let t = lan ~gateway:"10.1.2.1" () in
  let add network prefix_length gateway =
    match Routes.add t ~network:(ip network) ~prefix_length ~gateway:(ip gateway) with
    | Ok () -> ()
    | Error why -> Alcotest.fail why
  in
  add "172.16.0.0" 12 "10.1.2.4";
  add "172.16.5.9" 16 "10.1.2.5";
  add "10.1.2.200" 32 "10.1.2.6";
  List.iter
    (fun (dst, want) -> hop t dst want ())
    [
      ("10.1.2.77", "10.1.2.77");
      ("10.1.2.200", "10.1.2.6");
      ("10.1.3.1", "10.1.2.1");
      ("172.16.77.1", "10.1.2.5");
      ("172.17.0.1", "10.1.2.4");
      ("172.32.0.1", "10.1.2.1");
      ("8.8.8.8", "10.1.2.1");
      ("127.0.0.1", "0.0.0.0");
      ("0.0.0.0", "0.0.0.0");
    ];
  add "172.16.0.0" 16 "10.1.2.9";
  hop t "172.16.77.1" "10.1.2.9" ();
  let remove network prefix_length = Routes.remove t ~network:(ip network) ~prefix_length in
  Alcotest.(check bool) "removed" true (remove "172.16.0.0" 16);
  Alcotest.(check bool) "once" false (remove "172.16.0.0" 16);
  hop t "172.16.77.1" "10.1.2.4" ();
  Alcotest.(check bool) "the default too" true (remove "0.0.0.0" 0);
  hop t "8.8.8.8" "0.0.0.0" ();
  Alcotest.(check bool) "not the link" false (remove "10.1.2.0" 24);
  hop t "10.1.2.77" "10.1.2.77" ();
  Alcotest.(check string)
    "printed" "10.1.2.200/32 via 10.1.2.6\n10.1.2.0/24 on the link\n172.16.0.0/12 via 10.1.2.4"
    (Fmt.str "%a" Routes.pp t)

let refusals () =
  let t = lan () in
  let refused network prefix_length gateway =
    Alcotest.(check bool)
      gateway true
      (Result.is_error (Routes.add t ~network:(ip network) ~prefix_length ~gateway:(ip gateway)))
  in
  refused "10.1.2.0" 24 "10.1.2.9";
  refused "0.0.0.0" 0 "10.1.3.1";
  refused "0.0.0.0" 0 "10.1.2.3";
  refused "0.0.0.0" 0 "10.1.2.255";
  refused "0.0.0.0" 0 "0.0.0.0";
  refused "1.0.0.0" 33 "10.1.2.9";
  List.iter
    (fun f -> match f () with _ -> Alcotest.fail "accepted" | exception Invalid_argument _ -> ())
    [
      (fun () -> lan ~gateway:"10.1.3.1" ());
      (fun () -> routes "10.0.0.1" 33);
      (fun () -> routes "10.0.0.1" (-1));
    ]

let broadcasts () =
  let is address prefix_length a want =
    let t = routes address prefix_length in
    Alcotest.(check bool)
      (Fmt.str "%s for %s/%d" a address prefix_length)
      want
      (Routes.is_broadcast t (ip a))
  in
  is "10.1.2.3" 24 "255.255.255.255" true;
  is "10.1.2.3" 24 "10.1.2.255" true;
  is "10.1.2.3" 24 "10.1.2.0" true;
  is "10.1.2.3" 24 "10.1.3.255" false;
  is "10.1.2.3" 24 "10.1.2.3" false;
  is "10.1.2.3" 8 "10.255.255.255" true;
  is "10.1.2.3" 8 "10.1.2.255" false;
  is "10.1.2.1" 30 "10.1.2.3" true;
  is "10.1.2.0" 31 "10.1.2.0" false;
  is "10.1.2.0" 31 "10.1.2.1" false;
  is "10.1.2.3" 32 "10.1.2.3" false;
  is "10.1.2.3" 32 "255.255.255.255" true;
  is "10.1.2.3" 24 "0.0.0.0" false

let sources () =
  let t = lan () in
  let is a want = Alcotest.(check bool) a want (Routes.is_source t (ip a)) in
  is "10.1.2.4" true;
  is "8.8.8.8" true;
  is "10.1.2.3" false;
  is "10.1.2.255" false;
  is "10.1.2.0" false;
  is "0.0.0.0" false;
  is "127.0.0.1" false;
  is "239.1.1.1" false;
  is "255.255.255.255" false;
  Alcotest.(check (list bool))
    "local" [ true; true; false ]
    (List.map (fun a -> Routes.is_local t (ip a)) [ "10.1.2.3"; "127.9.9.9"; "10.1.2.4" ])

(* Against the longest match found by comparing bits, among few networks so that
   routes nest and are replaced. *)
let model =
  let open QCheck2.Gen in
  let addr = map2 (fun hi lo -> (hi lsl 29) lor lo) (int_range 0 6) (int_range 0 255) in
  let route = triple addr (int_range 0 32) (int_range 4 250) in
  QCheck2.Test.make ~name:"the longest prefix, as by trying all" ~count:2_000
    (pair (list_size (int_range 0 12) route) (list_size (int_range 1 20) addr))
    (fun (routes, dsts) ->
      let link = 0xc0a8_0100 in
      let t = routes_of (Ip.of_int (link + 3)) 24 in
      let covers (network, length, _) dst =
        let rec same bit =
          bit = length
          || ((network lsr (31 - bit)) land 1 = (dst lsr (31 - bit)) land 1 && same (bit + 1))
        in
        same 0
      in
      List.iter
        (fun (network, prefix_length, host) ->
          let gateway = Ip.of_int (link + host) in
          ignore (Routes.add t ~network:(Ip.of_int network) ~prefix_length ~gateway))
        routes;
      let naive dst =
        List.fold_left
          (fun best ((_, length, _) as r) ->
            match best with
            | _ when not (covers r dst) -> best
            | Some (_, longest, _) when longest > length -> best
            | _ -> Some r)
          None routes
      in
      List.for_all
        (fun dst ->
          let want =
            if dst = 0 then 0
            else if Ip.is_multicast (Ip.of_int dst) then dst
            else match naive dst with None -> 0 | Some (_, _, host) -> link + host
          in
          Ip.key (Net.next_hop t (Ip.of_int dst)) = want)
        dsts)

let free () =
  let t = lan ~gateway:"10.1.2.1" () in
  let dst = ip "8.8.8.8" in
  no_allocation "next_hop" (fun () -> ignore (Sys.opaque_identity (Routes.find t dst)))

let cases =
  Suite.
    [
      case "next hops" table;
      case "what is refused" refusals;
      case "broadcasts" broadcasts;
      case "sources" sources;
      native "OCaml's heap" (case "next_hop allocates nothing" free);
      qcheck model;
    ]

(* The order of addresses (RFC 6724), and of attempts at them (RFC 8305), in virtual time. *)

open Weir_base
open Weir_drive
module Suite = Weir_test.Suite

let ip = Ipaddr.of_string_exn
let strings = Alcotest.(check (list string))
let both = Ipaddr.[ ("v4", of_string_exn "10.0.0.9"); ("v6", of_string_exn "2001:db8::9") ]

(* A host with these source addresses: the first of the same family is used, a link-local one for
   link-local addresses. *)
let source_of mine a =
  let link_local a = String.starts_with ~prefix:"fe80" (Ipaddr.to_string a) in
  let v6 = function Ipaddr.V6 _ -> true | V4 _ -> false in
  List.find_opt (fun s -> v6 s = v6 a && link_local s = link_local a) mine

let sorted mine l =
  List.map Ipaddr.to_string
    (Address_order.sort ~source:(source_of (List.map ip mine)) (List.map ip l))

(* Those of RFC 6724 §10.2 that need no states of addresses, and a few more. *)
let order () =
  let dual = [ "2001:db8:1::2"; "169.254.13.78" ] in
  strings "matching scope"
    [ "2001:db8:1::1"; "198.51.100.121" ]
    (sorted dual [ "198.51.100.121"; "2001:db8:1::1" ]);
  strings "IPv4 without IPv6"
    [ "198.51.100.121"; "2001:db8:1::1" ]
    (sorted [ "198.51.100.117" ] [ "2001:db8:1::1"; "198.51.100.121" ]);
  strings "higher precedence" [ "2001:db8:1::1"; "10.1.2.3" ]
    (sorted [ "2001:db8:1::2"; "10.1.2.4" ] [ "10.1.2.3"; "2001:db8:1::1" ]);
  strings "smaller scope" [ "fe80::1"; "2001:db8:1::1" ]
    (sorted [ "2001:db8:1::2"; "fe80::2" ] [ "2001:db8:1::1"; "fe80::1" ]);
  strings "matching label"
    [ "2002:c633:6401::1"; "2001:db8:1::1" ]
    (sorted [ "2002:c633:6401::2" ] [ "2001:db8:1::1"; "2002:c633:6401::1" ]);
  strings "longest prefix"
    [ "2001:db8:1::1"; "2001:db8:3ffe::1" ]
    (sorted [ "2001:db8:1::2" ] [ "2001:db8:3ffe::1"; "2001:db8:1::1" ]);
  strings "else as they come"
    [ "10.1.0.2"; "10.1.0.1"; "192.0.2.9" ]
    (sorted [ "10.0.0.1" ] [ "10.1.0.2"; "10.1.0.1"; "192.0.2.9" ]);
  strings "no route at all" [ "2001:db8::1"; "10.0.0.1" ] (sorted [] [ "10.0.0.1"; "2001:db8::1" ])

let interleaved () =
  let is l want =
    strings "turns" want (List.map Ipaddr.to_string (Address_order.interleave (List.map ip l)))
  in
  is [] [];
  is [ "::1"; "::2"; "::3"; "10.0.0.1"; "10.0.0.2" ] [ "::1"; "10.0.0.1"; "::2"; "10.0.0.2"; "::3" ];
  is [ "10.0.0.1"; "::1"; "::2" ] [ "10.0.0.1"; "::1"; "::2" ];
  is [ "10.0.0.1"; "10.0.0.2" ] [ "10.0.0.1"; "10.0.0.2" ]

(* -- attempts -------------------------------------------------------------- *)

type event = Addresses of string list | Resolved

(* [events] come at these milliseconds; [outcome a] is how many milliseconds after its beginning an
   attempt ends, and whether it succeeds. The result: what began when, and what succeeded when. *)
let play ?(mine = List.map snd both) events outcome =
  let eyes = Eyeballs.create ~source:(source_of mine) () in
  let now = ref 0 and log = ref [] in
  let note fmt =
    Fmt.kstr (fun s -> log := Printf.sprintf "%d %s" (!now / Time.ms 1) s :: !log) fmt
  in
  let coming = ref (List.map (fun (ms, e) -> (Time.ms ms, `Event e)) events) in
  let push at e =
    coming := List.stable_sort (fun (a, _) (b, _) -> Int.compare a b) (!coming @ [ (at, e) ])
  in
  let rec go () =
    match Eyeballs.next eyes ~now:!now with
    | Attempt a ->
        note "try %a" Ipaddr.pp a;
        (match outcome (Ipaddr.to_string a) with
        | None -> ()
        | Some (ms, good) -> push (!now + Time.ms ms) (`End (a, good)));
        go ()
    | Failed -> note "failed"
    | Wait at -> (
        match !coming with
        | (t, e) :: rest when t <= at -> (
            coming := rest;
            now := Int.max !now t;
            match e with
            | `Event (Addresses l) ->
                Eyeballs.found eyes ~now:!now (List.map ip l);
                go ()
            | `Event Resolved ->
                Eyeballs.resolved eyes;
                go ()
            | `End (a, true) -> note "connected %a" Ipaddr.pp a
            | `End (a, false) ->
                Eyeballs.failed eyes a;
                go ())
        | _ when at = Time.never -> note "waits for ever"
        | _ ->
            now := at;
            go ())
  in
  go ();
  List.rev !log

let six = "2001:db8::1"
let six' = "2001:db8::2"
let four = "10.0.0.1"
let four' = "10.0.0.2"
let at_once _ = Some (10, true)
let dead _ = None
let refused _ = Some (5, false)

let attempts () =
  let is what want got = strings what want got in
  is "both at once"
    [ "0 try 2001:db8::1"; "10 connected 2001:db8::1" ]
    (play [ (0, Addresses [ four; six ]); (0, Resolved) ] at_once);
  is "IPv6 first, does not wait"
    [ "3 try 2001:db8::1"; "13 connected 2001:db8::1" ]
    (play [ (3, Addresses [ six ]); (40, Addresses [ four ]); (40, Resolved) ] at_once);
  is "IPv4 first, IPv6 within 50 ms"
    [ "33 try 2001:db8::1"; "43 connected 2001:db8::1" ]
    (play [ (3, Addresses [ four ]); (33, Addresses [ six; four ]); (33, Resolved) ] at_once);
  is "IPv4 first, IPv6 too late"
    [ "53 try 10.0.0.1"; "63 connected 10.0.0.1" ]
    (play [ (3, Addresses [ four ]); (200, Addresses [ six ]); (200, Resolved) ] at_once);
  is "IPv4 only is known at once"
    [ "20 try 10.0.0.1"; "30 connected 10.0.0.1" ]
    (play [ (3, Addresses [ four ]); (20, Resolved) ] at_once);
  is "IPv6 dead"
    [ "0 try 2001:db8::1"; "250 try 10.0.0.1"; "260 connected 10.0.0.1" ]
    (play
       [ (0, Addresses [ six; six'; four; four' ]); (0, Resolved) ]
       (fun a -> if a = four then Some (10, true) else None));
  is "all dead"
    [
      "0 try 2001:db8::1";
      "250 try 10.0.0.1";
      "500 try 2001:db8::2";
      "750 try 10.0.0.2";
      "750 waits for ever";
    ]
    (play [ (0, Addresses [ six; six'; four; four' ]); (0, Resolved) ] dead);
  is "all refused"
    [ "0 try 2001:db8::1"; "5 try 10.0.0.1"; "10 try 2001:db8::2"; "15 try 10.0.0.2"; "20 failed" ]
    (play [ (0, Addresses [ six; six'; four; four' ]); (0, Resolved) ] refused);
  is "a slow first one wins"
    [ "0 try 2001:db8::1"; "250 try 10.0.0.1"; "300 connected 2001:db8::1" ]
    (play
       [ (0, Addresses [ six; four ]); (0, Resolved) ]
       (fun a -> if a = six then Some (300, true) else Some (100, true)));
  is "later addresses take their turn"
    [ "0 try 2001:db8::1"; "250 try 10.0.0.1"; "260 connected 10.0.0.1" ]
    (play
       [ (0, Addresses [ six; six' ]); (100, Addresses [ four ]); (100, Resolved) ]
       (fun a -> if a = four then Some (10, true) else None));
  is "no IPv6 here"
    [ "0 try 10.0.0.1"; "10 connected 10.0.0.1" ]
    (play ~mine:[ snd (List.hd both) ] [ (0, Addresses [ six; four ]); (0, Resolved) ] at_once);
  is "no address" [ "7 failed" ] (play [ (7, Resolved) ] at_once)

(* Each address is tried at most once, none more often than every 250 ms unless one has failed. *)
let any_order =
  let open QCheck2.Gen in
  let address =
    map
      (fun i -> if i < 20 then Printf.sprintf "10.0.1.%d" i else Printf.sprintf "2001:db8::%x" i)
      (int_bound 39)
  in
  QCheck2.Test.make ~count:500 ~name:"each address once"
    (triple (list_size (int_bound 20) address) (list_size (int_bound 20) address) (int_bound 400))
    (fun (a, b, ms) ->
      let log =
        play
          [ (0, Addresses a); (ms, Addresses b); (ms, Resolved) ]
          (fun s -> if String.length s mod 2 = 0 then Some (3, false) else Some (700, false))
      in
      let tried =
        List.filter_map
          (fun l -> match String.split_on_char ' ' l with [ _; "try"; a ] -> Some a | _ -> None)
          log
      in
      let all = List.sort_uniq compare (a @ b) in
      List.sort compare tried = List.sort_uniq compare tried
      && List.length tried = Int.min (List.length all) Eyeballs.most
      && List.mem "failed" (List.concat_map (String.split_on_char ' ') log))

let cases =
  [
    Suite.case "addresses" order;
    Suite.case "families take turns" interleaved;
    Suite.case "attempts" attempts;
    Suite.qcheck any_order;
  ]

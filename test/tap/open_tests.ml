open Weir_tap
open Weir_test

let check = Alcotest.(check int)
let message e = Fmt.str "%a" Error.pp e

let error what want = function
  | Ok _ -> Alcotest.failf "%s: no error" what
  | Error e -> Alcotest.(check string) what want (message e)

let is_there name = Result.is_ok (Interface.mtu name)

let names () =
  Netns.needed ();
  let a = Station.get (Tap.open_ ~name:"weir%d" ()) in
  let b = Station.get (Tap.open_ ~name:"weir%d" ()) in
  Alcotest.(check (list string)) "numbered" [ "weir0"; "weir1" ] [ a#name; b#name ];
  check "mtu" 1_500 a#mtu;
  Alcotest.(check bool) "is there" true (is_there "weir0");
  a#close;
  a#close;
  b#close;
  Alcotest.(check bool) "is gone" false (is_there "weir0")

let bad_names () =
  let refused name reason =
    error name
      (Printf.sprintf "%S cannot be an interface's name: %s" name reason)
      (Tap.open_ ~name ())
  in
  refused "" "it is empty";
  refused "sixteen-bytes-xx" "it is longer than 15 bytes";
  refused "a/b" "it has a space, a control character, a slash or a colon";
  refused "a b" "it has a space, a control character, a slash or a colon";
  refused "a\000b" "it has a space, a control character, a slash or a colon";
  refused ".." "it is a directory name"

let busy () =
  Netns.needed ();
  let a = Station.get (Tap.open_ ~name:"weir0" ()) in
  error "busy" "weir0 is in use by another process: end that process or choose another name"
    (Tap.open_ ~name:"weir0" ());
  a#close;
  (Station.get (Tap.open_ ~name:"weir0" ()))#close

let queues () =
  Netns.needed ();
  let all = Station.get (Tap.open_queues ~name:"weir0" 3) in
  check "queues" 3 (List.length all);
  let other =
    "weir0 was made for one queue where several are needed, or for several where one is: delete \
     it, and make it again by `ip tuntap add dev weir0 mode tap`, for several with `multi_queue` \
     at the end"
  in
  error "one of several" other (Tap.open_ ~name:"weir0" ());
  let more = Station.get (Tap.open_queues ~name:"weir0" 2) in
  List.iter (fun q -> q#close) (all @ more);
  Alcotest.(check bool) "gone with the last" false (is_there "weir0");
  let one = Station.get (Tap.open_ ~name:"weir0" ~persistent:true ()) in
  one#close;
  error "several of one" other (Result.map List.hd (Tap.open_queues ~name:"weir0" 2));
  (Station.get (Tap.open_ ~name:"weir0" ~persistent:false ()))#close;
  error "too many" "weir0 has no more queues: the kernel allows 256"
    (Result.map List.hd (Tap.open_queues ~name:"weir0" 300));
  Alcotest.(check bool) "nothing left open" false (is_there "weir0")

let not_a_tap () =
  Netns.needed ();
  error "lo" "lo exists but is not a TAP device: choose another name" (Tap.open_ ~name:"lo" ())

let mtu () =
  Netns.needed ();
  let a = Station.get (Tap.open_ ~name:"weir0" ~mtu:9_000 ()) in
  check "the link's" 9_000 a#mtu;
  check "the interface's" 9_000 (Station.get (Interface.mtu "weir0"));
  a#close;
  error "no such MTU" "SIOCSIFMTU (weir0): Invalid argument" (Tap.open_ ~name:"weir0" ~mtu:1 ());
  Alcotest.(check bool) "nothing left open" false (is_there "weir0")

let persistent () =
  Netns.needed ();
  (Station.get (Tap.open_ ~name:"weir0" ~persistent:true ()))#close;
  Alcotest.(check bool) "stays" true (is_there "weir0");
  (Station.get (Tap.open_ ~name:"weir0" ()))#close;
  Alcotest.(check bool) "stays still" true (is_there "weir0");
  (Station.get (Tap.open_ ~name:"weir0" ~persistent:false ()))#close;
  Alcotest.(check bool) "goes" false (is_there "weir0")

(* What [f ()] says in a process of its own. *)
let elsewhere f =
  let from_child, to_parent = Unix.pipe ~cloexec:true () in
  match Unix.fork () with
  | 0 ->
      let text = try f () with e -> Printexc.to_string e in
      ignore (Unix.write_substring to_parent text 0 (String.length text) : int);
      Unix._exit 0
  | pid ->
      Unix.close to_parent;
      let text = In_channel.input_all (Unix.in_channel_of_descr from_child) in
      ignore (Unix.waitpid [] pid : int * Unix.process_status);
      Unix.close from_child;
      text

let outcome = function Ok _ -> "no error" | Error e -> message e
let open_to_all () = (Unix.stat "/dev/net/tun").st_perm land 0o006 = 0o006

let without_permission () =
  Netns.needed ();
  Netns.needs_root ();
  let said =
    elsewhere (fun () ->
        Unix.setuid 65_534;
        String.concat "\n"
          [ outcome (Tap.open_ ~name:"weir0" ()); outcome (Interface.set_down "lo") ])
  in
  let needs action =
    Printf.sprintf
      "not permitted to %s: it needs root or CAP_NET_ADMIN; try `sudo`, or let root make the \
       device for you once: `ip tuntap add dev tap0 mode tap user $USER`, `ip link set tap0 up`"
      action
  in
  Alcotest.(check string)
    "each"
    (String.concat "\n"
       [
         (if open_to_all () then needs "open the TAP device weir0"
          else
            "not permitted to open /dev/net/tun: try `sudo`, or let root open it to all users with \
             `chmod 666 /dev/net/tun`");
         needs "bring down lo";
       ])
    said

let without_driver () =
  Netns.needed ();
  let empty = Filename.temp_dir "weir" "root" in
  let said =
    elsewhere (fun () ->
        Unix.chroot empty;
        outcome (Tap.open_ ()))
  in
  Unix.rmdir empty;
  Alcotest.(check string)
    "what to do"
    "there is no /dev/net/tun: load its driver with `modprobe tun`, or give the container \
     `--device /dev/net/tun`"
    said

(* O_NONBLOCK and O_CLOEXEC, as the kernel shows them. *)
let flags () =
  Netns.needed ();
  let a = Station.get (Tap.open_ ()) in
  let device fd = try Unix.readlink ("/proc/self/fd/" ^ fd) = "/dev/net/tun" with _ -> false in
  let fds = List.filter device (Array.to_list (Sys.readdir "/proc/self/fd")) in
  check "one descriptor" 1 (List.length fds);
  let info = In_channel.with_open_bin ("/proc/self/fdinfo/" ^ List.hd fds) In_channel.input_all in
  let flags = Scanf.sscanf info "pos: %d flags: %s" (fun _ f -> int_of_string ("0o" ^ f)) in
  check "non-blocking, closed on exec" 0o2004000 (flags land 0o2004000);
  a#close

let interface () =
  Netns.needed ();
  let a = Station.get (Tap.open_ ~name:"weir0" ~up:false ()) in
  let up () = Station.get (Interface.is_up "weir0") in
  Alcotest.(check bool) "down at first" false (up ());
  Station.get (Interface.set_up "weir0");
  Alcotest.(check bool) "up" true (up ());
  Station.get (Interface.set_down "weir0");
  Alcotest.(check bool) "down" false (up ());
  Station.get (Interface.set_up "weir0");
  Station.get (Interface.set_address "weir0" (Ipaddr.of_string_exn "fd00::9") ~prefix:64);
  let inet6 = In_channel.with_open_bin "/proc/net/if_inet6" In_channel.input_all in
  Alcotest.(check bool)
    "IPv6 address" true
    (List.exists
       (fun l -> String.starts_with ~prefix:"fd000000000000000000000000000009" l)
       (String.split_on_char '\n' inet6));
  error "prefix" "prefix length (weir0): Invalid argument"
    (Interface.set_address "weir0" (Ipaddr.of_string_exn "10.0.0.1") ~prefix:33);
  a#close;
  error "no interface" "there is no interface weir0: `ip link` lists the interfaces"
    (Interface.set_up "weir0")

let address = Alcotest.testable Ipaddr.V4.Prefix.pp (fun a b -> Ipaddr.V4.Prefix.compare a b = 0)

(* A device for a program is up, and its other side has an address if it is given
   one; what is missing is said, with the command that helps. *)
let for_a_program () =
  Netns.needed ();
  let reaches = Interface.reaches "weir0" in
  let host = Ipaddr.Prefix.of_string_exn in
  let missing what remedy network =
    error what
      (Printf.sprintf "this machine does not reach %s through weir0, which %s: run `%s`"
         (Ipaddr.to_string (Ipaddr.Prefix.address (host network))) what remedy)
      (reaches (host network))
  in
  let no_address = "has no address in its network" in
  let a = Station.get (Tap.open_ ~name:"weir0" ~up:false ()) in
  missing "is down" "ip link set weir0 up" "10.9.8.11/24";
  a#close;
  let a = Station.get (Tap.open_ ~name:"weir0" ()) in
  Alcotest.(check bool) "up" true (Station.get (Interface.is_up "weir0"));
  Alcotest.(check (option address)) "no address" None (Station.get (Interface.address "weir0"));
  missing no_address "ip addr add 10.9.8.1/24 dev weir0" "10.9.8.11/24";
  missing no_address "ip addr add 10.9.8.2/24 dev weir0" "10.9.8.1/24";
  missing no_address "ip addr add 10.9.8.10/31 dev weir0" "10.9.8.11/31";
  missing no_address "ip addr add 10.9.8.11/31 dev weir0" "10.9.8.10/31";
  missing no_address "ip route add 10.9.8.11/32 dev weir0" "10.9.8.11/32";
  a#close;
  let kernel = "10.9.8.1/24" in
  let a = Station.get (Tap.open_ ~name:"weir0" ~kernel ()) in
  Alcotest.(check (option address)) "its address" (Some (Ipaddr.V4.Prefix.of_string_exn kernel)) (Station.get (Interface.address "weir0"));
  Station.get (reaches (host "10.9.8.11/24"));
  missing no_address "ip addr add 10.9.9.1/24 dev weir0" "10.9.9.11/24";
  missing no_address "ip -6 addr add fd09::1/64 dev weir0" "fd09::11/64";
  missing no_address "ip -6 addr add fd09::2/64 dev weir0" "fd09::1/64";
  missing no_address "ip -6 route add fd09::11/128 dev weir0" "fd09::11/128";
  a#close;
  let a = Station.get (Tap.open_ ~name:"weir0" ~kernel:"10.9.8.1/24,fd09::1/64" ()) in
  Station.get (reaches (host "fd09::11/64"));
  Station.get (reaches (host "10.9.8.11/24"));
  a#close;
  error "no address" "\"10.9.8.1\" cannot be an interface's address: it must be an address with a prefix length, such as 10.0.0.1/24 or fd00::1/64"
    (Tap.open_ ~name:"weir0" ~kernel:"10.9.8.1" ())
  [@@ocamlformat "disable"]

(* Root has made it ready: a user may open it as it is. *)
let made_ready () =
  Netns.needed ();
  Netns.needs_root ();
  if not (open_to_all ()) then Suite.skip "/dev/net/tun is root's alone";
  Suite.needs_program "ip";
  let ip args = check args 0 (Sys.command ("ip " ^ args)) in
  ip "tuntap add dev weir0 mode tap user 65534";
  ip "addr add 10.9.8.1/24 dev weir0";
  let try_it kernel =
    elsewhere (fun () ->
        Unix.setuid 65_534;
        outcome (Tap.open_ ~name:"weir0" ~kernel ()))
  in
  let starts what prefix s =
    if not (String.starts_with ~prefix s) then Alcotest.failf "%s: %s" what s
  in
  starts "down" "not permitted to bring up weir0" (try_it "10.9.8.1/24");
  ip "link set weir0 up";
  starts "ready" "no error" (try_it "10.9.8.1/24");
  starts "another address" "not permitted to set the address of weir0" (try_it "10.9.8.2/24");
  ip "link delete weir0"

let routes () =
  Netns.needed ();
  let a = Station.get (Tap.open_ ~name:"weir0" ()) in
  Station.get (Interface.set_address "weir0" (Ipaddr.of_string_exn "10.9.8.1") ~prefix:28);
  Station.get (Interface.set_up "weir0");
  let table = In_channel.with_open_bin "/proc/net/route" In_channel.input_all in
  let words l =
    List.filter (( <> ) "")
      (String.split_on_char ' ' (String.map (fun c -> if c = '\t' then ' ' else c) l))
  in
  let route =
    List.find_opt
      (fun l -> match words l with "weir0" :: _ -> true | _ -> false)
      (String.split_on_char '\n' table)
  in
  (match Option.map words route with
  | Some (_ :: destination :: _ :: _ :: _ :: _ :: _ :: mask :: _) ->
      Alcotest.(check (pair string string))
        "10.9.8.0/28" ("0008090A", "F0FFFFFF") (destination, mask)
  | _ -> Alcotest.fail "no route");
  a#close

(* Asking whether there could be another namespace leaves this one as it is. *)
let possible () =
  Netns.needed ();
  let a = Station.get (Tap.open_ ~name:"weir0" ()) in
  Station.get (Namespace.possible ());
  Station.get (Tap.available ());
  Alcotest.(check bool) "the device is still here" true (is_there "weir0");
  check "root in the namespace" 0 (Unix.geteuid ());
  a#close

let sysctl () =
  Netns.needed ();
  Station.get (Namespace.sysctl "net.ipv4.ip_default_ttl" "77");
  Alcotest.(check string)
    "set" "77\n"
    (In_channel.with_open_bin "/proc/sys/net/ipv4/ip_default_ttl" In_channel.input_all);
  error "unknown" "open (/proc/sys/net/ipv4/no_such_thing): No such file or directory"
    (Namespace.sysctl "net.ipv4.no_such_thing" "1")

let cases =
  [
    Suite.case "names" names;
    Suite.case "whether there can be a namespace" possible;
    Suite.case "bad names" bad_names;
    Suite.case "a name in use" busy;
    Suite.case "a name of something else" not_a_tap;
    Suite.case "queues" queues;
    Suite.case "MTU" mtu;
    Suite.case "persistent devices" persistent;
    Suite.case "without permission" without_permission;
    Suite.case "without the driver" without_driver;
    Suite.case "descriptor flags" flags;
    Suite.case "interfaces" interface;
    Suite.case "ready for a program" for_a_program;
    Suite.case "ready for a user" made_ready;
    Suite.case "an address makes a route" routes;
    Suite.case "kernel parameters" sysctl;
  ]

open Ask
open Question
module Sockopt = Eio.Net.Sockopt

type _ Sockopt.t += Nobody_knows : int Sockopt.t
type 'a showing = 'a Sockopt.t -> 'a -> string

let value : 'a showing =
 fun o v ->
  let s = Fmt.str "%a" Sockopt.pp_binding (o, v) in
  match String.index_opt s '=' with
  | Some i -> String.sub s (i + 2) (String.length s - i - 2)
  | None -> s

(* A size that the system's settings choose. *)
let size _ n = if n > 0 then "some" else string_of_int n
let some_name _ (_ : string) = "a name"

let sockets w =
  let l = listen w in
  let _, c = pair_on w l in
  (l, c, datagram w w.client)

(* The same answer of all three is one. *)
let of_three (l, c, d) (f : [ `Socket ] Eio.Resource.t -> string) =
  let l = f (l :> [ `Socket ] Eio.Resource.t) in
  let c = f (c :> [ `Socket ] Eio.Resource.t) in
  let d = f (d :> [ `Socket ] Eio.Resource.t) in
  if l = c && c = d then l
  else if l = c then Printf.sprintf "TCP %s, UDP %s" c d
  else Printf.sprintf "listener %s, stream %s, datagrams %s" l c d

let get ?(show = value) o s = tried (fun () -> show o (Eio.Net.getsockopt s o))

let set_get ?show o v s =
  tried (fun () ->
      Eio.Net.setsockopt s o v;
      get ?show o s)

(* What it is at first, and once it was set. *)
let option ?why ?root ?(default = value) ?show o v =
  ask ?why ?root
    (Fmt.str "%a, then set to %s" Sockopt.pp o (value o v))
    (fun w ->
      let three = sockets w in
      of_three three (get ~show:default o) >> fun () -> of_three three (set_get ?show o v))

let known =
  let open Sockopt in
  let open Eio_unix.Net in
  ([
     option SO_REUSEADDR true;
     option SO_REUSEPORT true;
     option SO_BROADCAST true;
     option SO_KEEPALIVE true;
     option SO_DONTROUTE true;
     option SO_OOBINLINE true;
     option SO_DEBUG ~root:true true;
     option IPV6_ONLY true;
     option TCP_NODELAY true;
     option TCP_KEEPIDLE 77;
     option TCP_KEEPINTVL 7;
     option TCP_KEEPCNT 7;
     option TCP_CONGESTION ~default:some_name "reno";
     option ~why:Because.exact SO_SNDBUF ~default:size 20_000;
     option ~why:Because.exact SO_RCVBUF ~default:size 20_000;
     option SO_RCVLOWAT 10;
     option SO_SNDLOWAT 10;
     option SO_LINGER (Some 7);
     option SO_RCVTIMEO 1.5;
     option SO_SNDTIMEO 1.5;
     option (Sockopt_int SO_TYPE) 7;
     option (Sockopt_int SO_ERROR [@alert "-deprecated"]) 7;
     option (Sockopt_bool SO_ACCEPTCONN) true;
     option ~why:Because.hosts_ttl IP_TTL 7;
     option ~why:Because.not_there ~default:size ~show:size TCP_MAXSEG 1_000;
     option ~default:size ~show:size IP_MTU 1_000;
     option ~why:Because.not_there TCP_CORK true;
     option ~why:Because.not_there TCP_USER_TIMEOUT 7_000;
     option ~why:Because.not_there TCP_LINGER2 (Some 7);
     option ~why:Because.not_there TCP_DEFER_ACCEPT 7;
     option ~why:Because.not_there TCP_SYNCNT 3;
     option ~why:Because.not_there ~default:size TCP_WINDOW_CLAMP 20_000;
     option ~why:Because.not_there TCP_QUICKACK false;
     option ~why:Because.not_there TCP_FASTOPEN 7;
     option ~why:Because.not_there IP_FREEBIND true;
     option IP_BIND_ADDRESS_NO_PORT true;
     option ~why:Because.not_there IP_LOCAL_PORT_RANGE (40_000, 41_000);
     option ~why:Because.follows IP_MTU_DISCOVER `Dont;
   ]
    : Question.t list)

let set_to ?why ?show o v =
  ask ?why
    (Fmt.str "%a set to %s" Sockopt.pp o (value o v))
    (fun w ->
      let _, c, _ = sockets w in
      set_get ?show o v c)

let values : Question.t list =
  let open Sockopt in
  [
    set_to TCP_KEEPIDLE (-1);
    set_to TCP_KEEPIDLE 0;
    set_to TCP_KEEPIDLE 32_767;
    set_to TCP_KEEPIDLE 32_768;
    set_to TCP_KEEPINTVL 0;
    set_to TCP_KEEPINTVL (-1);
    set_to TCP_KEEPCNT 0;
    set_to TCP_KEEPCNT (-1);
    set_to TCP_KEEPCNT 128;
    set_to TCP_CONGESTION "nosuch";
    set_to ~why:Because.no_time ~show:(fun _ _ -> "set") SO_LINGER (Some (-1));
    set_to SO_LINGER (Some 0);
    set_to SO_LINGER None;
    set_to SO_RCVTIMEO (-1.);
    set_to SO_RCVTIMEO (-0.5);
    set_to SO_SNDTIMEO 0.;
    set_to SO_SNDBUF 0;
    set_to ~show:size SO_SNDBUF (-1);
    set_to SO_RCVBUF 0;
    set_to SO_RCVLOWAT 0;
    set_to ~show:size SO_RCVLOWAT (-1);
    set_to IP_TTL 0;
    set_to IP_TTL 256;
  ]

let error_number s =
  string_of_int (Eio.Net.getsockopt s (Eio_unix.Net.Sockopt_int SO_ERROR [@alert "-deprecated"]))

let uses : Question.t list =
  let open Sockopt in
  [
    ask "in connect ~options" (fun w ->
        let _, c =
          pair w ~options:[ (SO_KEEPALIVE, true); (TCP_KEEPIDLE, 7); (TCP_NODELAY, true) ]
        in
        Fmt.str "%b %d %b"
          (Eio.Net.getsockopt c SO_KEEPALIVE)
          (Eio.Net.getsockopt c TCP_KEEPIDLE)
          (Eio.Net.getsockopt c TCP_NODELAY));
    ask ~hangs:true "a bad one in connect ~options" (fun w ->
        let l = listen w in
        connected w (fun () -> connect ~options:[ (TCP_KEEPIDLE, 0) ] w) >> fun () -> accepted w l);
    ask ~hangs:true "an unknown one in connect ~options" (fun w ->
        let l = listen w in
        connected w (fun () -> connect ~options:[ (SO_SNDLOWAT, 7) ] w) >> fun () -> accepted w l);
    ask ~why:Because.stays "SO_ERROR after a reset, then read" (fun w ->
        let s, c = pair w in
        reset s;
        settle w;
        let first = error_number c in
        let second = error_number c in
        (first >> fun () -> second) >> fun () -> read w c);
    ask "SO_ERROR after a read told the reset" (fun w ->
        let s, c = pair w in
        reset s;
        settle w;
        read w c >> fun () -> error_number c);
    ask "SO_ERROR after the peer closed" (fun w ->
        let s, c = pair w in
        close s;
        settle w;
        error_number c);
    ask "set and get after a reset" (fun w ->
        let s, c = pair w in
        reset s;
        settle w;
        set_get TCP_NODELAY true c >> fun () -> set_get SO_KEEPALIVE true c);
    ask "SO_SNDBUF and SO_RCVBUF of 20,000 bound what is under way" (fun w ->
        let l = listen w in
        Eio.Net.setsockopt l SO_RCVBUF 20_000;
        let _, c = pair_on w l ~options:[ (SO_SNDBUF, 20_000) ] in
        string_of_bool (fill w c < 150_000));
    ask "SO_RCVBUF of 10,000: 50 datagrams of 1,000 bytes" (fun w ->
        let s = at_port w in
        let c = datagram w w.client in
        Eio.Net.setsockopt s SO_RCVBUF 10_000;
        for _ = 1 to 50 do
          Eio.Net.send c ~dst:(udp w.at w.port) [ Cstruct.create 1_000 ]
        done;
        settle w;
        let rec count n =
          let next () =
            Eio.Time.Timeout.run (Eio.Time.Timeout.seconds w.clock 0.3) @@ fun () ->
            Ok (Eio.Net.recv s (Cstruct.create 1_000))
          in
          match next () with Ok _ -> count (n + 1) | Error `Timeout -> n
        in
        let n = count 0 in
        string_of_bool (n > 0 && n < 30));
    ask "SO_REUSEADDR as listen was asked" (fun w ->
        let l = listen ~reuse_addr:true w in
        let s, _ = pair_on w l in
        get SO_REUSEADDR l >> fun () -> get SO_REUSEADDR s);
    ask "SO_REUSEPORT as listen was asked" (fun w ->
        let l = listen ~reuse_port:true w in
        let s, _ = pair_on w l in
        get SO_REUSEPORT l >> fun () -> get SO_REUSEPORT s);
    ask "by the names of Unix" (fun w ->
        let _, c, _ = sockets w in
        let open Eio_unix.Net in
        set_get (Sockopt_bool SO_KEEPALIVE) true c >> fun () ->
        get SO_KEEPALIVE c >> fun () ->
        set_get (Sockopt_int SO_RCVLOWAT) 3 c >> fun () ->
        set_get (Sockopt_optint SO_LINGER) (Some 4) c >> fun () ->
        set_get (Sockopt_float SO_RCVTIMEO) 1.5 c >> fun () ->
        set_get (Sockopt_bool TCP_NODELAY) true c);
    ask "an option that nobody knows" (fun w ->
        let _, c, _ = sockets w in
        set_get Nobody_knows 1 c >> fun () -> get Nobody_knows c);
  ]

let questions =
  group "options" known @ group "values of options" values @ group "options in use" uses

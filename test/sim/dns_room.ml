(* DNS servers of worlds, and hosts that ask them. *)

open Eio.Std
open Room
module Zone = Weir_sim.Dns_server

let zone =
  [
    Zone.a "www.example" "10.0.0.1";
    Zone.a "two.example" "10.0.0.99";
    Zone.a "two.example" "10.0.0.1";
    Zone.aaaa "both.example" "fd00::1";
    Zone.a "both.example" "10.0.0.1";
    Zone.a "dead.example" "10.0.0.99";
    Zone.aaaa "six.example" "fd00::1";
    Zone.aaaa "dual.example" "2001:db8::1";
    Zone.a "dual.example" "10.0.0.1";
    Zone.aaaa "only6.example" "2001:db8::1";
    Zone.aaaa "half.example" "2001:db8::99";
    Zone.a "half.example" "10.0.0.1";
    Zone.a "host.corp.example" "10.0.0.7";
    ("alias.example", 60, CNAME (Zone.name "www.example"));
    ("1.0.0.10.in-addr.arpa", 60, PTR (Zone.name "www.example"));
    ("2.0.0.10.in-addr.arpa", 60, PTR (Domain_name.of_strings_exn [ "no host"; "example" ]));
    ("big.example", 60, TXT (List.init 8 (fun _ -> String.make 250 'x')));
  ]
  @ List.init 20 (fun i -> Zone.a (Printf.sprintf "h%d.example" i) (Printf.sprintf "10.3.0.%d" i))

let resolver = Ipaddr.of_string_exn "10.0.0.53"
let other = Ipaddr.of_string_exn "10.0.0.54"

let dns ?udp ?tcp ?(zone = zone) () (h : Weir_sim.host) =
  Switch.run @@ fun sw ->
  Zone.serve ~sw ~net:h.net ?udp ?tcp zone;
  Fiber.await_cancel ()

let dns_at ?udp ?tcp ?zone world lan a =
  Weir_sim.host world lan (Ipaddr.to_string a ^ "/24") ~main:(dns ?udp ?tcp ?zone ())

let client ?(resolvers = [ resolver ]) ?search world lan =
  Weir_sim.host world lan "10.0.0.2/24" ~resolvers ?search

(* A host whose driver the test may ask directly. *)
let own ?(resolvers = [ resolver ]) ?search ~sw world lan =
  let random = Random.State.make [| Weir_sim.seed world |] in
  Weir_eio.host ~sw ~clock:(Weir_sim.mono_clock world) ~random ~linger_ns:0
    ~link:(Weir_sim.link world lan) ~address:"10.0.0.9/24" ~resolvers ?search ()

let addresses net node =
  match Eio.Net.getaddrinfo_stream ~service:"80" net node with
  | l ->
      String.concat " "
        (List.map (function `Tcp (a, _) -> Fmt.str "%a" Eio.Net.Ipaddr.pp a | `Unix _ -> "?") l)
  | exception Eio.Io (Eio.Net.E (Address_lookup_failed e), _) -> Eio.Net.Getaddrinfo_error.to_tag e

let is net node want = check_string node want (addresses net node)

let until_answered world f =
  let began = seconds world in
  let got = f () in
  (got, seconds world -. began)

let in_world f () = Weir_sim.run f

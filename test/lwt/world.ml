open Lwt.Syntax
open Weir_link
module Connection = Weir_lwt.Connection
module Network = Weir_lwt.Network
module Error = Weir_lwt.Error

let server_address = "10.0.0.1"
let ip = Ipaddr.of_string_exn

type t = { a : Weir_lwt.host; b : Weir_lwt.host }
type wrap = Weir_link.Link.t -> Weir_link.Link.t

let make ?clock ?config ?(wrap = fun l -> l) () =
  let link_a, link_b = Memory.pair () in
  let host n link address =
    Weir_lwt.host ?clock ?config ~random:(Random.State.make [| n |]) ~link ~address ()
  in
  { a = host 1 link_a (server_address ^ "/24"); b = host 2 (wrap link_b) "10.0.0.2/24" }

let close w =
  let* () = Weir_lwt.Host.close w.a in
  Weir_lwt.Host.close w.b

let limited clock ~s p =
  Lwt.pick
    [
      p;
      (let* () = Weir_lwt.Clock.sleep clock (Weir_base.Time.s s) in
       Alcotest.failf "not over after %d s" s);
    ]

let run_virtual ?config ?wrap f =
  let time = Weir_lwt.Virtual_clock.create () in
  let clock = Weir_lwt.Virtual_clock.clock time in
  Weir_lwt.Virtual_clock.run time (fun () ->
      let w = make ~clock ?config ?wrap () in
      let* () = limited clock ~s:600 (f w) in
      close w)

let run_real ?config ?wrap f =
  Lwt_main.run
    (let w = make ?config ?wrap () in
     let* () = limited Weir_lwt.Clock.system ~s:60 (f w) in
     close w)

let ok = Error.get
let get_ok = function Ok x -> x | Error e -> Alcotest.failf "%a" Error.pp e
let listen ?(backlog = 16) ?(port = 80) w = get_ok (Network.listen w.a ~port ~backlog)
let connect ?(port = 80) w = ok (Network.connect w.b (ip server_address) ~port)
let both a b = Lwt.map ignore (Lwt.both a b)

let pair w =
  let l = listen w in
  let* s, c = Lwt.both (ok (Network.accept l)) (connect w) in
  let* () = Network.close_listener l in
  Lwt.return (s, c)

let read_all c =
  let out = Buffer.create 65_536 and b = Bytes.create 65_536 in
  let rec go () =
    let* n = ok (Connection.read c b ~off:0 ~len:65_536) in
    if n = 0 then Lwt.return (Buffer.contents out)
    else (
      Buffer.add_subbytes out b 0 n;
      go ())
  in
  go ()

let write c s = ok (Connection.write_string c s)
let pattern = Weir_test.Text.random
let digest s = Digest.to_hex (Digest.string s)
let same name a b = Alcotest.(check string) name (digest a) (digest b)

let fails name expected p =
  let* r = p in
  match r with
  | Ok _ -> Alcotest.failf "%s: no error" name
  | Error e when expected e -> Lwt.return_unit
  | Error e -> Alcotest.failf "%s: %a" name Error.pp e

let closed_locally e = e = Error.Closed_locally
let is_reset e = e = Error.Tcp Reset
let impaired = Weir_test.Bad_link.wrap

let idle_second () =
  let meter = Weir_test.Idle.start () in
  let+ () = Lwt_unix.sleep 1.0 in
  Weir_test.Idle.check (Weir_test.Idle.used meter)

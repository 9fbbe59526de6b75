open Weir_programs
module Suite = Weir_test.Suite

type t = {
  env : Programs.env;
  sw : Eio.Switch.t;
  link : World.link;
  server : Programs.running;
  dir : string;
  capture : string;
}

let files =
  List.map
    (fun (name, length) -> (name, Tcp_tests.data length))
    [
      ("index.html", 2_053);
      ("one", 1);
      ("empty", 0);
      ("big.bin", 10_000_000);
      ("a folder/and another/deep.txt", 1_461);
      ("a folder/index.html", 100);
      ("100% & more; #1?.txt", 65_536);
      ("caf\xc3\xa9/\xe6\xb0\xb4.txt", 65_537);
      ("plus+and=eq,'q'.txt", 1_460);
    ]

let encode name =
  String.concat ""
    (List.map
       (fun c ->
         match c with
         | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '/' | '.' | '-' | '_' | '~' -> String.make 1 c
         | c -> Printf.sprintf "%%%02X" (Char.code c))
       (List.of_seq (String.to_seq name)))

let url name = Printf.sprintf "http://%s/%s" World.weir (encode name)

let rec make_folder path =
  if not (Sys.file_exists path) then (
    make_folder (Filename.dirname path);
    Sys.mkdir path 0o755)

let make_site root =
  List.iter
    (fun (name, content) ->
      let path = Filename.concat root name in
      make_folder (Filename.dirname path);
      Programs.write path content)
    files

let answers t =
  Alcotest.(check string)
    "one byte" (List.assoc "one" files)
    (Programs.succeed t.env [ "curl"; "-sS"; "--max-time"; "10"; url "one" ])

let gone () = Result.is_error (Weir_tap.Interface.mtu "tap0")

(* The link's name for the command, and the kernel's end. *)
let link_of : World.link -> string * string = function
  | Tap -> ("tap:tap0", "tap0")
  | Tun -> ("tun:tun0", "tun0")
  | Packet -> ("packet:weir0", "veth0")
  | Xdp -> ("xdp:weir0", "veth0")

let interrupt t =
  let began = Unix.gettimeofday () in
  let status = Programs.finish ~signal:Sys.sigint ~seconds:10. t.server in
  let took = Unix.gettimeofday () -. began in
  if status <> 0 then Alcotest.failf "status %d after SIGINT:\n%s" status (Programs.output t.server);
  if took > 6. then Alcotest.failf "it took %.1f s to end" took;
  if t.link = World.Tap then Alcotest.(check bool) "the TAP is released" true (gone ())

let running pid = match Unix.kill pid 0 with () -> true | exception Unix.Unix_error _ -> false

let make_pair (link : World.link) ~sw =
  if World.on_veth link then (
    Weir_test.Veth.make "veth0" "weir0";
    Eio.Switch.on_release sw (fun () -> Weir_test.Veth.delete "veth0"))

let with_server ?(link = World.Tap) ?(arguments = []) ?(record = true)
    ?(prepare = fun ~sw:_ _ ~dir:_ -> ()) f =
  World.needed link;
  Suite.needs_program "curl";
  Programs.with_scratch @@ fun dir ->
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let root = Filename.concat dir "site" and capture = Filename.concat dir "serve.pcap" in
  let name, interface = link_of link in
  make_site root;
  make_pair link ~sw;
  prepare ~sw env ~dir;
  let arguments =
    [ root; "--quiet"; "--link"; name; "--address"; World.weir ^ "/24" ]
    @ (if record then [ "--pcap"; capture ] else [])
    @ arguments
  in
  let server = Programs.start ~sw env ~ready:"serving" (Programs.weir "serve" arguments) in
  World.configure_tap interface ~address:World.kernel;
  if World.on_veth link then Weir_test.Veth.await interface "weir0";
  let t = { env; sw; link; server; dir; capture } in
  f t;
  if running (Programs.pid server) then (
    answers t;
    interrupt t)

let weir_ip = "10.0.0.11"
let weir_ipv6 = "fd00::11"
let addresses = [ ("", weir_ip, weir_ip); (" -6", weir_ipv6, "[" ^ weir_ipv6 ^ "]") ]

let ( let* ) r f =
  match r with Ok x -> f x | Error e -> Fail.failed "%s" (Fmt.str "%a" Weir_tap.Error.pp e)

let has program =
  String.split_on_char ':' (Option.value (Sys.getenv_opt "PATH") ~default:"")
  |> List.exists (fun d -> Sys.file_exists (Filename.concat d program))

let available () =
  match Result.bind (Weir_tap.Namespace.possible ()) Weir_tap.Tap.available with
  | Error e -> Error (Fmt.str "%a" Weir_tap.Error.pp e)
  | Ok () -> (
      match List.filter (fun p -> not (has p)) [ "curl"; "ping" ] with
      | [] -> Ok ()
      | missing -> Error (String.concat " and " missing ^ ": not installed"))

(* -- in the namespace ---------------------------------------------------- *)

let check name ok detail = Printf.printf "%s|%s|%s\n%!" name (if ok then "ok" else "FAILED") detail

let lines_of command =
  let ic = Unix.open_process_in command in
  let text = In_channel.input_all ic in
  match Unix.close_process_in ic with
  | WEXITED s -> (s, text)
  | WSIGNALED _ | WSTOPPED _ -> (255, text)

let in_systhread f = Eio_unix.run_in_systhread ~label:"demo" f
let encode path = String.concat "%20" (String.split_on_char ' ' path)

let curl dir ~host (path, content) =
  let out = Filename.concat dir "fetched" in
  let url = Printf.sprintf "http://%s/%s" host (encode path) in
  let status, speed =
    lines_of
      (Filename.quote_command "curl"
         [ "-s"; "-f"; "-g"; "-m"; "20"; "-o"; out; "-w"; "%{speed_download}"; url ])
  in
  let got = if Sys.file_exists out then In_channel.with_open_bin out In_channel.input_all else "" in
  if Sys.file_exists out then Sys.remove out;
  (status = 0 && got = content, Option.value (float_of_string_opt speed) ~default:0.)

let fetch_all dir (option, _, host) =
  let results = List.map (curl dir ~host) (Demo_site.files ()) in
  let same = List.length (List.filter fst results) in
  let fastest = List.fold_left (fun m (_, s) -> max m s) 0. results in
  check ("curl" ^ option)
    (same = List.length results)
    (Printf.sprintf "%d of %d files identical, 10 MB at %.2f Gbit/s" same (List.length results)
       (fastest *. 8. /. 1e9))

let ping (option, address, _) =
  let command = Printf.sprintf "ping%s -q -c 50 -i 0.01 -W 1 %s 2>&1" option address in
  let status, text = lines_of command in
  let rtt =
    List.find_opt (String.starts_with ~prefix:"rtt") (String.split_on_char '\n' text)
    |> Fun.flip Option.bind (fun l -> List.nth_opt (String.split_on_char '/' l) 4)
  in
  let none_lost = List.exists (fun w -> w = "0%") (String.split_on_char ' ' text) in
  check ("ping" ^ option)
    (status = 0 && none_lost)
    (Printf.sprintf "50 sent, %s lost, %s ms on average"
       (if none_lost then "none" else "some")
       (Option.value rtt ~default:"?"))

let serve_and_fetch env sw dir =
  let* tap = Weir_tap.Tap.open_ ~name:"tap0" ~kernel:"10.0.0.1/24,fd00::1/64" () in
  let clock = Eio.Stdenv.mono_clock env in
  let address = Printf.sprintf "%s/24,%s/64" weir_ip weir_ipv6 in
  let host = Weir_eio.host ~sw ~clock ~link:tap ~address () in
  let web =
    Weir_http_eio.Server.create ~sw ~clock
      (Weir_http.Files.handler (Weir_http.Files.memory (Demo_site.files ())))
  in
  let listener = Weir_eio.Network.listen host ~sw ~port:80 ~backlog:16 in
  Eio.Fiber.first
    (fun () -> Weir_http_eio.Server.run_on_host web listener)
    (fun () ->
      (* The test for duplicates takes a second. *)
      Weir_eio.Host.await_source host (Ipaddr.of_string_exn "fd00::1");
      List.iter (fun a -> in_systhread (fun () -> ping a)) addresses;
      List.iter (fun a -> in_systhread (fun () -> fetch_all dir a)) addresses);
  Weir_http_eio.Server.stop web ~timeout_ns:(Weir_base.Time.s 2);
  Weir_eio.shutdown host

let child () =
  Fail.run @@ fun () ->
  let* () = Weir_tap.Namespace.enter () in
  let* () = Weir_tap.Namespace.sysctl "net.ipv4.tcp_congestion_control" "reno" in
  (* The kernel's own address is usable at once. *)
  let* () = Weir_tap.Namespace.sysctl "net.ipv6.conf.default.accept_dad" "0" in
  let dir = Filename.temp_dir "weir" "" in
  Fun.protect ~finally:(fun () -> Sys.rmdir dir) @@ fun () ->
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw -> serve_and_fetch env sw dir

(* -- outside ------------------------------------------------------------- *)

let parse line =
  match String.split_on_char '|' line with
  | [ name; result; detail ] -> Some (name, result = "ok", detail)
  | _ -> None

let run () =
  let status, text =
    lines_of (Filename.quote_command Sys.executable_name [ "demo"; "--in-namespace" ])
  in
  let checks = List.filter_map parse (String.split_on_char '\n' text) in
  if status <> 0 || checks = [] then
    checks
    @ [ ("TAP", false, Printf.sprintf "the part in the namespace ended with status %d" status) ]
  else checks

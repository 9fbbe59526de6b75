open Cmdliner

(* On a memory link the kernel makes the outer connection, so it may resolve names
   too. *)
let resolve_mem env (u : Weir_http.Url.t) =
  match Eio.Net.getaddrinfo_stream ~service:(string_of_int u.port) (Eio.Stdenv.net env) u.host with
  | a :: _ -> a
  | [] -> Fail.failed "%s: no such host" u.host
  | exception Eio.Io _ -> Fail.failed "%s: no such host" u.host

(* The far host of the memory link relays each connection to a kernel socket. *)
let gateway ~sw ~net (peer : Weir_eio.host) ~port target =
  let listener = Weir_eio.Network.listen peer ~sw ~port ~backlog:16 in
  Eio.Fiber.fork_daemon ~sw (fun () ->
      let rec go () =
        let c = Weir_eio.Network.accept listener ~sw in
        Eio.Fiber.fork ~sw (fun () ->
            Eio.Switch.run @@ fun sw ->
            match Eio.Net.connect ~sw net target with
            | kernel ->
                Attach.relay (Weir_eio.Connection.socket c) kernel;
                Weir_eio.Connection.close c
            | exception Eio.Io _ -> Weir_eio.Connection.abort c);
        go ()
      in
      go ())

let copy (r : Weir_http.Client.response) write =
  let b = Bytes.create 65_536 in
  let rec go total =
    match Weir_flow.Flow.read_into r.body b ~off:0 ~len:65_536 with
    | 0 -> total
    | n ->
        write b ~off:0 ~len:n;
        go (total + n)
  in
  go 0

let to_stdout r =
  let total = copy r (fun b ~off ~len -> output stdout b off len) in
  flush stdout;
  total

(* An error page must not replace the file. *)
let write_out output (r : Weir_http.Client.response) =
  match output with
  | None -> to_stdout r
  | Some path when r.head.status < 400 -> Whole_file.write path (copy r)
  | Some _ -> 0

let fetch connection url head output show =
  let client = Weir_http.Client.create (Weir_eio.Connection.flow connection) in
  let meth = if head then `HEAD else `GET in
  match Weir_http.Client.request ~close:true client meth url with
  | Error e -> Fail.failed "%s" (Fmt.str "%a" Weir_http.Error.pp e)
  | Ok r ->
      let status = r.head.status in
      if head || show then (
        Printf.printf "HTTP/1.1 %d\n" status;
        Http.Header.iter (fun k v -> Printf.printf "%s: %s\n" k v) r.head.headers;
        print_newline ());
      let total = if head then 0 else write_out output r in
      if status >= 400 then Fail.failed "the server answered %d" status;
      total

let run (attach : Link_options.t) url output head show timeout =
  let url = match Weir_http.Url.parse url with Ok u -> u | Error e -> Fail.usage "%s" e in
  if timeout <= 0. then Fail.usage "--timeout must be positive";
  if attach.link <> Mem then Link_options.check_name attach url.host;
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let hosts = Attach.hosts ~sw ~clock ~role:`Client attach in
  Attach.unless_gone attach hosts @@ fun () ->
  let node =
    match hosts.peer with
    | None -> url.host
    | Some peer ->
        gateway ~sw ~net:(Eio.Stdenv.net env) peer ~port:url.port (resolve_mem env url);
        Ends.server_ip
  in
  let began = Weir_eio.Host.now hosts.local in
  let total =
    match
      Eio.Time.Timeout.run_exn (Eio.Time.Timeout.seconds clock timeout) @@ fun () ->
      Eio.Switch.run @@ fun sw ->
      let service = string_of_int url.port in
      let c = Attach.looked_up node (fun () -> Weir_eio.connect hosts.local ~sw ~service node) in
      let total = fetch c url head output show in
      Weir_eio.Connection.close c;
      total
    with
    | total -> total
    | exception Eio.Time.Timeout ->
        Fail.failed "no answer within %g s; --timeout sets a longer limit" timeout
    | exception Weir_http.Error.Failed e -> Fail.failed "%s" (Fmt.str "%a" Weir_http.Error.pp e)
  in
  let seconds = float_of_int (Weir_eio.Host.now hosts.local - began) /. 1e9 in
  if output <> None then
    Printf.printf "%d bytes in %.3f s, %.1f Mbit/s\n" total seconds
      (float_of_int (8 * total) /. seconds /. 1e6);
  Weir_eio.shutdown ~timeout_ns:(Weir_base.Time.ms 500) hosts.local

let url =
  Arg.(
    required
    & pos 0 (some string) None
    & info [] ~docv:"URL" ~doc:"The URL, such as http://10.0.0.11/file.")

let output =
  Arg.(
    value
    & opt (some string) None
    & info [ "o"; "output" ] ~docv:"FILE"
        ~doc:
          "Write the body to $(docv). The file appears only when it is complete; an error page is \
           not written.")

let head = Arg.(value & flag & info [ "I"; "head" ] ~doc:"Request only the head, and print it.")
let show = Arg.(value & flag & info [ "i"; "include" ] ~doc:"Print the response's head too.")

let timeout =
  Arg.(value & opt float 60. & info [ "timeout" ] ~docv:"SECONDS" ~doc:"Give up after $(docv).")

let cmd =
  let man =
    [
      `S Manpage.s_examples;
      `P "$(b,weir get http://127.0.0.1:8080/) goes over a memory link, then over a kernel socket.";
      `P "$(b,weir get http://10.0.0.1/big -o big --link tap:tap0 --address 10.0.0.11/24)";
      `P
        "$(b,weir get http://example.org/ --link tap:tap0 --address 10.0.0.11/24 --gateway \
         10.0.0.1 --resolver 10.0.0.1)";
    ]
  in
  Cmd.v
    (Cmd.info "get" ~exits:Fail.exits ~man ~doc:"fetch a URL over Weir's own TCP/IP")
    Term.(
      const (fun a u o h s t -> Fail.run (fun () -> run a u o h s t))
      $ Link_options.client_term $ url $ output $ head $ show $ timeout)

open Weir_lab_harness

let configuration dir =
  Printf.sprintf
    {|daemon off;
user root root;
master_process off;
pid %s/pid;
error_log stderr crit;
events { worker_connections 2048; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  keepalive_timeout 65;
  keepalive_requests 1000000000;
  open_file_cache max=16;
  default_type text/plain;
  client_body_temp_path %s/body;
  proxy_temp_path %s/proxy;
  fastcgi_temp_path %s/fastcgi;
  uwsgi_temp_path %s/uwsgi;
  scgi_temp_path %s/scgi;
  server { listen %d backlog=1024; root %s/site; index index.txt; }
}
|}
    dir dir dir dir dir dir Load.http_port dir

let rec remove path =
  if Sys.is_directory path then begin
    Array.iter (fun f -> remove (Filename.concat path f)) (Sys.readdir path);
    Sys.rmdir path
  end
  else Sys.remove path

let write file text = Out_channel.with_open_bin file (fun oc -> output_string oc text)

let prepare dir =
  let site = Filename.concat dir "site" in
  Sys.mkdir site 0o755;
  Unix.chmod dir 0o755;
  write (Filename.concat site "index.txt") Load.page;
  let file = Filename.concat dir "nginx.conf" in
  write file (configuration dir);
  file

let answers () =
  let fd = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  Fun.protect ~finally:(fun () -> Unix.close fd) @@ fun () ->
  match Unix.connect fd (ADDR_INET (Unix.inet_addr_loopback, Load.http_port)) with
  | () -> true
  | exception Unix.Unix_error (ECONNREFUSED, _, _) -> false

let rec await_answer tries =
  if not (answers ()) then
    if tries = 0 then Child.failed "nginx does not listen"
    else begin
      Unix.sleepf 0.02;
      await_answer (tries - 1)
    end

let serve ~offload =
  Space.joined ~offload;
  let dir = Filename.temp_dir "weir-lab" "" in
  Fun.protect ~finally:(fun () -> remove dir) @@ fun () ->
  (* timeout, in case that this process is killed and cannot end it. *)
  let argv =
    [ "timeout"; "--foreground"; "120"; "nginx"; "-p"; dir; "-e"; "stderr"; "-c"; prepare dir ]
  in
  Child.within ~seconds:infinity argv @@ fun _ ->
  await_answer 100;
  Space.ready ();
  while true do
    Unix.sleep 3600
  done

let unavailable () = if Child.on_path "nginx" then None else Some "needs nginx"

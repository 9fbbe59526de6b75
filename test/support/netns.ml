module Namespace = Weir_tap.Namespace

let reason = ref (Some "Netns.run was not called")

let enter () =
  if Unix.geteuid () <> 0 then Some "needs root"
  else
    match
      Result.bind (Namespace.enter ()) (fun () ->
          Namespace.sysctl "net.ipv4.tcp_congestion_control" "reno")
    with
    | Ok () -> None
    | Error e -> Some (Fmt.str "%a" Weir_tap.Error.pp e)

let run main =
  reason := enter ();
  main ()

let needed () =
  Option.iter Suite.skip !reason;
  if not (Sys.file_exists "/dev/net/tun") then Suite.skip "needs /dev/net/tun"

type t =
  | Unsupported
  | No_driver
  | Closed_driver
  | No_namespace
  | Not_permitted of string
  | Bad_name of { name : string; reason : string }
  | Busy of string
  | Not_tap of string
  | Other_queues of string
  | Too_many_queues of string
  | No_interface of string
  | Bad_address of { address : string; reason : string }
  | Unreachable of { name : string; address : Ipaddr.t; reason : string; remedy : string }
  | No_packet_socket of string
  | Not_ethernet of string
  | No_xdp_library
  | No_xdp_socket of string
  | Other_xdp of string
  | Too_long_for_xdp of { name : string; longest : int }
  | No_zero_copy of string
  | Locked_memory of string
  | System of { call : string; name : string; error : Unix.error }

let on name = if name = "" then "" else " on " ^ name

let pp f = function
  | Unsupported ->
      Fmt.string f "TAP devices, packet sockets and network namespaces exist on Linux only"
  | No_driver ->
      Fmt.string f
        "there is no /dev/net/tun: load its driver with `modprobe tun`, or give the container \
         `--device /dev/net/tun`"
  | Closed_driver ->
      Fmt.string f
        "not permitted to open /dev/net/tun: try `sudo`, or let root open it to all users with \
         `chmod 666 /dev/net/tun`"
  | No_namespace ->
      Fmt.string f
        "not permitted to make a network namespace: it needs root, or user namespaces, which root \
         switches on with `sysctl kernel.unprivileged_userns_clone=1 \
         user.max_user_namespaces=10000`"
  | Not_permitted action ->
      Fmt.pf f
        "not permitted to %s: it needs root or CAP_NET_ADMIN; try `sudo`, or let root make the \
         device for you once: `ip tuntap add dev tap0 mode tap user $USER`, `ip link set tap0 up`"
        action
  | Bad_name { name; reason } -> Fmt.pf f "%S cannot be an interface's name: %s" name reason
  | Busy name ->
      Fmt.pf f "%s is in use by another process: end that process or choose another name" name
  | Not_tap name -> Fmt.pf f "%s exists but is not a TAP device: choose another name" name
  | Other_queues name ->
      Fmt.pf f
        "%s was made for one queue where several are needed, or for several where one is: delete \
         it, and make it again by `ip tuntap add dev %s mode tap`, for several with `multi_queue` \
         at the end"
        name name
  | Too_many_queues name -> Fmt.pf f "%s has no more queues: the kernel allows 256" name
  | No_interface name -> Fmt.pf f "there is no interface %s: `ip link` lists the interfaces" name
  | Bad_address { address; reason } ->
      Fmt.pf f "%S cannot be an interface's address: %s" address reason
  | Unreachable { name; address; reason; remedy } ->
      Fmt.pf f "this machine does not reach %a through %s, which %s: run `%s`" Ipaddr.pp address
        name reason remedy
  | No_packet_socket name ->
      Fmt.pf f
        "not permitted to open a packet socket%s: it needs root or CAP_NET_RAW; try `sudo`, or let \
         root give it to the program once: `setcap cap_net_raw+ep PROGRAM`"
        (on name)
  | Not_ethernet name ->
      Fmt.pf f "%s carries no Ethernet frames: take a network card, or an end of a veth pair" name
  | No_xdp_library ->
      Fmt.string f
        "libxdp is not there: install libxdp-dev and libbpf-dev, and build this program again if \
         it was built without them; or take packet:NAME, which needs neither"
  | No_xdp_socket name ->
      Fmt.pf f
        "not permitted to open an XDP socket%s: it needs root, or CAP_NET_RAW, CAP_NET_ADMIN and \
         CAP_BPF outside of user namespaces; try `sudo`, or take packet:NAME, which needs \
         CAP_NET_RAW only"
        (on name)
  | Other_xdp name ->
      Fmt.pf f
        "%s has another XDP program, or an XDP socket on its first queue: end the process that it \
         belongs to, or remove the program by `ip link set dev %s xdp off`"
        name name
  | Too_long_for_xdp { name; longest } ->
      Fmt.pf f
        "%s has frames that are too long for XDP sockets: run `ip link set %s mtu %d`, on both \
         ends of a veth pair, or take packet:%s"
        name name longest name
  | No_zero_copy name ->
      Fmt.pf f "the driver of %s has no zero-copy for XDP sockets: leave out zero-copy" name
  | Locked_memory name ->
      Fmt.pf f
        "the memory of an XDP socket on %s is more than this user may lock: try `sudo`, or raise \
         `ulimit -l`"
        name
  | System { call; name; error } ->
      Fmt.pf f "%s%s: %s" call
        (if name = "" then "" else Printf.sprintf " (%s)" name)
        (Unix.error_message error)

let longest_name = 15
let is_bad c = c <= ' ' || c = '/' || c = ':' || c = '\127'

let check_name name =
  let bad reason = Error (Bad_name { name; reason }) in
  if name = "" then bad "it is empty"
  else if String.length name > longest_name then
    bad (Printf.sprintf "it is longer than %d bytes" longest_name)
  else if name = "." || name = ".." then bad "it is a directory name"
  else if String.exists is_bad name then
    bad "it has a space, a control character, a slash or a colon"
  else Ok ()

(* A page holds such a frame, with what drivers put before and after it. *)
let longest_for_xdp = 3_498

let of_unix ~action (error : Unix.error) call name =
  match (error, call) with
  | ENOSYS, "libxdp" -> No_xdp_library
  | ENOSYS, _ -> Unsupported
  | (ENOENT | ENODEV | ENXIO), "open /dev/net/tun" -> No_driver
  | (EPERM | EACCES), "open /dev/net/tun" -> Closed_driver
  | (EPERM | EACCES | ENOSPC | EUNKNOWNERR _), "unshare" -> No_namespace
  | (EPERM | EACCES), "packet socket" -> No_packet_socket name
  | EPFNOSUPPORT, "packet socket" -> Not_ethernet name
  | (EPERM | EACCES), ("XDP memory" | "XDP program" | "XDP socket") -> No_xdp_socket name
  | (EBUSY | EEXIST), ("XDP program" | "XDP socket") -> Other_xdp name
  | ENOBUFS, "XDP memory" -> Locked_memory name
  | ERANGE, "XDP program" -> Too_long_for_xdp { name; longest = longest_for_xdp }
  | EOPNOTSUPP, ("XDP program" | "XDP socket") -> No_zero_copy name
  | (EPERM | EACCES), _ -> Not_permitted action
  | EBUSY, "TUNSETIFF" -> Busy name
  | EINVAL, "TUNSETIFF" -> Not_tap name
  | ENODEV, _ -> No_interface name
  | _ -> System { call; name; error }

let catch ~action f =
  match f () with
  | x -> Ok x
  | exception Unix.Unix_error (error, call, name) -> Error (of_unix ~action error call name)

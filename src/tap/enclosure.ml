type address = { address : Ipaddr.t; prefix : int; gateway : Ipaddr.t }

type settings = {
  mtu : int;
  offload : bool;
  v4 : address option;
  v6 : address option;
  resolver : string option;
}

(* The argument of the stub. *)
type how = {
  user_namespace : bool;
  process_namespace : bool;
  with_offload : bool;
  device_mtu : int;
  resolv_conf : string;
  address4 : (string * int) option;
  gateway4 : string;
  address6 : (string * int) option;
  gateway6 : string;
}
[@@warning "-69"]

external start_exn : how -> string array -> int * Unix.file_descr * Unix.file_descr
  = "weir_enclosure_start"

external tell : Unix.file_descr -> int -> bool = "weir_enclosure_tell"
external hear : Unix.file_descr -> int = "weir_enclosure_hear"
external number : int -> int = "weir_enclosure_number"
external signal_of_number : int -> int = "weir_enclosure_signal"
external await_signal : int list -> int * bool = "weir_enclosure_await_signal"

type outcome = Running | Ended of Unix.process_status | Not_executed of Unix.error

type t = {
  pid : int;
  control : Unix.file_descr;
  device : Tap.t;
  mutable outcome : outcome;
  mutable closed : bool;
}

external more_descriptors : unit -> unit = "weir_enclosure_more_descriptors"

let device t = t.device
let descriptor t = t.control

let octets ~length what = function
  | None -> (None, "")
  | Some { address; prefix; gateway } ->
      let a = Ipaddr.to_octets address and g = Ipaddr.to_octets gateway in
      if String.length a <> length || String.length g <> length then
        invalid_arg ("Enclosure.start: an address that is not of " ^ what);
      if prefix < 0 || prefix > 8 * length then invalid_arg "Enclosure.start: prefix length";
      (Some (a, prefix), g)

let how s ~user_namespace ~process_namespace =
  let address4, gateway4 = octets ~length:4 "IPv4" s.v4 in
  let address6, gateway6 = octets ~length:16 "IPv6" s.v6 in
  {
    user_namespace;
    process_namespace;
    with_offload = s.offload;
    device_mtu = s.mtu;
    resolv_conf = Option.value s.resolver ~default:"";
    address4;
    gateway4;
    address6;
    gateway6;
  }

let check command =
  if command = [] then invalid_arg "Enclosure.start: no program";
  if List.exists (fun a -> String.contains a '\000') command then
    invalid_arg "Enclosure.start: a NUL byte in an argument"

(* The stub keeps its settings in a static variable. *)
let one_at_a_time = Mutex.create ()

let attempt s command ~user_namespace ~process_namespace =
  let how = how s ~user_namespace ~process_namespace in
  Mutex.protect one_at_a_time @@ fun () ->
  match start_exn how (Array.of_list command) with
  | started -> Ok started
  | exception Unix.Unix_error (error, call, step) -> Error (error, call, step)

(* Root needs no user namespace. Some containers forbid mounting /proc; there the program stays in
   this process's process namespace. *)
let rec attempts s command = function
  | [] -> invalid_arg "Enclosure.attempts"
  | (user_namespace, process_namespace) :: rest -> (
      match attempt s command ~user_namespace ~process_namespace with
      | Ok started -> Ok started
      | Error (EPERM, "clone", _) when (not user_namespace) && rest <> [] -> attempts s command rest
      | Error (_, "enclosure", "mount /proc") when process_namespace ->
          attempts s command [ (user_namespace, false) ]
      | Error e -> Error e)

let explain (error, call, step) =
  let call =
    match (call, step) with
    | "clone", _ | _, ("uid_map" | "gid_map" | "setgroups" | "mount /") -> "unshare"
    | "enclosure", step -> step
    | call, _ -> call
  in
  Error.catch
    ~action:("give the program a network (" ^ call ^ ")")
    (fun () -> raise (Unix.Unix_error (error, call, "")))

let start s command =
  check command;
  match attempts s command [ (false, true); (true, true) ] with
  | Error e -> explain e
  | Ok (pid, control, fd) ->
      let capabilities = Weir_link.Link.(if s.offload then { all with gathers = true } else none) in
      let device =
        new Weir_link_unix.Device.t ~fd ~name:"weir0" ~mtu:s.mtu ~header:s.offload capabilities
      in
      Ok { pid; control; device; outcome = Running; closed = false }

let go t = ignore (tell t.control 0 : bool)
let killed = Ended (Unix.WSIGNALED Sys.sigkill)

(* The status of waitpid(2), as the kernel encodes it. *)
let status n =
  if n land 0x7f = 0 then Unix.WEXITED ((n lsr 8) land 0xff)
  else WSIGNALED (signal_of_number (n land 0x7f))

let error_of_number = function 2 -> Unix.ENOENT | 13 -> EACCES | 8 -> ENOEXEC | n -> EUNKNOWNERR n

let outcome t =
  (if t.outcome = Running then
     match hear t.control with
     | -1 -> ()
     | message -> (
         let value = message land 0xffff in
         match message lsr 16 with
         | 2 -> t.outcome <- Not_executed (error_of_number value)
         | 3 -> t.outcome <- Ended (status value)
         | _ -> t.outcome <- killed));
  t.outcome

let signal t n =
  if t.outcome = Running && not t.closed then ignore (tell t.control (number n) : bool)

let rec wait pid =
  match Unix.waitpid [] pid with
  | _ -> ()
  | exception Unix.Unix_error (EINTR, _, _) -> wait pid
  | exception Unix.Unix_error (ECHILD, _, _) -> ()

(* The init process ends when this side of its socket is closed. *)
let close t =
  if not t.closed then (
    t.closed <- true;
    if t.outcome = Running then t.outcome <- killed;
    Unix.close t.control;
    wait t.pid)

module Flow = Weir_flow.Flow

type lookup = [ Weir_drive.Lookup.failure | `No_service ]

type t =
  | Tcp of Weir_core.Tcp.error
  | Closed_locally
  | Port_in_use of int
  | No_free_port
  | Bad_address of string
  | Message_too_long of int
  | Queue_full
  | Unsupported of string
  | Lookup_failed of lookup
  | Icmp of string

exception Error of t
exception Wrong_domain of { owner : int; caller : int }

let pp f = function
  | Tcp e -> Weir_core.Tcp.pp_error f e
  | Closed_locally -> Fmt.string f "the socket was closed here"
  | Port_in_use port -> Fmt.pf f "port %d is in use" port
  | No_free_port -> Fmt.string f "no free port or connection slot"
  | Bad_address a -> Fmt.pf f "%s cannot be used as an address here" a
  | Message_too_long n -> Fmt.pf f "a datagram of %d bytes is too long" n
  | Queue_full -> Fmt.string f "the output queue is full"
  | Unsupported what -> Fmt.pf f "%s not supported by Weir" what
  | Lookup_failed `No_service -> Fmt.string f "there is no such service"
  | Lookup_failed (#Weir_drive.Lookup.failure as e) -> Weir_drive.Lookup.pp_failure f e
  | Icmp e -> Fmt.string f e

let () =
  Printexc.register_printer (function
    | Error e -> Some (Fmt.str "Weir_lwt.Error.Error (%a)" pp e)
    | Wrong_domain { owner; caller } ->
        Some
          (Fmt.str
             "Weir_lwt.Error.Wrong_domain: domain %d called a host of domain %d; make the call \
              there (Lwt_unix.send_notification wakes its loop), or give each domain its own host"
             caller owner)
    | _ -> None)

let get p = Lwt.bind p (function Ok x -> Lwt.return x | Result.Error e -> Lwt.fail (Error e))

type Flow.flow_error += Weir of t

let to_flow : t -> Flow.error = function
  | Closed_locally -> Flow.closed
  | Tcp Reset -> Flow.reset
  | Tcp Timed_out -> Flow.timeout
  | e -> (Weir e, fun f -> pp f e)

let check_port port =
  if port < 1 || port > 65_535 then
    invalid_arg (Printf.sprintf "Weir_lwt: port %d is not between 1 and 65,535" port)

let of_open ~what ~port = function
  | `In_use -> Port_in_use port
  | `No_port -> No_free_port
  | `Bad_address | `No_route -> Bad_address what

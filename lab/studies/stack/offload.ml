open Weir_lab_harness

external set : Unix.file_descr -> string -> int -> int -> int = "weir_lab_ethtool_set"

(* linux/ethtool.h *)
let settings = [ ("TSO", 0x1f); ("GSO", 0x24); ("GRO", 0x2c) ]

let forbid name =
  let fd = Unix.socket ~cloexec:true PF_INET SOCK_DGRAM 0 in
  Fun.protect ~finally:(fun () -> Unix.close fd) @@ fun () ->
  List.iter
    (fun (what, command) ->
      let errno = set fd name command 0 in
      if errno <> 0 then Child.failed "%s: turning %s off: error %d" name what errno)
    settings

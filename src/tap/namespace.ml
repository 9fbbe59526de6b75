external enter_exn : unit -> unit = "weir_namespace_enter"
external possible_exn : unit -> unit = "weir_namespace_possible"

let catch f = Error.catch ~action:"make a network namespace" f
let enter () = Result.bind (catch enter_exn) (fun () -> Interface.set_up "lo")
let possible () = catch possible_exn

let sysctl key value =
  let path = "/proc/sys/" ^ String.map (fun c -> if c = '.' then '/' else c) key in
  Error.catch ~action:("set " ^ key) (fun () ->
      let fd = Unix.openfile path [ O_WRONLY; O_CLOEXEC ] 0 in
      Fun.protect
        ~finally:(fun () -> Unix.close fd)
        (fun () -> ignore (Unix.write_substring fd value 0 (String.length value) : int)))

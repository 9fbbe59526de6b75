(* The echo server as a host of its own beside the kernel (needs CAP_NET_ADMIN):

     tap.exe tap0 10.0.0.11/24 10.0.0.1/24
     ping 10.0.0.11; nc 10.0.0.11 7

   The arguments are the device, made if it is not there, Weir's address on it,
   and the kernel's. *)

open Eio.Std

(* $MDX part-begin=tap *)
let get = function Ok x -> x | Error e -> Fmt.failwith "%a" Weir_tap.Error.pp e

let serve ~net =
  Switch.run @@ fun sw ->
  let any = `Tcp (Eio.Net.Ipaddr.V4.any, 7) in
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:64 net any in
  Eio.Net.run_server socket ~on_error:(traceln "%a" Fmt.exn) (fun flow _peer ->
      Eio.Flow.copy flow flow)

let run name address kernel =
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw ->
  let link = get (Weir_tap.Tap.open_ ~name ~kernel ()) in
  let host = Weir_eio.host ~sw ~clock:(Eio.Stdenv.mono_clock env) ~link ~address () in
  Fmt.pr "echo at %s, port 7@." address;
  serve ~net:(Weir_eio.net host)
(* $MDX part-end *)

let () =
  match Sys.argv with
  | [| _; name; address; kernel |] -> run name address kernel
  | _ ->
      prerr_endline "usage: tap.exe NAME ADDRESS/BITS KERNEL/BITS, as tap0 10.0.0.11/24 10.0.0.1/24";
      exit 2

(* What the tests call. *)

open Lwt.Syntax
open Weir_rpc
open Weir_rpc_lwt
open Weir_message

let number =
  Codec.of_strings ~name:"number" string_of_int (fun s ->
      Option.to_result ~none:"no number" (int_of_string_opt s))

let echo = Method.make "echo" Codec.string Codec.string

(* Answers with what it was given, after that many nanoseconds. *)
let wait = Method.make "wait" number number
let fail = Method.make "fail" Codec.string Codec.unit
let divide = Method.make "divide" number (Codec.result number Codec.string)
let count = Method.Download (Method.make "count" number number)
let mirror = Method.Exchange (Method.make "mirror" Codec.string Codec.string)

let failing = function
  | "typed" -> Failure.fail (Application 3) "as told"
  | "exception" -> raise Exit
  | "rejected" -> Lwt.fail Exit
  | "late" ->
      let* () = Lwt.pause () in
      Failure.fail (Application 4) "late"
  | "internal" -> Failure.fail Internal "on purpose"
  | _ -> Lwt.return_unit

let rec mirrored receive send =
  let* v = receive () in
  match v with
  | None -> Lwt.return_unit
  | Some v ->
      let* () = send v in
      mirrored receive send

let handlers (clock : Clock.t) =
  [
    Server.Handler (echo, Lwt.return);
    Handler
      ( wait,
        fun ns ->
          let+ () = clock.sleep ns in
          ns );
    Download (count, fun n send -> Lwt_list.iter_s send (List.init (Int.min 1_000 n) Fun.id));
    Exchange (mirror, mirrored);
    Handler (fail, failing);
    Handler (divide, fun n -> Lwt.return (if n = 0 then Error "by zero" else Ok (100 / n)));
  ]

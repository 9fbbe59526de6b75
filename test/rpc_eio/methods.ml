(* What the tests call. *)

open Weir_rpc
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
  | "internal" -> Failure.fail Internal "on purpose"
  | _ -> ()

let rec mirrored receive send =
  match receive () with
  | None -> ()
  | Some v ->
      send v;
      mirrored receive send

let handlers clock =
  [
    Service.Handler (echo, Fun.id);
    Service.Handler
      ( wait,
        fun ns ->
          World.sleep clock ns;
          ns );
    Service.Download (count, fun n send -> List.iter send (List.init (Int.min 1_000 n) Fun.id));
    Service.Exchange (mirror, mirrored);
    Service.Handler (fail, failing);
    Service.Handler (divide, fun n -> if n = 0 then Error "by zero" else Ok (100 / n));
  ]

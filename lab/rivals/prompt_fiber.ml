open Weir_threads

(* One prompt for all fibers. [push] returns when the fiber ends or waits. *)
let prompt : unit Prompt.t = Prompt.create ()

let start f =
  let p, u = Lwt.wait () in
  Prompt.push prompt (fun () ->
      match f () with v -> Lwt.wakeup_later u v | exception e -> Lwt.wakeup_later_exn u e);
  p

let await p =
  match Lwt.state p with
  | Lwt.Return v -> v
  | Lwt.Fail e -> raise e
  | Lwt.Sleep ->
      Prompt.take prompt (fun piece ->
          Lwt.on_any p (Prompt.resume piece) (fun e ->
              Prompt.resume_error piece e (Printexc.get_callstack 0)))

open Effect.Deep

(* A prompt is a type identity: if two are equal, so are their types. A handler can thus use a piece
   that was typed elsewhere. *)
type 'a t = 'a Type.Id.t
type ('b, 'a) piece = { k : ('b, 'a) continuation; mutable used : bool }
type _ Effect.t += Take : 'a t * (('b, 'a) piece -> 'a) -> 'b Effect.t

exception No_prompt
exception Used
exception Discarded

let () =
  Printexc.register_printer (function
    | No_prompt ->
        Some "Weir_threads.Prompt.take: its prompt is not on the stack (no push around it)"
    | Used -> Some "Weir_threads.Prompt: this piece of stack was already resumed or discarded"
    | _ -> None)

let create () = Type.Id.make ()
let reraise e = Printexc.raise_with_backtrace e (Printexc.get_raw_backtrace ())

let push (type a) (p : a t) f =
  let effc : type b. b Effect.t -> ((b, a) continuation -> a) option = function
    | Take (q, body) -> (
        match Type.Id.provably_equal p q with
        | Some Type.Equal -> Some (fun k -> body { k; used = false })
        | None -> None)
    | _ -> None
  in
  match_with f () { retc = Fun.id; exnc = reraise; effc }

let take p body =
  try Effect.perform (Take (p, body))
  with Effect.Unhandled (Take (q, _)) when Option.is_some (Type.Id.provably_equal p q) ->
    raise No_prompt

let shift p body = take p (fun piece -> push p (fun () -> body piece))

(* The runtime checks this too, but its exception could also come from inside the piece. *)
let use piece =
  if piece.used then raise Used;
  piece.used <- true

let resume piece v =
  use piece;
  continue piece.k v

let resume_error piece e bt =
  use piece;
  discontinue_with_backtrace piece.k e bt

let discard ?(exn = Discarded) piece =
  use piece;
  match discontinue piece.k exn with _ -> () | exception e when e == exn -> ()

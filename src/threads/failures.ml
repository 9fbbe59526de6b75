type entry = { promise : Obj.t; exn : exn; backtrace : Printexc.raw_backtrace }

(* A ring, so that old failures are dropped. *)
let size = 32
let recent : entry option array = Array.make size None
let next = ref 0

let note p exn backtrace =
  if Printexc.backtrace_status () then begin
    recent.(!next) <- Some { promise = Obj.repr p; exn; backtrace };
    next := (!next + 1) mod size
  end

(* An exception with arguments is a new block at each raise. One without arguments is its
   constructor, shared by all raises. *)
let has_arguments (e : exn) = Obj.tag (Obj.repr e) <> Obj.object_tag

let backtrace p exn =
  let is_it e = e.promise == Obj.repr p || (e.exn == exn && has_arguments exn) in
  let rec look i =
    if i = size then None
    else
      match recent.((!next + (2 * size) - 1 - i) mod size) with
      | Some e when is_it e -> Some e.backtrace
      | Some _ -> look (i + 1)
      | None -> None
  in
  look 0

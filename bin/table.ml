type align = Left | Right

(* Columns are counted in code points, so that a µ does not shift a row. *)
let width s =
  let n = ref 0 in
  String.iter (fun c -> if Char.code c land 0xc0 <> 0x80 then incr n) s;
  !n

let pad align w s =
  let gap = String.make (max 0 (w - width s)) ' ' in
  match align with Left -> s ^ gap | Right -> gap ^ s

let lines columns rows =
  let widths =
    List.mapi
      (fun i (title, _) ->
        List.fold_left (fun w row -> max w (width (List.nth row i))) (width title) rows)
      columns
  in
  let line cells =
    let padded =
      List.map2 (fun (w, (_, align)) s -> pad align w s) (List.combine widths columns) cells
    in
    "  " ^ String.concat "  " padded
  in
  line (List.map fst columns)
  :: line (List.map (fun w -> String.make w '-') widths)
  :: List.map line rows

let print columns rows =
  List.iter print_endline (lines columns rows);
  flush stdout

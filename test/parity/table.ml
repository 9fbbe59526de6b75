type answers = { kernel : string; alone : string; two : string }

let differs a = a.alone <> a.kernel || a.two <> a.kernel
let line (q : Question.t) answer = Printf.sprintf "  %s: %s" q.text answer

let entry (q : Question.t) a =
  line q a.kernel
  ::
  (if not (differs a) then []
   else
     (if a.alone = a.two then [ "    Weir: " ^ a.two ]
      else [ "    Weir, one host: " ^ a.alone; "    Weir, two hosts: " ^ a.two ])
     @ [ "    because " ^ Option.value q.why ~default:"nobody knows why" ])

let count f l = List.length (List.filter f l)

let header ~system answered =
  let reasons = List.filter_map (fun ((q : Question.t), _) -> q.why) answered in
  [
    Printf.sprintf
      "%d questions, as %s answers them under Eio; Weir answers %d otherwise, for %d reasons."
      (List.length answered) system
      (count (fun (_, a) -> differs a) answered)
      (List.length (List.sort_uniq compare reasons));
  ]

let to_string ~system answered =
  let group ((q : Question.t), _) = q.group in
  let rec body last = function
    | [] -> []
    | ((q, a) as x) :: rest ->
        (if group x = last then [] else [ ""; group x ]) @ entry q a @ body (group x) rest
  in
  String.concat "\n" (header ~system answered @ body "" answered) ^ "\n"

(* What the kernel's answer to [q] was when the table was written. *)
let kernel_of lines (q : Question.t) =
  let start = line q "" in
  let n = String.length start in
  let rec find inside = function
    | [] -> None
    | l :: _ when inside && String.starts_with ~prefix:start l ->
        Some (String.sub l n (String.length l - n))
    | l :: rest when l <> "" && l.[0] <> ' ' -> find (l = q.group) rest
    | _ :: rest -> find inside rest
  in
  find false lines

let system_of lines =
  match lines with
  | first :: _ -> (
      try Scanf.sscanf first "%d questions, as %s@ %s@ answers" (fun _ a b -> a ^ " " ^ b)
      with Scanf.Scan_failure _ | Failure _ | End_of_file -> "")
  | [] -> ""

type rule = { allow : bool; where : Run_where.t }

let conv kind =
  let parser s =
    Result.map (fun where -> { allow = kind = `Allow; where }) (Run_where.parse ~names:true s)
  in
  let pp f r = Run_where.pp f r.where in
  Cmdliner.Arg.Conv.make ~docv:"NETWORK[:PORT]" ~parser ~pp ()

type t = rule list

(* The most specific first; [List.rev] puts the last of equal ones first. *)
let make rules =
  List.stable_sort (fun a b -> Run_where.most_specific_first a.where b.where) (List.rev rules)

let allows t ~names address ~port =
  match List.find_opt (fun r -> Run_where.matches ~names r.where address ~port) t with
  | Some r -> r.allow
  | None -> true

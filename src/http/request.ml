module Flow = Weir_flow.Flow

type head = {
  meth : Http.Method.t;
  target : string;
  version : Http.Version.t;
  headers : Http.Header.t;
}

type t = { head : head; body : Flow.reader }

let no_body =
  object
    inherit Flow.reader
    method read_into _ ~off:_ ~len:_ = 0
  end

let meth t = t.head.meth
let header t name = Http.Header.get t.head.headers name

(* Where the path begins: after scheme and authority if the target is absolute. *)
let path_start target =
  if target = "" || target.[0] = '/' then 0
  else
    match String.index_opt target ':' with
    | Some i when i + 2 < String.length target && target.[i + 1] = '/' && target.[i + 2] = '/' ->
        let n = String.length target in
        let rec authority i =
          if i = n || target.[i] = '/' || target.[i] = '?' then i else authority (i + 1)
        in
        authority (i + 3)
    | _ -> 0

let path { target; _ } =
  let start = path_start target in
  let stop =
    Option.value (String.index_from_opt target start '?') ~default:(String.length target)
  in
  if start = stop then "/"
  else if start = 0 && stop = String.length target then target
  else String.sub target start (stop - start)

let host { target; headers; _ } =
  match path_start target with
  | 0 -> Option.value (Http.Header.get headers "host") ~default:""
  | stop ->
      let start = String.index target ':' + 3 in
      String.sub target start (stop - start)

let query { target; _ } =
  match String.index_opt target '?' with
  | None -> None
  | Some i -> Some (String.sub target (i + 1) (String.length target - i - 1))

let read_all ?(limit = 1_048_576) t =
  let chunk = Bytes.create 4_096 in
  let all = Buffer.create 256 in
  let rec go () =
    match Flow.read_into t.body chunk ~off:0 ~len:(Bytes.length chunk) with
    | 0 -> Buffer.contents all
    | n when Buffer.length all + n > limit ->
        raise (Error.Failed { at = 0; status = 413; reason = "the body is too long" })
    | n ->
        Buffer.add_subbytes all chunk 0 n;
        go ()
  in
  go ()

type t = Proceed | Not_modified | Failed

let is_weak tag = String.length tag > 2 && tag.[0] = 'W' && tag.[1] = '/'
let opaque tag = if is_weak tag then String.sub tag 2 (String.length tag - 2) else tag
let same_weakly a b = opaque a = opaque b
let same_strongly a b = (not (is_weak a)) && a = b

(* Looks at the tags of a list up to the first malformed one. *)
let rec exists_tag same list i =
  let n = String.length list in
  if i >= n then false
  else
    match list.[i] with
    | ' ' | '\t' | ',' -> exists_tag same list (i + 1)
    | '"' | 'W' -> (
        let quote = if list.[i] = 'W' then i + 2 else i in
        if quote >= n || list.[quote] <> '"' || (quote > i && list.[i + 1] <> '/') then false
        else
          match String.index_from_opt list (quote + 1) '"' with
          | None -> false
          | Some stop -> same (String.sub list i (stop + 1 - i)) || exists_tag same list (stop + 1))
    | _ -> false

(* Lines of one list field count as one list. *)
let matches same headers name ~etag =
  match Http.Header.get headers name with
  | None -> None
  | Some _ ->
      let list = String.concat "," (Http.Header.get_multi headers name) in
      Some (Chars.trim list = "*" || exists_tag (same etag) list 0)

let date headers name = Option.bind (Http.Header.get headers name) Date.of_string

(* Most requests have none of these fields: one pass over the names finds out. *)
let conditional name =
  String.length name > 7
  && Chars.equal_caseless (String.sub name 0 3) "if-"
  && not (Chars.equal_caseless name "if-range")

let unmet ({ headers; _ } : Request.head) ~etag ~modified =
  match matches same_strongly headers "if-match" ~etag with
  | Some met -> not met
  | None -> (
      match date headers "if-unmodified-since" with Some d -> modified > d | None -> false)

let unchanged ({ headers; _ } : Request.head) ~etag ~modified =
  match matches same_weakly headers "if-none-match" ~etag with
  | Some met -> met
  | None -> ( match date headers "if-modified-since" with Some d -> modified <= d | None -> false)

let evaluate (head : Request.head) ~etag ~modified =
  let asked = Http.Header.fold (fun name _ found -> found || conditional name) head.headers false in
  if not asked then Proceed
  else if unmet head ~etag ~modified then Failed
  else if unchanged head ~etag ~modified then
    match head.meth with `GET | `HEAD -> Not_modified | _ -> Failed
  else Proceed

let range_applies ({ headers; _ } : Request.head) ~etag ~modified =
  match Http.Header.get headers "if-range" with
  | None -> true
  | Some s when String.contains s '"' -> same_strongly s etag
  (* A date is a strong validator only if the tag is: see [settled] in Files. *)
  | Some s -> Date.of_string s = Some modified && not (is_weak etag)

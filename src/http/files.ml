type file = {
  length : int;
  mtime : float;
  read_at : int -> Bytes.t -> off:int -> len:int -> int;
  close : unit -> unit;
}

type node =
  | File of file
  | Directory of (unit -> (string * [ `File | `Directory ]) list)
  | Missing
  | Forbidden

type tree = { open_ : string list -> node }

(* {1 Validators} *)

type validators = { mtime : float; length : int; etag : string; modified : string; second : int }

(* Slots hold immutable records, so domains may share them: after a race a record
   is made again. *)
let slots = 64
let no_validators = { mtime = nan; length = -1; etag = ""; modified = ""; second = 0 }

let make_validators (file : file) =
  let second = int_of_float (Float.floor file.mtime) in
  let etag = Printf.sprintf "\"%x-%x\"" (int_of_float (file.mtime *. 1e6)) file.length in
  { mtime = file.mtime; length = file.length; etag; modified = Date.to_string second; second }

let validators cache (file : file) =
  let slot = int_of_float file.mtime lxor file.length land (slots - 1) in
  let found = cache.(slot) in
  if found.mtime = file.mtime && found.length = file.length then found
  else
    let made = make_validators file in
    cache.(slot) <- made;
    made

(* A file changed just now may change again within the resolution of [mtime]. *)
let settled now (file : file) =
  match now with None -> false | Some now -> now () -. file.mtime >= 2.

(* {1 One file} *)

let part (file : file) ~first ~length : Response.body =
  let at = ref first in
  let stop = first + length in
  let read b ~off ~len =
    let n = file.read_at !at b ~off ~len:(min len (stop - !at)) in
    at := !at + n;
    n
  in
  Ready { length = Some length; read; close = file.close }

let range (head : Request.head) ~etag ~second ~length : Range.t =
  match head.meth with
  | `GET -> (
      match Http.Header.get head.headers "range" with
      | Some s when Conditional.range_applies head ~etag ~modified:second -> Range.parse s ~length
      | _ -> Whole)
  | _ -> Whole

let several (file : file) ranges : Response.body =
  let read = Byteranges.reader ranges ~read_at:file.read_at in
  Ready { length = Some (Byteranges.length ranges); read; close = file.close }

(* The response's media type is multipart; each part has the file's (RFC 9110
   §15.3.7.2). *)
let send_parts (head : Request.head) (file : file) parts ~kind ~etag ~always =
  let asked = Option.value (Http.Header.get head.headers "range") ~default:"" in
  let ranges = Byteranges.make ~seed:(etag ^ asked) ~kind parts ~of_:file.length in
  let headers = ("Content-Type", Byteranges.content_type ranges) :: always in
  Response.make ~status:`Partial_content ~headers (several file ranges)

let send (head : Request.head) (file : file) ~name ~etag ~modified ~second : Response.t =
  let length = file.length in
  let always = [ ("Last-Modified", modified); ("ETag", etag); ("Accept-Ranges", "bytes") ] in
  let kind = Mime.of_name name in
  let typed = ("Content-Type", kind) :: always in
  match range head ~etag ~second ~length with
  | Whole -> Response.make ~headers:typed (part file ~first:0 ~length)
  | Part ({ first; last } as range) ->
      let headers = ("Content-Range", Byteranges.content_range range ~of_:length) :: typed in
      Response.make ~status:`Partial_content ~headers (part file ~first ~length:(last - first + 1))
  | Parts parts -> send_parts head file parts ~kind ~etag ~always
  | Unsatisfiable ->
      file.close ();
      Response.of_status 416
        ~headers:(("Content-Range", Printf.sprintf "bytes */%d" length) :: always)

let file cache now (head : Request.head) (file : file) ~name : Response.t =
  let { etag; modified; second; _ } = validators cache file in
  let etag = if settled now file then etag else "W/" ^ etag in
  match Conditional.evaluate head ~etag ~modified:second with
  | Proceed -> send head file ~name ~etag ~modified ~second
  | Not_modified ->
      file.close ();
      Response.make ~status:`Not_modified
        ~headers:[ ("Last-Modified", modified); ("ETag", etag) ]
        Empty
  | Failed ->
      file.close ();
      Response.of_status 412

(* {1 The tree} *)

let rec last default = function [] -> default | [ name ] -> name | _ :: rest -> last default rest
let is_hidden name = name.[0] = '.' && name <> ".well-known"

let redirect (head : Request.head) (path : Path.t) =
  let query = match Request.query head with Some q -> "?" ^ q | None -> "" in
  let location = Path.to_encoded { path with slash = true } ^ query in
  Response.of_status 301 ~headers:[ ("Location", location) ]

let directory tree ~index ~listing ~serve (path : Path.t) entries =
  match tree.open_ (path.names @ [ index ]) with
  | File f -> serve f ~name:index
  | Forbidden -> Response.of_status 403
  | Missing | Directory _ ->
      if listing then Response.html (Listing.html ~path (entries ())) else Response.of_status 403

let get tree ~index ~listing ~hidden ~serve (head : Request.head) =
  match Path.of_encoded (Request.path head) with
  | Error reason -> Response.of_error { at = 0; status = 400; reason }
  | Ok { names; _ } when (not hidden) && List.exists is_hidden names -> Response.of_status 404
  | Ok path -> (
      match tree.open_ path.names with
      | Missing -> Response.of_status 404
      | Forbidden -> Response.of_status 403
      | File f when path.slash ->
          f.close ();
          Response.of_status 404
      | File f -> serve head f ~name:(last "" path.names)
      | Directory _ when not path.slash -> redirect head path
      | Directory entries ->
          let entries =
            if hidden then entries
            else fun () -> List.filter (fun (name, _) -> not (is_hidden name)) (entries ())
          in
          directory tree ~index ~listing ~serve:(serve head) path entries)

let allow = [ ("Allow", "GET, HEAD, OPTIONS") ]

let handler ?(index = "index.html") ?(listing = true) ?(hidden = false) ?now tree : Handler.t =
  let cache = Array.make slots no_validators in
  let serve head f ~name = file cache now head f ~name in
  fun request ->
    match Request.meth request with
    | `GET | `HEAD -> get tree ~index ~listing ~hidden ~serve request.head
    | `OPTIONS -> Response.of_status 204 ~headers:allow
    | `Other _ | `CONNECT -> Response.of_status 501
    | `POST | `PUT | `DELETE | `PATCH | `TRACE -> Response.of_status 405 ~headers:allow

(* {1 In memory} *)

let of_string ~mtime s =
  let read_at at b ~off ~len =
    let n = max 0 (min len (String.length s - at)) in
    Bytes.blit_string s (min at (String.length s)) b off n;
    n
  in
  File { length = String.length s; mtime; read_at; close = ignore }

let parent_and_name path =
  match String.rindex_opt path '/' with
  | Some i -> (String.sub path 0 i, String.sub path (i + 1) (String.length path - i - 1))
  | None -> ("", path)

(* [directories] maps each directory to its names; the root is "". *)
let rec enter directories path =
  if path <> "" then
    let parent, name = parent_and_name path in
    let known = Option.value (Hashtbl.find_opt directories parent) ~default:[] in
    if not (List.mem name known) then (
      Hashtbl.replace directories parent (name :: known);
      enter directories parent)

let memory ?(mtime = 0.) files =
  let contents = Hashtbl.create 64 and directories = Hashtbl.create 16 in
  Hashtbl.replace directories "" [];
  let add (path, s) =
    Hashtbl.replace contents path s;
    enter directories path
  in
  List.iter add files;
  let entry path name =
    let whole = if path = "" then name else path ^ "/" ^ name in
    (name, if Hashtbl.mem contents whole then `File else `Directory)
  in
  let open_ names =
    let path = String.concat "/" names in
    match (Hashtbl.find_opt contents path, Hashtbl.find_opt directories path) with
    | Some s, _ -> of_string ~mtime s
    | None, Some names -> Directory (fun () -> List.map (entry path) names)
    | None, None -> Missing
  in
  { open_ }

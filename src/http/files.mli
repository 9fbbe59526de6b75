(** A handler that serves a tree of files. The caller gives the tree as closures, so it may be on
    disk, in memory or in an archive.

    Supported: GET and HEAD; paths as in {!Path}; for directories [index.html], a listing, or 301 to
    the path with a slash; media types by extension; entity tags, dates and conditional requests
    (RFC 9110 §13); ranges (§14), several as [multipart/byteranges]. Other methods get 405 or 501.
*)

type file = {
  length : int;  (** bytes *)
  mtime : float;  (** seconds since 1970 *)
  read_at : int -> Bytes.t -> off:int -> len:int -> int;
      (** [read_at position b ~off ~len] stores at most [len] bytes and returns their number, 0 at
          the end. It waits for nothing but a disk: see {!Response.Ready}. *)
  close : unit -> unit;  (** called once *)
}

type node =
  | File of file
  | Directory of (unit -> (string * [ `File | `Directory ]) list)  (** its entries *)
  | Missing
  | Forbidden

type tree = { open_ : string list -> node }
(** [open_ names] is the node at the path of these names, which are as in {!Path.t}; a file is
    opened. [open_] decides whether to follow symbolic links out of the tree. *)

val handler :
  ?index:string -> ?listing:bool -> ?hidden:bool -> ?now:(unit -> float) -> tree -> Handler.t
(** [handler tree] serves [tree]. [index] (default ["index.html"]) is the file served for its
    directory. Without that file, the answer is a page of links if [listing] (default true), else
    403. Names that begin with a dot, except [.well-known], are missing unless [hidden] (default
    false). [now ()] is seconds since 1970. With it, files last changed at least two seconds ago get
    strong entity tags, which [If-Range] needs; all other tags are weak. *)

val memory : ?mtime:float -> (string * string) list -> tree
(** [memory files] is a tree in memory, from pairs of path and content:
    [["index.html", "…"; "img/a.svg", "…"]]. *)

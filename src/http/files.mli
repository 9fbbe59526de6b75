(** A handler that serves a tree of files. What a file is, the caller says by closures, so that this
    knows no file system: a tree may be on disk, in memory or in an archive.

    GET and HEAD; paths as {!Path} takes them; [index.html] for directories, 301 to the path with a
    slash, or a listing; types by extension; entity tags, dates and conditions (RFC 9110 §13);
    ranges (§14), several as [multipart/byteranges]; 405 and 501 for other methods. *)

type file = {
  length : int;  (** bytes *)
  mtime : float;  (** seconds since 1970 *)
  read_at : int -> Bytes.t -> off:int -> len:int -> int;
      (** [read_at position b ~off ~len] stores at most [len] bytes and says how many, 0 at the end
      *)
  close : unit -> unit;  (** called once *)
}

type node =
  | File of file
  | Directory of (unit -> (string * [ `File | `Directory ]) list)  (** its entries *)
  | Missing
  | Forbidden

type tree = { open_ : string list -> node }
(** [open_ names] is what is at the path of these names, which are as in {!Path.t}: opened, if a
    file. Following symbolic links out of the tree or not is its choice. *)

val handler :
  ?index:string -> ?listing:bool -> ?hidden:bool -> ?now:(unit -> float) -> tree -> Handler.t
(** [handler tree] serves [tree]. [index] (default ["index.html"]) is the file that stands for its
    directory; without one, a page of links if [listing] (default true), else 403. Names that begin
    with a dot, but [.well-known], are as if missing unless [hidden] (default false). With [now],
    seconds since 1970, files that have been as they are for two seconds get strong entity tags, so
    that [If-Range] works; all others are weak. *)

val memory : ?mtime:float -> (string * string) list -> tree
(** [memory files] is a tree of path and content: [["index.html", "…"; "img/a.svg", "…"]]. *)

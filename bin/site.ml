open Weir_http

let rec read_fd fd b ~off ~len =
  match Unix.read fd b off len with
  | n -> n
  | exception Unix.Unix_error (EINTR, _, _) -> read_fd fd b ~off ~len

let file fd (st : Unix.LargeFile.stats) : Files.node =
  let at = ref 0 in
  File
    {
      length = Int64.to_int st.st_size;
      mtime = st.st_mtime;
      read_at =
        (fun position b ~off ~len ->
          if position <> !at then ignore (Unix.LargeFile.lseek fd (Int64.of_int position) SEEK_SET);
          let n = read_fd fd b ~off ~len:(min len 65_536) in
          at := position + n;
          n);
      close = (fun () -> Unix.close fd);
    }

let entries path () =
  let kind name =
    match (Unix.stat (Filename.concat path name)).st_kind with
    | S_DIR -> Some (name, `Directory)
    | S_REG -> Some (name, `File)
    | _ -> None
    | exception Unix.Unix_error _ -> None
  in
  match Sys.readdir path with
  | names -> List.filter_map kind (List.sort compare (Array.to_list names))
  | exception Sys_error _ -> []

let below root path = path = root || String.starts_with ~prefix:(root ^ "/") path || root = "/"

(* Resolve the name first and open the resolved name, so that no link leads out.
   With O_NONBLOCK, opening a FIFO does not block. *)
let open_node root names : Files.node =
  match Unix.realpath (String.concat "/" (root :: names)) with
  | exception Unix.Unix_error ((EACCES | ELOOP), _, _) -> Forbidden
  | exception Unix.Unix_error _ -> Missing
  | path when not (below root path) -> Forbidden
  | path -> (
      match Unix.openfile path [ O_RDONLY; O_CLOEXEC; O_NONBLOCK ] 0 with
      | exception Unix.Unix_error ((EACCES | EPERM), _, _) -> Forbidden
      | exception Unix.Unix_error _ -> Missing
      | fd -> (
          let st = Unix.LargeFile.fstat fd in
          match st.st_kind with
          | S_REG -> file fd st
          | S_DIR ->
              Unix.close fd;
              Directory (entries path)
          | _ ->
              Unix.close fd;
              Forbidden))

let tree dir : Files.tree =
  match Unix.realpath dir with
  | exception Unix.Unix_error (e, _, _) ->
      Fail.usage "cannot serve %s: %s" dir (Unix.error_message e)
  | root when not (Sys.is_directory root) -> Fail.usage "cannot serve %s: it is not a folder" dir
  | root -> { open_ = open_node root }

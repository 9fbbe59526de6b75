open Eio.Std

(* -- messages -----------------------------------------------------------------------

   Each is one packet of a SOCK_SEQPACKET socket: a letter, then
   - H, to the owner: the member's name, the number it has or -1, what it says of the network;
   - P, to members: a member's number, and what it says of the network;
   - M, to members, after all P: when the network began, the receiver's number, [NUMBER NAME] of each;
   - E, to a member: why it is not let in;
   - any other: two bytes of the number of the member that it is for, or, from the owner, of the one
     that sent it, and what they tell each other. *)

let header = 3
let longest = header + 65_549 + 4
let most_said = 60_000

type peer = { number : int; name : string; said : string list; give : Bytes.t -> unit }
type role = Member of Unix.file_descr | Owner of Unix.file_descr

type t = {
  path : string;
  name : string;
  own : string list;
  mutable number : int;
  mutable began_ns : int;
  mutable role : role;
  mutable table : (string * int) list;
  mutable said : (int * string list) list;
  mutable coming : (int * string list) list;  (** those whose table has not come yet *)
  mutable peers : peer list;  (** the owner's *)
  mutable give : from:int -> Bytes.t -> unit;
  mutable changed : unit -> unit;
  mutable out : Bytes.t -> unit;
  mutable left : bool;
}

let name t = t.name
let number t = t.number
let all t = t.table
let began_ns t = t.began_ns
let said t = t.said
let clock_ns () = Int64.to_int (Mtime.to_uint64_ns (Mtime_clock.now ()))

let send_now fd b =
  match Unix.send fd b 0 (Bytes.length b) [] with
  | (_ : int) -> `Done
  | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> `Full
  | exception Unix.Unix_error _ -> `Gone

(* A full queue loses frames, and who has gone needs none. *)
let send_frame fd b = ignore (send_now fd b : [ `Done | `Full | `Gone ])

let rec tell fd b =
  match send_now fd b with
  | `Full ->
      Eio_unix.await_writable fd;
      tell fd b
  | `Done | `Gone -> ()

let joined letter lines = Bytes.of_string (letter ^ String.concat "\n" lines)
let hello t = joined "H" (t.name :: string_of_int t.number :: t.own)

let table_for t number =
  let line (name, n) = Printf.sprintf "%d %s" n name in
  List.map (fun (n, lines) -> joined "P" (string_of_int n :: lines)) t.said
  @ [ joined "M" (string_of_int t.began_ns :: string_of_int number :: List.map line t.table) ]

let lines_of b ~len = String.split_on_char '\n' (Bytes.sub_string b 1 (len - 1))

let read_said t = function
  | number :: lines -> t.coming <- (int_of_string number, lines) :: t.coming
  | [] -> ()

let read_table t = function
  | began :: number :: lines ->
      t.began_ns <- int_of_string began;
      t.number <- int_of_string number;
      t.table <- List.map (fun l -> Scanf.sscanf l "%d %s" (fun n name -> (name, n))) lines;
      t.said <- List.rev t.coming;
      t.coming <- [];
      t.changed ()
  | _ -> ()

(* -- who owns the network -------------------------------------------------------------- *)

let folder () =
  match Sys.getenv_opt "XDG_RUNTIME_DIR" with
  | Some d when d <> "" -> d
  | _ ->
      let d =
        Filename.concat (Filename.get_temp_dir_name ()) (Printf.sprintf "weir-%d" (Unix.getuid ()))
      in
      (try Unix.mkdir d 0o700 with Unix.Unix_error (EEXIST, _, _) -> ());
      let s = Unix.lstat d in
      if s.st_kind <> S_DIR || s.st_uid <> Unix.getuid () || s.st_perm land 0o77 <> 0 then
        Fail.failed "--join: %s is not a folder of yours alone; set XDG_RUNTIME_DIR" d;
      d

let socket () = Unix.socket ~cloexec:true PF_UNIX SOCK_SEQPACKET 0

let try_connect path =
  let fd = socket () in
  match Unix.connect fd (ADDR_UNIX path) with
  | () -> Some fd
  | exception Unix.Unix_error ((ENOENT | ECONNREFUSED), _, _) ->
      Unix.close fd;
      None

(* Only who holds the lock makes or removes the socket. *)
let locked path f =
  let fd = Unix.openfile (path ^ ".lock") [ O_RDWR; O_CREAT; O_CLOEXEC ] 0o600 in
  Fun.protect ~finally:(fun () -> Unix.close fd) @@ fun () ->
  Unix.lockf fd F_LOCK 0;
  f ()

let find_role path =
  match try_connect path with
  | Some fd -> Member fd
  | None -> (
      locked path @@ fun () ->
      match try_connect path with
      | Some fd -> Member fd
      | None ->
          (try Unix.unlink path with Unix.Unix_error (ENOENT, _, _) -> ());
          let fd = socket () in
          Unix.bind fd (ADDR_UNIX path);
          Unix.listen fd 64;
          Owner fd)

let most_members = 200

let rec receive fd b =
  match Unix.recv fd b 0 (Bytes.length b) [] with
  | n -> n
  | exception Unix.Unix_error (EINTR, _, _) -> receive fd b
  | exception Unix.Unix_error ((ECONNRESET | EPIPE), _, _) -> 0

(* The first table says that the member is let in. *)
let enter t fd =
  send_frame fd (hello t);
  t.coming <- [];
  let b = Bytes.create longest in
  let rec await () =
    let len = receive fd b in
    match if len = 0 then '?' else Bytes.get b 0 with
    | 'P' ->
        read_said t (lines_of b ~len);
        await ()
    | 'M' ->
        read_table t (lines_of b ~len);
        `In
    | 'E' -> `Out (Bytes.sub_string b 1 (len - 1))
    | '?' -> `Gone
    | _ -> await ()
  in
  await ()

let refresh t =
  t.table <- List.map (fun (p : peer) -> (p.name, p.number)) t.peers;
  t.said <-
    List.filter_map
      (fun (p : peer) -> if p.said = [] then None else Some (p.number, p.said))
      t.peers
    |> List.sort Stdlib.compare;
  t.changed ()

let sender b = Bytes.get_uint16_be b 1

let become t =
  match t.role with
  | Owner _ ->
      if t.number < 0 then t.number <- 0;
      let give b = t.give ~from:(sender b) b in
      t.peers <- [ { number = t.number; name = t.name; said = t.own; give } ];
      refresh t;
      `In
  | Member fd -> enter t fd

let leave t =
  if not t.left then (
    t.left <- true;
    match t.role with
    | Member fd -> Unix.close fd
    | Owner fd -> (
        locked t.path (fun () ->
            Unix.close fd;
            try Unix.unlink t.path with Unix.Unix_error _ -> ());
        try Unix.unlink (t.path ^ ".lock") with Unix.Unix_error _ -> ()))

let rec settle t tries =
  match become t with
  | `In -> ()
  | `Out why -> Fail.usage "--join: %s" why
  | `Gone when tries = 0 -> Fail.failed "--join: the network's owner does not answer"
  | `Gone ->
      t.role <- find_role t.path;
      settle t (tries - 1)

let check what s =
  if not (Run_scope.is_member s) then
    Fail.usage "%s %s: give a name of letters, digits, - and _" what s

let join ~network ~name ~says =
  check "--join" network;
  check "--name" name;
  if List.fold_left (fun n l -> n + String.length l + 1) 0 says > most_said then
    Fail.usage "--schedule: what it says of other members is longer than %d bytes" most_said;
  let path = Filename.concat (folder ()) ("weir-" ^ network) in
  let t =
    {
      path;
      name = String.lowercase_ascii name;
      own = says;
      number = -1;
      began_ns = clock_ns ();
      role = find_role path;
      table = [];
      said = [];
      coming = [];
      peers = [];
      give = (fun ~from:_ _ -> ());
      changed = ignore;
      out = ignore;
      left = false;
    }
  in
  settle t 5;
  t

let on_message t f = t.give <- f
let on_change t f = t.changed <- f

let send t ~to_ b =
  if not t.left then (
    Bytes.set_uint16_be b 1 to_;
    t.out b)

(* -- the owner -------------------------------------------------------------------------------- *)

let peer t n = List.find_opt (fun (p : peer) -> p.number = n) t.peers

(* [b] is for the member that its number names. *)
let pass_on t ~from b =
  Option.iter
    (fun (p : peer) ->
      Bytes.set_uint16_be b 1 from;
      p.give b)
    (peer t (sender b))

let rec next_packet fd b =
  match receive fd b with
  | n -> n
  | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) ->
      Eio_unix.await_readable fd;
      next_packet fd b

let free_number t =
  let rec from n = if peer t n = None then n else from (n + 1) in
  from 0

let admit t fd = function
  | name :: wanted :: said ->
      let wanted = Option.value (int_of_string_opt wanted) ~default:(-1) in
      if List.exists (fun (p : peer) -> p.name = name) t.peers then
        Error (Printf.sprintf "a member is called %s already: give another --name" name)
      else if List.length t.peers >= most_members then Error "the network is full"
      else
        let number = if wanted >= 0 && peer t wanted = None then wanted else free_number t in
        Ok { number; name; said; give = send_frame fd }
  | _ -> Error "no greeting"

(* Tells each change to a member, by a fiber of its own: nothing of it is lost. *)
let rec keep_told t news fd number =
  let seen = !(fst news) in
  List.iter (tell fd) (table_for t number);
  Eio.Condition.loop_no_mutex (snd news) (fun () -> if !(fst news) <> seen then Some () else None);
  keep_told t news fd number

let serve t news fd =
  let b = Bytes.create longest in
  let len = next_packet fd b in
  match admit t fd (if len > 1 then lines_of b ~len else []) with
  | Error why -> tell fd (Bytes.of_string ("E" ^ why))
  | Ok p ->
      let change () =
        refresh t;
        incr (fst news);
        Eio.Condition.broadcast (snd news)
      in
      t.peers <- p :: t.peers;
      change ();
      Fun.protect ~finally:(fun () ->
          t.peers <- List.filter (fun (q : peer) -> q.number <> p.number) t.peers;
          change ())
      @@ fun () ->
      let rec packets () =
        let n = next_packet fd b in
        if n > 0 then (
          if n > header then pass_on t ~from:p.number (Bytes.sub b 0 n);
          packets ())
      in
      Fiber.first packets (fun () -> keep_told t news fd p.number)

let own t ~sw ~clock listening =
  let news = (ref 0, Eio.Condition.create ()) in
  t.out <- (fun b -> pass_on t ~from:t.number b);
  let rec accept () =
    (match Unix.accept ~cloexec:true listening with
    | fd, _ ->
        Unix.set_nonblock fd;
        Fiber.fork ~sw (fun () ->
            Fun.protect ~finally:(fun () -> Unix.close fd) (fun () -> serve t news fd))
    | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> Eio_unix.await_readable listening
    | exception Unix.Unix_error _ -> Eio.Time.Mono.sleep clock 0.01);
    accept ()
  in
  Unix.set_nonblock listening;
  accept ()

(* -- the others --------------------------------------------------------------------------------- *)

(* Returns when the owner is gone. *)
let take_part t fd =
  t.out <- send_frame fd;
  let b = Bytes.create longest in
  Unix.set_nonblock fd;
  let rec packets () =
    let len = next_packet fd b in
    if len > 0 then (
      (match Bytes.get b 0 with
      | 'P' -> read_said t (lines_of b ~len)
      | 'M' -> read_table t (lines_of b ~len)
      | _ -> if len > header then t.give ~from:(sender b) (Bytes.sub b 0 len));
      packets ())
  in
  packets ()

let run t ~clock =
  Switch.run @@ fun sw ->
  let rec go () =
    (match t.role with
    | Owner fd -> own t ~sw ~clock fd
    | Member fd ->
        take_part t fd;
        Unix.close fd;
        t.out <- ignore;
        t.role <- find_role t.path;
        settle t 20);
    go ()
  in
  go ()

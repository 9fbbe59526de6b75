open Eio.Std
module Frame = Weir_base.Frame
module Link = Weir_link.Link
module Lane = Weir_link.Lane
module Ethernet = Weir_wire.Ethernet
module Mac = Weir_wire.Mac

(* -- what is between two ---------------------------------------------------------- *)

type fault = Impaired of Weir_link.Impairment.t | Cut of { from_ns : int; until_ns : int }
type between = { text : string; a : string; b : string; fault : fault }

let time s =
  let number suffix = float_of_string_opt (Filename.chop_suffix s suffix) in
  let found =
    if Filename.check_suffix s "ms" then Option.map (fun n -> n *. 1e6) (number "ms")
    else if Filename.check_suffix s "s" then Option.map (fun n -> n *. 1e9) (number "s")
    else None
  in
  match found with
  | Some ns when ns >= 0. && ns < 1e18 -> Ok (int_of_float ns)
  | _ -> Error (Printf.sprintf "%S is not a time: give seconds, such as 5s, or 500ms" s)

let ( let* ) = Result.bind

let cut_of s =
  match String.index_opt s '.' with
  | Some i when i + 1 < String.length s && s.[i + 1] = '.' ->
      let* from_ns = time (String.sub s 0 i) in
      let* until_ns = time (String.sub s (i + 2) (String.length s - i - 2)) in
      if from_ns < until_ns then Ok (Cut { from_ns; until_ns })
      else Error (Printf.sprintf "%S: the cut ends before it begins" s)
  | _ -> Error (Printf.sprintf "%S: give a cut's begin and end, such as 5s..8s" s)

let fault_of s =
  if String.starts_with ~prefix:"cut=" s then cut_of (String.sub s 4 (String.length s - 4))
  else Result.map (fun i -> Impaired i) (Weir_link.Impairment.of_string s)

let between_of text =
  match String.index_opt text ':' with
  | None -> Error (Printf.sprintf "%S: give A,B:IMPAIRMENTS or A,B:cut=5s..8s" text)
  | Some i -> (
      let what = String.sub text (i + 1) (String.length text - i - 1) in
      match String.split_on_char ',' (String.sub text 0 i) with
      | [ a; b ] when a <> "" && b <> "" ->
          let* fault = fault_of what in
          Ok { text; a = String.lowercase_ascii a; b = String.lowercase_ascii b; fault }
      | _ -> Error (Printf.sprintf "%S: give two members, such as a,b:loss=1%%" text))

let between =
  Cmdliner.Arg.Conv.make ~docv:"A,B:WHAT" ~parser:between_of ~pp:(fun f b -> Fmt.string f b.text) ()

let is_of b x y =
  let matches pattern name = pattern = "*" || pattern = name in
  (matches b.a x && matches b.b y) || (matches b.a y && matches b.b x)

(* -- messages -----------------------------------------------------------------------

   Each is one packet of a SOCK_SEQPACKET socket: a letter, then
   - H, to the owner: the member's name, the number it has or -1, what it says of pairs, a line each;
   - M, to members: when the network began, the receiver's number, then [NUMBER NAME] of each;
   - E, to a member: why it is not let in;
   - F, both ways: a frame. *)

let longest = 1 + 65_549 + 4

type peer = { number : int; name : string; betweens : between list; give : Bytes.t -> unit }
(** [give] takes a frame with an F in front. *)

type role = Member of Unix.file_descr | Owner of Unix.file_descr

type t = {
  path : string;
  name : string;
  own : between list;
  mutable number : int;
  mutable began_ns : int;
  mutable role : role;
  mutable table : (string * int) list;
  mutable peers : peer list;  (** the owner's *)
  macs : (Mac.t, int) Hashtbl.t;  (** and where they are *)
  lanes : (int * int, Lane.t * Eio.Condition.t) Hashtbl.t;
  pool : Frame.pool;
  mutable inject : Bytes.t -> unit;  (** a frame for the program, with an F in front *)
  mutable out : Bytes.t -> unit;  (** one of the program *)
  mutable fork : (unit -> unit) -> unit;
  mutable left : bool;
}

(* The source address follows the destination. *)
let source b ~off = Ethernet.get_dst b ~off:(off + 6)
let members t = t.table
let number t = t.number
let clock_ns () = Int64.to_int (Mtime.to_uint64_ns (Mtime_clock.now ()))

let send fd b =
  match Unix.send fd b 0 (Bytes.length b) [] with
  | (_ : int) -> ()
  (* A full queue loses frames, and who has gone needs none. *)
  | exception Unix.Unix_error _ -> ()

let hello t =
  let lines = t.name :: string_of_int t.number :: List.map (fun b -> b.text) t.own in
  Bytes.of_string ("H" ^ String.concat "\n" lines)

let table_for t number =
  let line (name, n) = Printf.sprintf "%d %s" n name in
  Bytes.of_string
    (Printf.sprintf "M%s"
       (String.concat "\n"
          (string_of_int t.began_ns :: string_of_int number :: List.map line t.table)))

let read_table t text =
  match String.split_on_char '\n' text with
  | began :: number :: lines ->
      t.began_ns <- int_of_string began;
      t.number <- int_of_string number;
      t.table <-
        List.filter_map
          (fun line ->
            match String.index_opt line ' ' with
            | Some i ->
                Some
                  ( String.sub line (i + 1) (String.length line - i - 1),
                    int_of_string (String.sub line 0 i) )
            | None -> None)
          lines
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
  send fd (hello t);
  let b = Bytes.create longest in
  let rec await () =
    let n = receive fd b in
    match if n = 0 then '?' else Bytes.get b 0 with
    | 'M' ->
        read_table t (Bytes.sub_string b 1 (n - 1));
        `In
    | 'E' -> `Out (Bytes.sub_string b 1 (n - 1))
    | 'F' -> await ()
    | _ -> `Gone
  in
  await ()

let own_peer t =
  { number = t.number; name = t.name; betweens = t.own; give = (fun b -> t.inject b) }

let become t =
  match t.role with
  | Owner _ ->
      if t.number < 0 then t.number <- 0;
      t.peers <- [ own_peer t ];
      t.table <- [ (t.name, t.number) ];
      Hashtbl.reset t.macs;
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

let is_word s =
  s <> ""
  && String.length s <= 60
  && String.for_all
       (function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '-' | '_' -> true | _ -> false)
       s

let join ~network ~name own =
  if not (is_word network) then
    Fail.usage "--join %s: give a name of letters, digits, - and _" network;
  if not (is_word name) then Fail.usage "--name %s: give a name of letters, digits, - and _" name;
  let path = Filename.concat (folder ()) ("weir-" ^ network) in
  let t =
    {
      path;
      name = String.lowercase_ascii name;
      own;
      number = -1;
      began_ns = clock_ns ();
      role = find_role path;
      table = [];
      peers = [];
      macs = Hashtbl.create 16;
      lanes = Hashtbl.create 16;
      pool = Frame.pool ~size:longest ();
      inject = ignore;
      out = ignore;
      fork = ignore;
      left = false;
    }
  in
  settle t 5;
  t

(* -- the switch -------------------------------------------------------------------------- *)

let faults t (x : peer) (y : peer) =
  List.concat_map (fun p -> List.filter (fun b -> is_of b x.name y.name) p.betweens) t.peers

let is_cut t faults =
  let at = clock_ns () - t.began_ns in
  List.exists
    (fun b ->
      match b.fault with Cut c -> c.from_ns <= at && at < c.until_ns | Impaired _ -> false)
    faults

let to_frame t b =
  let f = Frame.alloc t.pool and len = Bytes.length b - 1 in
  Bytes.blit b 1 f.data 0 len;
  Frame.set f ~off:0 ~len;
  f

let of_frame (f : Frame.t) =
  let b = Bytes.create (f.len + 1) in
  Bytes.set b 0 'F';
  Bytes.blit f.data f.off b 1 f.len;
  Frame.release f;
  b

let peer t n = List.find_opt (fun (p : peer) -> p.number = n) t.peers

(* Frames of a lane leave by a fiber of its own, which ends with the lane. *)
let rec drain t ~between lane entered ~sleep =
  let frame = Lane.next lane ~now:(clock_ns ()) in
  (if frame != Frame.none then
     let b = of_frame frame in
     Option.iter (fun (p : peer) -> p.give b) (peer t (snd between))
   else
     let at = Lane.deadline lane in
     if at = Weir_base.Time.never then Eio.Condition.await_no_mutex entered
     else
       Fiber.first
         (fun () -> sleep (at - clock_ns ()))
         (fun () -> Eio.Condition.await_no_mutex entered));
  match Hashtbl.find_opt t.lanes between with
  | Some (l, _) when l == lane -> drain t ~between lane entered ~sleep
  | _ -> ()

let forget_lanes t number =
  Hashtbl.filter_map_inplace
    (fun (a, b) (lane, entered) ->
      if a = number || b = number then (
        Eio.Condition.broadcast entered;
        None)
      else Some (lane, entered))
    t.lanes

let lane t ~sleep (x : peer) (y : peer) impairment =
  match Hashtbl.find_opt t.lanes (x.number, y.number) with
  | Some l -> l
  | None ->
      let l = Lane.create ~seed:[| x.number; y.number |] impairment in
      let entered = Eio.Condition.create () in
      Hashtbl.replace t.lanes (x.number, y.number) (l, entered);
      t.fork (fun () -> drain t ~between:(x.number, y.number) l entered ~sleep);
      (l, entered)

let pass t ~sleep (x : peer) (y : peer) b =
  let faults = faults t x y in
  if not (is_cut t faults) then
    match
      List.find_map (fun f -> match f.fault with Impaired i -> Some i | Cut _ -> None) faults
    with
    | None -> y.give b
    | Some impairment ->
        let l, entered = lane t ~sleep x y impairment in
        ignore (Lane.enter l ~now:(clock_ns ()) (to_frame t b) : Lane.fate);
        Eio.Condition.broadcast entered

(* [b] is a frame of [from] with an F in front. *)
let switch t ~sleep ~from b =
  if Bytes.length b > Ethernet.length then
    match peer t from with
    | None -> ()
    | Some x -> (
        let dst = Ethernet.get_dst b ~off:1 in
        if Hashtbl.length t.macs < 4_096 then Hashtbl.replace t.macs (source b ~off:1) from;
        let others = List.filter (fun (p : peer) -> p.number <> from) t.peers in
        match if Mac.is_group dst then None else Hashtbl.find_opt t.macs dst with
        | Some n -> List.iter (fun (y : peer) -> if y.number = n then pass t ~sleep x y b) others
        | None -> List.iter (fun y -> pass t ~sleep x y b) others)

(* -- the link ------------------------------------------------------------------------------ *)

class joined t (tap : Link.t) ~(out : Bytes.t -> unit) =
  object
    inherit Link.forward tap
    val mutable gateway = Mac.broadcast

    method! send ~now frame =
      if Mac.equal gateway Mac.broadcast && frame.Frame.len >= Ethernet.length then
        gateway <- source frame.data ~off:frame.off;
      tap#send ~now frame

    (* What is for this program's gateway goes nowhere else. *)
    method! receive ~now =
      let rec next () =
        let f = tap#receive ~now in
        if f == Frame.none || f.Frame.len < Ethernet.length then f
        else
          let dst = Ethernet.get_dst f.data ~off:f.off in
          if Mac.equal dst gateway then f
          else
            let b = Bytes.create (f.len + 1) in
            Bytes.set b 0 'F';
            Bytes.blit f.data f.off b 1 f.len;
            if not t.left then out b;
            if Mac.is_group dst then f
            else (
              Frame.release f;
              next ())
      in
      next ()
  end

let sleep_of clock ns =
  if ns > 0 then Eio.Time.Mono.sleep_span clock (Mtime.Span.of_uint64_ns (Int64.of_int ns))

let link t tap =
  t.inject <-
    (fun b ->
      tap#send ~now:(clock_ns ()) (to_frame t b);
      tap#flush);
  (new joined t tap ~out:(fun b -> t.out b) :> Link.t)

(* -- running --------------------------------------------------------------------------------- *)

let tell_all t = t.table <- List.map (fun (p : peer) -> (p.name, p.number)) t.peers

let rec next_packet fd b =
  match receive fd b with
  | n -> n
  | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) ->
      Eio_unix.await_readable fd;
      next_packet fd b

let free_number t =
  let rec from n = if peer t n = None then n else from (n + 1) in
  from 0

let admit t fd text : (peer, string) result =
  match String.split_on_char '\n' text with
  | name :: wanted :: lines ->
      let wanted = Option.value (int_of_string_opt wanted) ~default:(-1) in
      let betweens = List.filter_map (fun l -> Result.to_option (between_of l)) lines in
      if List.exists (fun (p : peer) -> p.name = name) t.peers then
        Error (Printf.sprintf "a member is called %s already: give another --name" name)
      else if List.length t.peers >= most_members then Error "the network is full"
      else
        let number = if wanted >= 0 && peer t wanted = None then wanted else free_number t in
        Ok { number; name; betweens; give = (fun b -> send fd b) }
  | _ -> Error "no greeting"

let tables t fds =
  tell_all t;
  List.iter (fun (n, fd) -> send fd (table_for t n)) fds

let own t ~sw ~sleep listening =
  let fds = ref [] in
  t.out <- (fun b -> switch t ~sleep ~from:t.number b);
  let serve fd =
    let b = Bytes.create longest in
    let n = next_packet fd b in
    match admit t fd (if n > 1 then Bytes.sub_string b 1 (n - 1) else "") with
    | Error why -> send fd (Bytes.of_string ("E" ^ why))
    | Ok p ->
        t.peers <- p :: t.peers;
        fds := (p.number, fd) :: !fds;
        tables t !fds;
        Fun.protect ~finally:(fun () ->
            t.peers <- List.filter (fun (q : peer) -> q.number <> p.number) t.peers;
            fds := List.remove_assoc p.number !fds;
            forget_lanes t p.number;
            Hashtbl.filter_map_inplace (fun _ n -> if n = p.number then None else Some n) t.macs;
            tables t !fds)
        @@ fun () ->
        let rec frames () =
          let n = next_packet fd b in
          if n > 0 then (
            if Bytes.get b 0 = 'F' then switch t ~sleep ~from:p.number (Bytes.sub b 0 n);
            frames ())
        in
        frames ()
  in
  let rec accept () =
    (match Unix.accept ~cloexec:true listening with
    | fd, _ ->
        Unix.set_nonblock fd;
        Fiber.fork ~sw (fun () ->
            Fun.protect ~finally:(fun () -> Unix.close fd) (fun () -> serve fd))
    | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> Eio_unix.await_readable listening
    | exception Unix.Unix_error _ -> sleep 10_000_000);
    accept ()
  in
  Unix.set_nonblock listening;
  accept ()

(* Returns when the owner is gone. *)
let take_part t fd =
  t.out <- (fun b -> send fd b);
  let b = Bytes.create longest in
  Unix.set_nonblock fd;
  let rec packets () =
    let n = next_packet fd b in
    if n > 0 then (
      (match Bytes.get b 0 with
      | 'F' -> t.inject (Bytes.sub b 0 n)
      | 'M' -> read_table t (Bytes.sub_string b 1 (n - 1))
      | _ -> ());
      packets ())
  in
  packets ()

let run t ~clock =
  Switch.run @@ fun sw ->
  let sleep ns = sleep_of clock ns in
  t.fork <-
    (fun f ->
      Fiber.fork_daemon ~sw (fun () ->
          f ();
          `Stop_daemon));
  let rec go () =
    (match t.role with
    | Owner fd -> own t ~sw ~sleep fd
    | Member fd ->
        take_part t fd;
        Unix.close fd;
        t.out <- ignore;
        t.role <- find_role t.path;
        settle t 20);
    go ()
  in
  go ()

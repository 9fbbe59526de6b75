type t = {
  fd : Unix.file_descr;
  capacity : int;
  mutex : Mutex.t;  (** of all that follows *)
  some : Condition.t;
  mutable waiting : Buffer.t;
  mutable lines : int;  (** in [waiting] *)
  mutable overflowed : int;  (** dropped for want of room behind those *)
  mutable spare : Buffer.t;
  mutable in_hand : int;  (** lines being written *)
  mutable failed : int;  (** dropped as writing failed, and not told yet *)
  mutable torn : bool;  (** the last line written lacks its end *)
  mutable lost : int;
  mutable failure : string option;
  mutable asleep : bool;
  mutable closing : bool;
  mutable ended : bool;
}

let fresh ~capacity fd =
  {
    fd;
    capacity;
    mutex = Mutex.create ();
    some = Condition.create ();
    waiting = Buffer.create 4_096;
    lines = 0;
    overflowed = 0;
    spare = Buffer.create 4_096;
    in_hand = 0;
    failed = 0;
    torn = false;
    lost = 0;
    failure = None;
    asleep = false;
    closing = false;
    ended = false;
  }

let locked t f = Mutex.protect t.mutex f
let too_fast = "they were logged faster than they could be written"
let told n why = Printf.sprintf "%d line%s of this log lost: %s\n" n (if n = 1 then "" else "s") why

(* -- the writer ---------------------------------------------------------- *)

(* The number of bytes written, all unless it fails. *)
let rec write fd b ~off ~len =
  if len = 0 then (off, None)
  else
    match Unix.single_write fd b off len with
    | n -> write fd b ~off:(off + n) ~len:(len - n)
    | exception Unix.Unix_error (EINTR, _, _) -> write fd b ~off ~len
    (* A terminal may be non-blocking by another program's doing. *)
    | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) ->
        (try ignore (Unix.select [] [ fd ] [] 1.) with Unix.Unix_error _ -> ());
        write fd b ~off ~len
    | exception Unix.Unix_error (e, _, _) -> (off, Some e)

let newlines b ~from ~until =
  let rec count n i =
    if i >= until then n else count (if Bytes.get b i = '\n' then n + 1 else n) (i + 1)
  in
  count 0 from

(* Updates the counts after [text], which holds the lines [first] to [last] of the log, was written
   up to [at]. *)
let account t text ~first ~last ~at ~overflowed error =
  t.in_hand <- 0;
  if at >= first then t.failed <- 0;
  if at > 0 then t.torn <- Bytes.get text (at - 1) <> '\n';
  match error with
  | None -> ()
  | Some e ->
      let dropped = newlines text ~from:(Int.max at first) ~until:last in
      t.failed <- t.failed + dropped + overflowed;
      t.lost <- t.lost + dropped;
      t.failure <- Some (Unix.error_message e)

let write_batch t batch ~overflowed =
  let text = Buffer.create (Buffer.length batch + 200) in
  if t.torn then Buffer.add_char text '\n';
  if t.failed > 0 then
    Buffer.add_string text (told t.failed (Option.value t.failure ~default:too_fast));
  let first = Buffer.length text in
  Buffer.add_buffer text batch;
  let last = Buffer.length text in
  if overflowed > 0 then Buffer.add_string text (told overflowed too_fast);
  let text = Buffer.to_bytes text in
  let at, error = write t.fd text ~off:0 ~len:(Bytes.length text) in
  locked t (fun () -> account t text ~first ~last ~at ~overflowed error)

(* Whether there is more to come. *)
let wait t =
  let rec go () =
    if Buffer.length t.waiting > 0 || t.overflowed > 0 then true
    else if t.closing then (
      t.ended <- true;
      false)
    else (
      t.asleep <- true;
      Condition.wait t.some t.mutex;
      t.asleep <- false;
      go ())
  in
  locked t go

let take t =
  locked t @@ fun () ->
  let batch = t.waiting and overflowed = t.overflowed in
  t.waiting <- t.spare;
  t.spare <- batch;
  t.in_hand <- t.lines;
  t.lines <- 0;
  t.overflowed <- 0;
  (batch, overflowed)

let large = 65_536

(* Lines are collected for a moment: a wake-up for each would cost the caller more than writing it. *)
let moment = 0.01

let rec work t =
  if wait t then (
    if not (locked t (fun () -> t.closing)) then Thread.delay moment;
    let batch, overflowed = take t in
    write_batch t batch ~overflowed;
    if Buffer.length batch > large then Buffer.reset batch else Buffer.clear batch;
    work t)

(* The program's own threads handle signals. *)
let signals =
  Sys.
    [
      sigabrt;
      sigalrm;
      sighup;
      sigint;
      sigpipe;
      sigquit;
      sigterm;
      sigusr1;
      sigusr2;
      sigchld;
      sigcont;
      sigtstp;
      sigvtalrm;
      sigprof;
      sigxfsz;
      sigwinch;
    ]

let create ?(capacity = 1_048_576) fd =
  let t = fresh ~capacity fd in
  let before = Thread.sigmask SIG_BLOCK signals in
  Fun.protect
    ~finally:(fun () -> ignore (Thread.sigmask SIG_SETMASK before : int list))
    (fun () -> ignore (Thread.create work t : Thread.t));
  t

(* -- who logs ------------------------------------------------------------ *)

let drop t why =
  t.lost <- t.lost + 1;
  t.failure <- Some why

let add t s =
  if t.closing then drop t "the log was closed"
  else if String.length s + 1 > t.capacity - Buffer.length t.waiting then (
    drop t too_fast;
    t.overflowed <- t.overflowed + 1)
  else (
    Buffer.add_string t.waiting s;
    Buffer.add_char t.waiting '\n';
    t.lines <- t.lines + 1);
  if t.asleep then Condition.signal t.some

let line t s = locked t (fun () -> add t s)
let lost t = locked t (fun () -> t.lost)
let failure t = locked t (fun () -> t.failure)
let untold t = locked t (fun () -> t.failed + t.overflowed)
let step = 0.002

let close ?(timeout = 1.) t =
  locked t (fun () ->
      t.closing <- true;
      Condition.signal t.some);
  let rec wait left =
    if (not (locked t (fun () -> t.ended))) && left > 0. then (
      Thread.delay step;
      wait (left -. step))
  in
  wait timeout;
  locked t (fun () ->
      if not t.ended then (
        let left = t.lines + t.in_hand in
        t.lost <- t.lost + left;
        t.failed <- t.failed + left;
        if left > 0 then t.failure <- Some too_fast))

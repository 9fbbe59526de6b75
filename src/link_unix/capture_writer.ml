type state =
  | Busy
  | Dozing  (** until a block is handed over, or for [period] *)
  | Asleep  (** until a record ends *)
  | Failed

(* State that both domains use. *)
type shared = {
  ring : Block_ring.t;
  files : Capture_files.t;
  state : state Atomic.t;
  closing : bool Atomic.t;
  over : bool Atomic.t;
  progress : int Atomic.t;
  failure : string option Atomic.t;
  saved : int Atomic.t;  (** records *)
  alarm : Unix.file_descr;  (** writing a byte to it wakes the writer *)
  bell : Unix.file_descr;
}

type t = {
  shared : shared;
  writer : unit Domain.t;
  size : int;
  batch : int;  (** the writer is woken for this many blocks *)
  patience_ns : int;
  grace_ns : int;
  rotate_at : int;
  header_length : int;
  on_error : string -> unit;
  on_drop : unit -> unit;
  mutable block : Block_ring.block;
  mutable at : int;  (** the end of the bytes gathered, which may be within a record *)
  mutable ended : int;  (** the end of the last whole record *)
  mutable ended_records : int;
  mutable in_file : int;
  mutable skipping : bool;  (** the current record *)
  mutable patient : bool;
  mutable told_drop : bool;
  mutable told_error : bool;
  mutable closed : bool;
  mutable records : int;
  mutable dropped : int;
}

(* -- the domain that writes ---------------------------------------------- *)

exception Stop of string

let get = function Ok () -> () | Error why -> raise (Stop why)

(* The producer may still fill the block after [whole]. *)
let save_block s (b : Block_ring.block) ~whole =
  let bytes = Block_ring.bytes_of whole and records = Block_ring.records_of whole in
  if bytes > b.saved then (
    get
      (Capture_files.write s.files ~progress:s.progress b.bytes ~off:b.saved ~len:(bytes - b.saved));
    ignore (Atomic.fetch_and_add s.saved (records - b.saved_records) : int);
    b.saved <- bytes;
    b.saved_records <- records)

let has_unsaved (b : Block_ring.block) = Block_ring.bytes_of b.whole > b.saved
let nothing_waits s = Block_ring.waiting s.ring = 0 && not (Atomic.get s.closing)

let await_bell s ~seconds =
  Unix.setsockopt_float s.alarm SO_RCVTIMEO seconds;
  try ignore (Unix.read s.alarm (Bytes.create 64) 0 64 : int)
  with Unix.Unix_error ((EAGAIN | EWOULDBLOCK | EINTR), _, _) -> ()

let period = 0.1

(* After this time, the producer's earlier stores are visible here. *)
let settle = 0.001

(* The producer sets [Busy] before it wakes the writer. *)
let idle s =
  let b = Block_ring.current s.ring in
  if has_unsaved b then (
    let whole = b.whole in
    Atomic.set s.state Dozing;
    if nothing_waits s then await_bell s ~seconds:period;
    Atomic.set s.state Busy;
    (* Older blocks come first. *)
    if nothing_waits s then save_block s b ~whole)
  else (
    Atomic.set s.state Asleep;
    if nothing_waits s then (
      Unix.sleepf settle;
      if nothing_waits s && not (has_unsaved (Block_ring.current s.ring)) then
        await_bell s ~seconds:0.);
    Atomic.set s.state Busy)

let rec turn s =
  let closing = Atomic.get s.closing in
  match Block_ring.pop s.ring with
  | Some b ->
      save_block s b ~whole:b.whole;
      if b.ends_file then get (Capture_files.next s.files);
      Block_ring.give_back s.ring b;
      turn s
  | None when closing ->
      let b = Block_ring.current s.ring in
      save_block s b ~whole:b.whole
  | None ->
      idle s;
      turn s

let fail s why =
  if Atomic.get s.failure = None then Atomic.set s.failure (Some why);
  Atomic.set s.state Failed

let run s () =
  (* Other threads must handle the signals. *)
  ignore
    (Unix.sigprocmask SIG_BLOCK
       [ Sys.sigint; Sys.sigterm; Sys.sighup; Sys.sigusr1; Sys.sigpipe; Sys.sigxfsz ]);
  (try turn s with Stop why -> fail s why);
  (match Capture_files.close s.files with Ok () -> () | Error why -> fail s why);
  Atomic.set s.over true

(* -- the domain that records --------------------------------------------- *)

let ring_bell s =
  try ignore (Unix.single_write s.bell (Bytes.make 1 '!') 0 1 : int) with Unix.Unix_error _ -> ()

let wake s state = if Atomic.compare_and_set s.state state Busy then ring_bell s

let create ?(block = 262_144 + 16) ?(blocks = 64) ?(patience_ns = 20_000_000)
    ?(grace_ns = 5_000_000_000) ?rotation ?(on_error = prerr_endline) ?(on_drop = ignore) ~header
    path =
  let start files =
    let ring = Block_ring.create ~size:block ~most:blocks in
    let alarm, bell = Unix.socketpair ~cloexec:true PF_UNIX SOCK_STREAM 0 in
    Unix.set_nonblock bell;
    let shared =
      {
        ring;
        files;
        state = Atomic.make Busy;
        closing = Atomic.make false;
        over = Atomic.make false;
        progress = Atomic.make 0;
        failure = Atomic.make None;
        saved = Atomic.make 0;
        alarm;
        bell;
      }
    in
    {
      shared;
      writer = Domain.spawn (run shared);
      size = block;
      batch = Int.max 1 (blocks / 16);
      patience_ns;
      grace_ns;
      rotate_at =
        Option.fold rotation ~none:max_int ~some:(fun (r : Capture_files.rotation) -> r.bytes);
      header_length = String.length header;
      on_error;
      on_drop;
      block = Block_ring.current ring;
      at = 0;
      ended = 0;
      ended_records = 0;
      in_file = String.length header;
      skipping = false;
      patient = true;
      told_drop = false;
      told_error = false;
      closed = false;
      records = 0;
      dropped = 0;
    }
  in
  match Result.map start (Capture_files.create ?rotation ~header path) with
  | r -> r
  | exception Unix.Unix_error (e, _, _) ->
      Error (Printf.sprintf "cannot write %s: %s" path (Unix.error_message e))
  | exception Failure why -> Error (Printf.sprintf "cannot write %s: %s" path why)

let nap = 100e-6

(* The clock may be changed, so the number of sleeps is bounded too. *)
let wait_for_block t =
  let rec go naps ~until =
    match Block_ring.take t.shared.ring with
    | Some _ as b -> b
    | None ->
        if naps = 0 || Unix.gettimeofday () >= until || Atomic.get t.shared.state = Failed then None
        else (
          Unix.sleepf nap;
          go (naps - 1) ~until)
  in
  let seconds = float_of_int t.patience_ns /. 1e9 in
  go (int_of_float (seconds /. nap)) ~until:(Unix.gettimeofday () +. seconds)

let caught_up t = Block_ring.waiting t.shared.ring <= Block_ring.made t.shared.ring / 2

let take t =
  if not t.patient then t.patient <- caught_up t;
  if not t.patient then None
  else
    match wait_for_block t with
    | Some _ as b -> b
    | None ->
        t.patient <- false;
        None

(* Continues in the next block, to which the unfinished record is moved. *)
let move t ~ends_file =
  match take t with
  | None -> false
  | Some next ->
      let part = t.at - t.ended in
      Cstruct.blit t.block.bytes t.ended next.bytes 0 part;
      t.block.ends_file <- ends_file;
      Block_ring.hand_over t.shared.ring next;
      t.block <- next;
      t.at <- part;
      t.ended <- 0;
      t.ended_records <- 0;
      if ends_file || Block_ring.waiting t.shared.ring >= t.batch then wake t.shared Dozing;
      wake t.shared Asleep;
      true

let write t b ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length b - len then invalid_arg "Capture_writer.write";
  if not (t.skipping || t.closed) then
    if
      t.at + len <= t.size
      || (t.at - t.ended + len <= t.size && t.ended > 0 && move t ~ends_file:false)
    then (
      Cstruct.blit_from_bytes b off t.block.bytes t.at len;
      t.at <- t.at + len)
    else t.skipping <- true

let tell_failure t =
  match Atomic.get t.shared.failure with
  | Some why when not t.told_error ->
      t.told_error <- true;
      t.on_error why
  | _ -> ()

let drop t =
  t.at <- t.ended;
  t.skipping <- false;
  if Atomic.get t.shared.state = Failed then tell_failure t
  else if not t.closed then (
    t.dropped <- t.dropped + 1;
    if not t.told_drop then (
      t.told_drop <- true;
      t.on_drop ()))

let keep t =
  let length = t.at - t.ended in
  t.in_file <- t.in_file + length;
  t.ended <- t.at;
  t.ended_records <- t.ended_records + 1;
  t.block.whole <- Block_ring.whole ~bytes:t.ended ~records:t.ended_records;
  match Atomic.get t.shared.state with
  | Busy | Dozing -> ()
  | Asleep -> wake t.shared Asleep
  | Failed -> tell_failure t

let end_record t =
  t.records <- t.records + 1;
  if t.skipping || t.closed then drop t
  else if t.in_file + (t.at - t.ended) > t.rotate_at && t.in_file > t.header_length then
    if move t ~ends_file:true then (
      t.in_file <- t.header_length;
      keep t)
    else drop t
  else keep t

let append t ~head b ~off ~len =
  let head_length = Bytes.length head in
  let length = head_length + len in
  if
    off >= 0 && len >= 0
    && off <= Bytes.length b - len
    && t.at + length <= t.size
    && t.in_file + length <= t.rotate_at
    && (not t.skipping) && not t.closed
  then (
    Cstruct.blit_from_bytes head 0 t.block.bytes t.at head_length;
    Cstruct.blit_from_bytes b off t.block.bytes (t.at + head_length) len;
    t.at <- t.at + length;
    t.records <- t.records + 1;
    keep t)
  else (
    write t head ~off:0 ~len:head_length;
    write t b ~off ~len;
    end_record t)

let save t =
  let s = t.shared in
  Atomic.set s.closing true;
  wake s Dozing;
  wake s Asleep;
  (* Waits as long as there is progress. *)
  let rec wait progress ~until =
    if not (Atomic.get s.over) then
      let now = Atomic.get s.progress in
      if now <> progress then wait now ~until:(Unix.gettimeofday () +. (float t.grace_ns /. 1e9))
      else if Unix.gettimeofday () < until then (
        Unix.sleepf (5. *. nap);
        wait progress ~until)
  in
  wait (-1) ~until:infinity

let close t =
  if not t.closed then (
    t.closed <- true;
    save t;
    if Atomic.get t.shared.over then (
      Domain.join t.writer;
      Unix.close t.shared.alarm;
      Unix.close t.shared.bell;
      tell_failure t)
    else
      t.on_error
        (Capture_files.path t.shared.files ^ " accepts no more bytes: the last records are lost"))

let failure t = Atomic.get t.shared.failure
let records t = t.records
let dropped t = t.dropped
let lost t = t.records - Atomic.get t.shared.saved
let blocks t = Block_ring.made t.shared.ring

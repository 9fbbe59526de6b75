(* A run of bytes in one place: the next [len] copied ones, or [len] bytes of [text] from [at].
   [text] is [string] where bytes and strings are the same; in JavaScript it is a copy. *)
type run = {
  string : string;
  text : Bytes.t;
  copied : bool;
  mutable at : int;
  mutable len : int;
  mutable next : run;  (** [no_run] after the last *)
}

let rec no_run = { string = ""; text = Bytes.empty; copied = true; at = 0; len = 0; next = no_run }

(* All runs, while some bytes are lent. [here] is the run where the last search ended: [here_at]
   bytes of the queue are before it, [here_ring] of them copied. *)
type lent = {
  mutable bytes : int;
  mutable first : run;
  mutable last : run;
  mutable here : run;
  mutable here_at : int;
  mutable here_ring : int;
}

(* Most queues lend nothing: they have this one. *)
let nothing =
  { bytes = 0; first = no_run; last = no_run; here = no_run; here_at = 0; here_ring = 0 }

type t = { ring : Byte_ring.t; mutable lent : lent }

let create ?budget ~capacity () =
  { ring = Byte_ring.create ?budget ~shown:false ~capacity (); lent = nothing }

let[@inline] length t = Byte_ring.length t.ring + t.lent.bytes
let capacity t = Byte_ring.capacity t.ring
let set_capacity t n = Byte_ring.set_capacity t.ring n
let free t = Int.max 0 (capacity t - length t)
let storage t = Byte_ring.storage t.ring
let affords t n = Byte_ring.affords t.ring n
let trim t = Byte_ring.trim t.ring

let clear t =
  Byte_ring.clear t.ring;
  t.lent <- nothing

(* -- adding -------------------------------------------------------------- *)

let push l run =
  if l.first == no_run then (
    l.first <- run;
    l.here <- run;
    l.here_at <- 0;
    l.here_ring <- 0)
  else l.last.next <- run;
  l.last <- run

let push_copied l n = push l { no_run with len = n }

let note_copied t n =
  let l = t.lent in
  if l != nothing && n > 0 then
    if l.last.copied then l.last.len <- l.last.len + n else push_copied l n

let write t b ~off ~len =
  if len > free t then invalid_arg "Send_queue.write";
  Byte_ring.write t.ring b ~off ~len;
  note_copied t len

let fill t ~want f =
  let n = Byte_ring.tail t.ring f ~want:(Int.min want (free t)) in
  Byte_ring.extend t.ring n;
  note_copied t n;
  n

let continues t s ~off =
  let last = t.lent.last in
  (not last.copied) && last.string == s && last.at + last.len = off

let begin_lending t =
  if t.lent == nothing then (
    t.lent <- { nothing with bytes = 0 };
    let copied = Byte_ring.length t.ring in
    if copied > 0 then push_copied t.lent copied)

let lend t s ~off ~len =
  if off < 0 || len < 0 || off > String.length s - len || len > free t then
    invalid_arg "Send_queue.lend";
  if len > 0 then (
    begin_lending t;
    let l = t.lent in
    if continues t s ~off then l.last.len <- l.last.len + len
    else
      push l
        {
          string = s;
          text = Bytes.unsafe_of_string s;
          copied = false;
          at = off;
          len;
          next = no_run;
        };
    l.bytes <- l.bytes + len)

(* -- removing ------------------------------------------------------------ *)

let rec drop_runs t l n =
  if n > 0 then (
    let run = l.first in
    let part = Int.min n run.len in
    if run.copied then Byte_ring.drop t.ring part
    else (
      run.at <- run.at + part;
      l.bytes <- l.bytes - part);
    run.len <- run.len - part;
    if run.len = 0 then l.first <- run.next;
    drop_runs t l (n - part))

let restart l =
  l.here <- l.first;
  l.here_at <- 0;
  l.here_ring <- 0

let drop t n =
  let l = t.lent in
  if l == nothing then Byte_ring.drop t.ring n
  else (
    if n < 0 || n > length t then invalid_arg "Send_queue.drop";
    let copied = Byte_ring.length t.ring in
    drop_runs t l n;
    if l.bytes = 0 then t.lent <- nothing
    else if l.here_at < n then restart l
    else (
      l.here_at <- l.here_at - n;
      l.here_ring <- l.here_ring - (copied - Byte_ring.length t.ring)))

(* -- looking ------------------------------------------------------------- *)

let rec advance l at =
  let run = l.here in
  if at >= l.here_at + run.len then (
    if run.copied then l.here_ring <- l.here_ring + run.len;
    l.here_at <- l.here_at + run.len;
    l.here <- run.next;
    advance l at)

(* Makes the run that holds the byte at [at] the one that is [here]. *)
let seek l at =
  if at < l.here_at then restart l;
  advance l at

let check t ~at ~len =
  if at < 0 || len < 0 || at > length t - len then invalid_arg "Send_queue: out of bounds"

let rec gather t l ~at dst ~off ~len =
  if len > 0 then (
    seek l at;
    let run = l.here and inside = at - l.here_at in
    let n = Int.min len (run.len - inside) in
    if run.copied then Byte_ring.peek t.ring ~at:(l.here_ring + inside) dst ~off ~len:n
    else Bytes.blit run.text (run.at + inside) dst off n;
    gather t l ~at:(at + n) dst ~off:(off + n) ~len:(len - n))

let peek t ~at dst ~off ~len =
  if t.lent == nothing then Byte_ring.peek t.ring ~at dst ~off ~len
  else (
    check t ~at ~len;
    gather t t.lent ~at dst ~off ~len)

let gather_sum t l ~at dst ~off ~len =
  seek l at;
  let run = l.here and inside = at - l.here_at in
  if inside + len > run.len then (
    gather t l ~at dst ~off ~len;
    Checksum.sum dst ~off ~len)
  else if run.copied then Byte_ring.peek_sum t.ring ~at:(l.here_ring + inside) dst ~off ~len
  else Checksum.blit_sum run.text ~src_off:(run.at + inside) dst ~dst_off:off ~len

let peek_sum t ~at dst ~off ~len =
  if t.lent == nothing then Byte_ring.peek_sum t.ring ~at dst ~off ~len
  else (
    check t ~at ~len;
    if len = 0 then 0 else gather_sum t t.lent ~at dst ~off ~len)

let in_one_place t ~at ~len =
  if len = 0 then 0
  else if t.lent == nothing then len
  else (
    check t ~at ~len;
    let l = t.lent in
    seek l (at + len - 1);
    at + len - Int.max at l.here_at)

let source t ~at =
  let l = t.lent in
  if l == nothing then Byte_ring.contents t.ring
  else (
    check t ~at ~len:1;
    seek l at;
    if l.here.copied then Byte_ring.contents t.ring else l.here.text)

let place t ~at ~len =
  let l = t.lent in
  if l == nothing then Byte_ring.place t.ring ~at ~len
  else (
    check t ~at ~len;
    seek l at;
    let inside = at - l.here_at in
    if inside + len > l.here.len then invalid_arg "Send_queue.place";
    if l.here.copied then Byte_ring.place t.ring ~at:(l.here_ring + inside) ~len
    else l.here.at + inside)

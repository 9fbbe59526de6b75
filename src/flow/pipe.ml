open Weir_base

type suspend = ((unit -> unit) -> unit) -> unit

let no_wait _ = failwith "Weir_flow.Pipe: this call would block and there is no scheduler"

(* [changed] holds the wake functions of callers that wait for the other end to change the ring. *)
type t = {
  ring : Byte_ring.t;
  suspend : suspend;
  mutable ended : bool;
  mutable changed : (unit -> unit) list;
}

let make ?(capacity = 65536) suspend =
  if capacity < 1 then invalid_arg "Pipe.create: capacity";
  { ring = Byte_ring.create ~capacity (); suspend; ended = false; changed = [] }

let signal t =
  match t.changed with
  | [] -> ()
  | waiting ->
      t.changed <- [];
      List.iter (fun wake -> wake ()) (List.rev waiting)

(* Removes a cancelled caller; otherwise they would accumulate in an idle pipe. *)
let wait t =
  let mine = ref ignore in
  try
    t.suspend (fun wake ->
        mine := wake;
        t.changed <- wake :: t.changed)
  with e ->
    t.changed <- List.filter (fun wake -> wake != !mine) t.changed;
    raise e

let rec wait_bytes t =
  if Byte_ring.length t.ring = 0 && not t.ended then begin
    wait t;
    wait_bytes t
  end

let read_into t b ~off ~len =
  if off < 0 || len < 1 || off > Bytes.length b - len then invalid_arg "Pipe.read_into";
  wait_bytes t;
  let n = Byte_ring.read t.ring b ~off ~len in
  if n > 0 then signal t;
  n

(* Bytes stay in the ring until they are written to [w]. Then they are dropped, and the other end
   may write again. *)
let copy_to t (w : Flow.writer) =
  let rec go total =
    wait_bytes t;
    let n =
      Byte_ring.head t.ring (fun b off len ->
          if len > 0 then w#write b ~off ~len;
          len)
    in
    if n = 0 then total
    else begin
      Byte_ring.drop t.ring n;
      signal t;
      go (total + n)
    end
  in
  go 0

let rec write t b ~off ~len =
  if t.ended then raise (Flow.Error Flow.closed);
  if off < 0 || len < 0 || off > Bytes.length b - len then invalid_arg "Pipe.write";
  if len > 0 then
    match Int.min len (Byte_ring.free t.ring) with
    | 0 ->
        wait t;
        write t b ~off ~len
    | n ->
        Byte_ring.write t.ring b ~off ~len:n;
        signal t;
        write t b ~off:(off + n) ~len:(len - n)

let finish t =
  t.ended <- true;
  signal t

let create ?capacity suspend =
  let t = make ?capacity suspend in
  let reader =
    object
      inherit Flow.reader
      method read_into b ~off ~len = read_into t b ~off ~len
      method! copy_to w = copy_to t w
    end
  in
  let writer =
    object
      inherit Flow.writer
      method write b ~off ~len = write t b ~off ~len
    end
  in
  (reader, writer, fun () -> finish t)

let half incoming outgoing : Flow.half_close =
  object (self)
    inherit Flow.flow
    method read_into b ~off ~len = read_into incoming b ~off ~len
    method! copy_to w = copy_to incoming w
    method write b ~off ~len = write outgoing b ~off ~len
    method shutdown_send = finish outgoing

    method! cast : type a. a Flow.ty -> a option =
      function Flow.Half_close -> Some (self :> Flow.half_close) | _ -> None
  end

let duplex ?capacity suspend =
  let a = make ?capacity suspend and b = make ?capacity suspend in
  (half a b, half b a)

type state = Before_header | Reading of Pcap.reader | Failed of Error.t

type t = {
  mutable state : state;
  mutable window : Bytes.t;  (** the reader's buffer, from the end of the last record on *)
  mutable base : int;  (** offset of the window in the capture *)
  pending : Buffer.t;  (** bytes that arrived later *)
}

type event = Packet of Bytes.t * Pcap.packet | Starved

let longest = 0x400_0000

let create () =
  { state = Before_header; window = Bytes.empty; base = 0; pending = Buffer.create 65_536 }

let feed t b ~off ~len = Buffer.add_subbytes t.pending b off len
let place t = match t.state with Reading r -> Pcap.place r | Before_header | Failed _ -> 0
let held t = Bytes.length t.window - place t + Buffer.length t.pending

let fail t (e : Error.t) =
  let e = match e with Malformed m -> Error.Malformed { m with at = m.at + t.base } | e -> e in
  t.state <- Failed e;
  Error e

(* Appends the pending bytes to the window and drops the bytes that were read. *)
let join t =
  let at = place t in
  let left = Bytes.length t.window - at and more = Buffer.length t.pending in
  let window = Bytes.create (left + more) in
  Bytes.blit t.window at window 0 left;
  Buffer.blit t.pending 0 window left more;
  Buffer.clear t.pending;
  t.window <- window;
  t.base <- t.base + at;
  match t.state with Reading r -> Pcap.move r window | Before_header | Failed _ -> ()

(* Whether the window has [n] bytes. Pending bytes are joined to it only if they suffice, so that
   each byte is copied few times. *)
let there t n =
  if held t < n then false
  else (
    if Bytes.length t.window - place t < n then join t;
    true)

let rec next t =
  match t.state with
  | Failed e -> Error e
  | Before_header -> before_header t
  | Reading r -> (
      let n = Pcap.wanted r in
      if n > longest then
        fail t (Malformed { at = Pcap.place r; what = "a record of more than 64 MiB" })
      else if not (there t n) then Ok Starved
      else if Pcap.wanted r > n then next t
      else
        match Pcap.step r with
        | Ok None -> next t
        | Ok (Some packet) -> Ok (Packet (t.window, packet))
        | Error e -> fail t e)

and before_header t =
  if not (there t 4 && there t (Pcap.wanted_header t.window)) then Ok Starved
  else
    match Pcap.reader t.window with
    | Error e -> fail t e
    | Ok r ->
        t.state <- Reading r;
        next t

let finish t =
  match t.state with
  | Failed e -> Error e
  | Reading _ when held t = 0 -> Ok ()
  | Before_header -> (
      join t;
      match Pcap.reader t.window with Ok _ -> Ok () | Error e -> fail t e)
  | Reading r -> (
      join t;
      match Pcap.step r with Ok _ -> Ok () | Error e -> fail t e)

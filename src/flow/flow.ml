type flow_error = ..
type error = flow_error * (Format.formatter -> unit)
type flow_error += Closed | Reset | Timeout | Truncated of int | Too_long of int

exception Error of error

let cancellations =
  Atomic.make [ (function Out_of_memory | Stdlib.Sys.Break -> true | _ -> false) ]

let rec register_cancellation f =
  let all = Atomic.get cancellations in
  if not (Atomic.compare_and_set cancellations all (f :: all)) then register_cancellation f

let is_cancellation e = List.exists (fun f -> f e) (Atomic.get cancellations)
let text s ppf = Format.pp_print_string ppf s
let fail e pp = raise (Error (e, pp))
let closed = (Closed, text "the flow is closed")
let reset = (Reset, text "the peer reset the flow")
let timeout = (Timeout, text "the flow timed out")
let pp_error ppf ((_, pp) : error) = pp ppf

let () =
  Printexc.register_printer (function
    | Error e -> Some (Format.asprintf "Weir_flow.Flow.Error: %a" pp_error e)
    | _ -> None)

type _ ty = ..

(* 4096 as in the flow study. The copy buffer is larger: one is allocated for each copy, not for
   each read. *)
let read_size = 4096
let copy_size = 16384

class virtual reader =
  object (self)
    method virtual read_into : Bytes.t -> off:int -> len:int -> int

    method read =
      let b = Bytes.create read_size in
      { Slice.bytes = b; off = 0; len = self#read_into b ~off:0 ~len:read_size }

    method copy_to (w : writer) : int = w#copy_from (self :> reader)
    method cast : 'a. 'a ty -> 'a option = fun _ -> None
  end

and virtual writer =
  object (self)
    method virtual write : Bytes.t -> off:int -> len:int -> unit
    method write_string s ~off ~len = self#write (Bytes.unsafe_of_string s) ~off ~len

    method writev slices =
      List.iter (fun { Slice.bytes; off; len } -> self#write bytes ~off ~len) slices

    method copy_from (r : reader) : int =
      let b = Bytes.create copy_size in
      let rec go total =
        match r#read_into b ~off:0 ~len:copy_size with
        | 0 -> total
        | n ->
            self#write b ~off:0 ~len:n;
            go (total + n)
      in
      go 0

    method cast : 'a. 'a ty -> 'a option = fun _ -> None
  end

class virtual flow =
  object
    inherit reader
    inherit! writer
  end

let read_into (r : #reader) b ~off ~len = r#read_into b ~off ~len
let read (r : #reader) = r#read
let write (w : #writer) b ~off ~len = w#write b ~off ~len
let write_string (w : #writer) s = w#write_string s ~off:0 ~len:(String.length s)
let writev (w : #writer) slices = w#writev slices
let copy (r : #reader) (w : #writer) = r#copy_to (w :> writer)
let cast (o : < cast : 'a. 'a ty -> 'a option ; .. >) ty = o#cast ty

let rec read_exactly r b ~off ~len =
  if len > 0 then
    match read_into r b ~off ~len with
    | 0 ->
        fail (Truncated len) (fun ppf ->
            Format.fprintf ppf "the stream ended %d bytes before it should" len)
    | n -> read_exactly r b ~off:(off + n) ~len:(len - n)

let read_all r ~max =
  let out = Buffer.create (Int.min max read_size) in
  let b = Bytes.create read_size in
  let rec go () =
    let left = max - Buffer.length out in
    match read_into r b ~off:0 ~len:(Int.min read_size (left + 1)) with
    | 0 -> Buffer.contents out
    | n when n > left ->
        fail (Too_long max) (fun ppf -> Format.fprintf ppf "the stream is longer than %d bytes" max)
    | n ->
        Buffer.add_subbytes out b 0 n;
        go ()
  in
  go ()

type half_close = < flow ; shutdown_send : unit >
type closable = < flow ; close : unit >
type tcp_info = { rtt_ns : int; cwnd : int; retransmits : int; path_mtu : int }
type tcp = < tcp_info : tcp_info >
type nodelay = < set_nodelay : bool -> unit >
type buffered = < write_by : want:int -> (Bytes.t -> int -> int -> int) -> int >

type _ ty +=
  | Half_close : half_close ty
  | Closable : closable ty
  | Tcp : tcp ty
  | Nodelay : nodelay ty
  | Buffered : buffered ty

let send_at_once flow = match cast flow Nodelay with Some f -> f#set_nodelay true | None -> ()

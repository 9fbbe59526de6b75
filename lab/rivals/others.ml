module D = Mirage.Data_direct

type closures = {
  read_into : Bytes.t -> off:int -> len:int -> int;
  write : Bytes.t -> off:int -> len:int -> unit;
  close : unit -> unit;
}

let null =
  { read_into = (fun _ ~off:_ ~len:_ -> 0); write = (fun _ ~off:_ ~len:_ -> ()); close = ignore }

let data () =
  let t = D.create () in
  {
    read_into = (fun b ~off ~len -> D.read_into t b ~off ~len);
    write = (fun b ~off ~len -> D.write t b ~off ~len);
    close = (fun () -> D.close t);
  }

let rec copy buf f =
  match f.read_into buf ~off:0 ~len:(Bytes.length buf) with
  | 0 -> ()
  | n ->
      f.write buf ~off:0 ~len:n;
      copy buf f

type eio = {
  source : Eio.Flow.source_ty Eio.Resource.t;
  sink : Eio.Flow.sink_ty Eio.Resource.t;
  check : unit -> unit;
}

module Source = struct
  type t = { mutable pos : int }

  let read_methods = []

  let single_read t buf =
    let n = Int.min (Int.min (Cstruct.length buf) Message.chunk) (Message.size - t.pos) in
    if n = 0 then raise End_of_file;
    Cstruct.blit Message.cstruct t.pos buf 0 n;
    t.pos <- t.pos + n;
    n
end

module Sink = struct
  type t = { recorded : Cstruct.t; mutable length : int }

  let single_write t bufs =
    List.iter
      (fun buf ->
        let n = Cstruct.length buf in
        Cstruct.blit buf 0 t.recorded t.length n;
        t.length <- t.length + n)
      bufs;
    Cstruct.lenv bufs

  let copy t ~src = Eio.Flow.Pi.simple_copy ~single_write t ~src
end

module Empty = struct
  type t = unit

  let read_methods = []
  let single_read () _ = raise End_of_file
  let single_write () bufs = Cstruct.lenv bufs
  let copy () ~src = Eio.Flow.Pi.simple_copy ~single_write () ~src
end

let store = Cstruct.create Message.size

let eio_null =
  {
    source = Eio.Resource.T ((), Eio.Flow.Pi.source (module Empty));
    sink = Eio.Resource.T ((), Eio.Flow.Pi.sink (module Empty));
    check = ignore;
  }

let source_ops = Eio.Flow.Pi.source (module Source)
let sink_ops = Eio.Flow.Pi.sink (module Sink)

let eio_data () =
  let sink = { Sink.recorded = store; length = 0 } in
  {
    source = Eio.Resource.T ({ Source.pos = 0 }, source_ops);
    sink = Eio.Resource.T (sink, sink_ops);
    check = (fun () -> Message.check_cstruct store sink.length);
  }

let eio_copy f = Eio.Flow.copy f.source f.sink

open Weir_flow
open Weir_flow_lwt

let null = Flow_lwt.null
let store = Cstruct.create Message.size

let data () : < Flow_lwt.flow ; close : unit > =
  object
    inherit Flow_lwt.flow
    val mutable pos = 0
    val mutable length = 0

    method read_into buf =
      let n = Int.min (Int.min (Cstruct.length buf) Message.chunk) (Message.size - pos) in
      if n = 0 then Lwt_result.return `Eof
      else begin
        Cstruct.blit Message.cstruct pos buf 0 n;
        pos <- pos + n;
        Lwt_result.return (`Input n)
      end

    method! read =
      let n = Int.min Message.chunk (Message.size - pos) in
      if n = 0 then Lwt_result.return `Eof
      else begin
        let view = Cstruct.sub Message.cstruct pos n in
        pos <- pos + n;
        Lwt_result.return (`Data view)
      end

    method write buf =
      let n = Cstruct.length buf in
      Cstruct.blit buf 0 store length n;
      length <- length + n;
      Lwt_result.return ()

    method close = Message.check_cstruct store length
  end

let ( >>!= ) = Lwt_result.bind

let rec copy buf flow =
  Flow_lwt.read_into flow buf >>!= function
  | `Eof -> Lwt_result.return ()
  | `Input n -> Flow_lwt.write flow (Cstruct.sub buf 0 n) >>!= fun () -> copy buf flow

let rec copy2 flow =
  Flow_lwt.read flow >>!= function
  | `Eof -> Lwt_result.return ()
  | `Data buf -> Flow_lwt.write flow buf >>!= fun () -> copy2 flow

let recorded = Bytes.create Message.size

let data_direct () : Flow.closable =
  object
    inherit Flow.flow
    val mutable pos = 0
    val mutable length = 0
    val view = Slice.make Message.bytes ~off:0 ~len:0

    method read_into b ~off ~len =
      let n = Int.min (Int.min len Message.chunk) (Message.size - pos) in
      Slice.blit Message.bytes pos b off n;
      pos <- pos + n;
      n

    method! read =
      let n = Int.min Message.chunk (Message.size - pos) in
      view.off <- pos;
      view.len <- n;
      pos <- pos + n;
      view

    method! copy_to w =
      let start = pos in
      while pos < Message.size do
        let n = Int.min Message.chunk (Message.size - pos) in
        w#write Message.bytes ~off:pos ~len:n;
        pos <- pos + n
      done;
      Message.size - start

    method write b ~off ~len =
      Slice.blit b off recorded length len;
      length <- length + len

    method close = Message.check_bytes recorded length
  end

let rec copy_direct buf flow =
  match Flow.read_into flow buf ~off:0 ~len:(Bytes.length buf) with
  | 0 -> ()
  | n ->
      Flow.write flow buf ~off:0 ~len:n;
      copy_direct buf flow

let rec copy2_direct flow =
  let s = Flow.read flow in
  if s.len > 0 then begin
    Flow.write flow s.bytes ~off:s.off ~len:s.len;
    copy2_direct flow
  end

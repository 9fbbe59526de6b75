type _ ty = ..
type error = [ `Msg of string ]

class type flow = object
  method recv : Cstruct.t -> ([ `Input of int | `End_of_flow ], error) Lwt_result.t
  method send : Cstruct.t -> (int, error) Lwt_result.t
  method close : (unit, error) Lwt_result.t
  method cast : 'a. 'a ty -> 'a option
end

type 'a io = ('a, error) Lwt_result.t
type input = [ `Input of int | `End_of_flow ]

let recv (f : #flow) buf = (f#recv buf : input io :> (input, [> error ]) Lwt_result.t)
let send (f : #flow) buf = (f#send buf : int io :> (int, [> error ]) Lwt_result.t)
let close (f : #flow) = (f#close : unit io :> (unit, [> error ]) Lwt_result.t)
let cast (f : #flow) ty = f#cast ty

let null : flow =
  object
    method recv _ = Lwt_result.return `End_of_flow
    method send buf = Lwt_result.return (Cstruct.length buf)
    method close = invalid_arg "null#close: nothing to close"
    method cast : 'a. 'a ty -> 'a option = fun _ -> None
  end

let store = Cstruct.create Message.size

let data () : flow =
  object
    val mutable pos = 0
    val mutable length = 0

    method recv buf =
      let n = Int.min (Int.min (Cstruct.length buf) Message.chunk) (Message.size - pos) in
      if n = 0 then Lwt_result.return `End_of_flow
      else begin
        Cstruct.blit Message.cstruct pos buf 0 n;
        pos <- pos + n;
        Lwt_result.return (`Input n)
      end

    method send buf =
      let n = Cstruct.length buf in
      Cstruct.blit buf 0 store length n;
      length <- length + n;
      Lwt_result.return n

    method close =
      Message.check_cstruct store length;
      Lwt_result.return ()

    method cast : 'a. 'a ty -> 'a option = fun _ -> None
  end

let ( >>!= ) = Lwt_result.bind

let rec copy buf flow =
  recv flow buf >>!= function
  | `End_of_flow -> Lwt_result.return ()
  | `Input n ->
      let rec rest i =
        if i = n then copy buf flow
        else send flow (Cstruct.sub buf i (n - i)) >>!= fun sent -> rest (i + sent)
      in
      rest 0

module Direct = struct
  class type flow = object
    method recv : Bytes.t -> off:int -> len:int -> int
    method send : Bytes.t -> off:int -> len:int -> int
    method close : unit
  end

  let null : flow =
    object
      method recv _ ~off:_ ~len:_ = 0
      method send _ ~off:_ ~len = len
      method close = ()
    end

  let data () : flow =
    let module D = Mirage.Data_direct in
    object
      val t = D.create ()
      method recv b ~off ~len = D.read_into t b ~off ~len

      method send b ~off ~len =
        D.write t b ~off ~len;
        len

      method close = D.close t
    end

  let rec copy buf (flow : #flow) =
    match flow#recv buf ~off:0 ~len:(Bytes.length buf) with
    | 0 -> ()
    | n ->
        let rec rest i = if i < n then rest (i + flow#send buf ~off:i ~len:(n - i)) in
        rest 0;
        copy buf flow
end

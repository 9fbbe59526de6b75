type error = [ `Msg of string | `Not_found ]

module type PROTOCOL = sig
  type flow
  type error

  val pp_error : Format.formatter -> error -> unit
  val recv : flow -> Cstruct.t -> ([ `Input of int | `End_of_flow ], error) result Lwt.t
  val send : flow -> Cstruct.t -> (int, error) result Lwt.t
  val close : flow -> (unit, error) result Lwt.t

  type endpoint

  val connect : endpoint -> (flow, error) result Lwt.t
end

type flow = ..

(* A protocol's own constructor of [flow]. *)
module type WITNESS = sig
  type t
  type flow += T of t
end

type ('e, 'f) protocol = {
  witness : (module WITNESS with type t = 'f);
  implementation : (module PROTOCOL with type endpoint = 'e and type flow = 'f);
}

type packed = Packed : 'f * (module PROTOCOL with type flow = 'f) -> packed

let registry : (int, flow -> packed) Hashtbl.t = Hashtbl.create 16
let id flow = Obj.Extension_constructor.(id (of_val flow))

let register (type e f) ~protocol:(module P : PROTOCOL with type endpoint = e and type flow = f) =
  let module W = struct
    type t = f
    type flow += T of t
  end in
  let unpack = function
    | W.T f -> Packed (f, (module P : PROTOCOL with type flow = f))
    | _ -> assert false
  in
  Hashtbl.replace registry (Obj.Extension_constructor.id [%extension_constructor W.T]) unpack;
  {
    witness = (module W : WITNESS with type t = f);
    implementation = (module P : PROTOCOL with type endpoint = e and type flow = f);
  }

let message pp e = `Msg (Format.asprintf "%a" pp e)
let not_found = Lwt_result.fail `Not_found

let connect (type e f) (endpoint : e) ({ witness; implementation } : (e, f) protocol) =
  let module W = (val witness) in
  let module P = (val implementation) in
  Lwt.map
    (function Ok f -> Ok (W.T f) | Error e -> Error (message P.pp_error e))
    (P.connect endpoint)

let find flow = Hashtbl.find_opt registry (id flow)

let recv flow buf =
  match find flow with
  | None -> not_found
  | Some unpack ->
      let (Packed (f, (module P))) = unpack flow in
      Lwt_result.map_error (message P.pp_error) (P.recv f buf)

let send flow buf =
  match find flow with
  | None -> not_found
  | Some unpack ->
      let (Packed (f, (module P))) = unpack flow in
      Lwt_result.map_error (message P.pp_error) (P.send f buf)

let close flow =
  match find flow with
  | None -> not_found
  | Some unpack ->
      let (Packed (f, (module P))) = unpack flow in
      Lwt_result.map_error (message P.pp_error) (P.close f)

let cast (type e f) flow ({ witness; _ } : (e, f) protocol) : f option =
  let module W = (val witness) in
  match flow with W.T f -> Some f | _ -> None

let null =
  register
    ~protocol:
      (module struct
        type flow = unit
        type error = |

        let pp_error _ (e : error) = match e with _ -> .
        let recv () _ = Lwt_result.return `End_of_flow
        let send () buf = Lwt_result.return (Cstruct.length buf)
        let close () = invalid_arg "Null.close: nothing to close"

        type endpoint = unit

        let connect () = Lwt_result.return ()
      end)

type data = { mutable pos : int; recorded : Cstruct.t; mutable length : int }

let store = Cstruct.create Message.size

let data =
  register
    ~protocol:
      (module struct
        type flow = data
        type error = |

        let pp_error _ (e : error) = match e with _ -> .

        let recv t buf =
          let n = Int.min (Int.min (Cstruct.length buf) Message.chunk) (Message.size - t.pos) in
          if n = 0 then Lwt_result.return `End_of_flow
          else begin
            Cstruct.blit Message.cstruct t.pos buf 0 n;
            t.pos <- t.pos + n;
            Lwt_result.return (`Input n)
          end

        let send t buf =
          let n = Cstruct.length buf in
          Cstruct.blit buf 0 t.recorded t.length n;
          t.length <- t.length + n;
          Lwt_result.return n

        let close t =
          Message.check_cstruct t.recorded t.length;
          Lwt_result.return ()

        type endpoint = unit

        let connect () = Lwt_result.return { pos = 0; recorded = store; length = 0 }
      end)

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
  type flow = ..

  module type P = sig
    type flow

    val recv : flow -> Bytes.t -> off:int -> len:int -> int
    val send : flow -> Bytes.t -> off:int -> len:int -> int
    val close : flow -> unit
  end

  type packed = Packed : 'f * (module P with type flow = 'f) -> packed

  let registry : (int, flow -> packed) Hashtbl.t = Hashtbl.create 16

  let register (type f) (module M : P with type flow = f) : f -> flow =
    let module W = struct
      type flow += T of f
    end in
    let unpack = function
      | W.T f -> Packed (f, (module M : P with type flow = f))
      | _ -> assert false
    in
    Hashtbl.replace registry (Obj.Extension_constructor.id [%extension_constructor W.T]) unpack;
    fun f -> W.T f

  let unpack flow = (Hashtbl.find registry Obj.Extension_constructor.(id (of_val flow))) flow

  let recv flow b ~off ~len =
    let (Packed (f, (module M))) = unpack flow in
    M.recv f b ~off ~len

  let send flow b ~off ~len =
    let (Packed (f, (module M))) = unpack flow in
    M.send f b ~off ~len

  let close flow =
    let (Packed (f, (module M))) = unpack flow in
    M.close f

  let null =
    register
      (module struct
        type flow = unit

        let recv () _ ~off:_ ~len:_ = 0
        let send () _ ~off:_ ~len = len
        let close () = ()
      end)

  let of_data =
    register
      (module struct
        include Mirage.Data_direct

        let recv = read_into

        let send t b ~off ~len =
          write t b ~off ~len;
          len
      end)

  let data () = of_data (Mirage.Data_direct.create ())

  let rec copy buf flow =
    match recv flow buf ~off:0 ~len:(Bytes.length buf) with
    | 0 -> ()
    | n ->
        let rec rest i = if i < n then rest (i + send flow buf ~off:i ~len:(n - i)) in
        rest 0;
        copy buf flow
end

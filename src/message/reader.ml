module Flow = Weir_flow.Flow

type t = { incoming : Incoming.t; flow : Flow.reader }

let of_incoming incoming flow = { incoming; flow :> Flow.reader }
let create ?limit framing flow = of_incoming (Incoming.create ?limit framing) flow

let rec read t =
  match Incoming.next t.incoming with
  | Frame view -> Ok view
  | Stop error -> Error error
  | More ->
      let len = Incoming.space t.incoming in
      let n = t.flow#read_into (Incoming.bytes t.incoming) ~off:(Incoming.at t.incoming) ~len in
      Incoming.received t.incoming n;
      read t

let receive t codec =
  match read t with
  | Error _ as e -> e
  | Ok view -> Result.map_error (fun why -> Error.Undecodable why) (Codec.read codec view)

let rec sequence t codec () =
  match receive t codec with
  | Error End -> Seq.Nil
  | (Ok _ | Error (Undecodable _)) as result -> Seq.Cons (result, sequence t codec)
  | Error _ as error -> Seq.Cons (error, Seq.empty)

let rec iter t codec f =
  match receive t codec with
  | Ok v ->
      f v;
      iter t codec f
  | Error e -> e

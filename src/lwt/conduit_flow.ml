type 'a io = 'a Lwt.t
type input = Cstruct.t
type output = Cstruct.t
type flow = Connection.t
type error = Error.t

let pp_error = Error.pp

let recv c buf =
  Lwt_result.map
    (fun n -> if n = 0 && not (Cstruct.is_empty buf) then `End_of_flow else `Input n)
    (Connection.read_into c buf)

let send c buf = Connection.write_some c [ buf ]
let close c = Lwt.map Result.ok (Connection.close c)

type endpoint = { host : Host.t; address : Ipaddr.t; port : int }

let connect { host; address; port } = Network.connect host address ~port

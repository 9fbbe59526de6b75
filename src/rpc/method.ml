type ('request, 'response) t = {
  name : string;
  request : 'request Weir_message.Codec.t;
  response : 'response Weir_message.Codec.t;
}

let max_name = 1024

let make name request response =
  if name = "" || String.length name > max_name then invalid_arg "Method.make: the name's length";
  { name; request; response }

type ('request, 'response) download = Download of ('request, 'response) t [@@unboxed]
type ('request, 'response) upload = Upload of ('request, 'response) t [@@unboxed]
type ('request, 'response) exchange = Exchange of ('request, 'response) t [@@unboxed]
type shape = Single | Down | Up | Both

let shape_to_int = function Single -> 0 | Up -> 1 | Down -> 2 | Both -> 3
let shape_of_int = function 1 -> Some Up | 2 -> Some Down | 3 -> Some Both | _ -> None

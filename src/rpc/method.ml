type ('request, 'response) t = {
  name : string;
  request : 'request Weir_message.Codec.t;
  response : 'response Weir_message.Codec.t;
}

let max_name = 1024

let make name request response =
  if name = "" || String.length name > max_name then invalid_arg "Method.make: the name's length";
  { name; request; response }

open Weir_wire

type comparison = Equal | Different | Less | Less_or_equal | Greater | Greater_or_equal
type direction = Source | Destination | Either
type network = { ip : Ip.t; bits : int }
type literal = Is_number of int | Is_flag of bool | Is_within of network | Is_mac of Mac.t

type t =
  | All of t list
  | Any of t list
  | Not of t
  | Protocol of Fields.protocol
  | Within of direction * network
  | Port of direction * int * int
  | Has of Fields.t
  | Compare of Fields.t * comparison * literal

let either direction ~source ~destination p =
  match direction with
  | Source -> p source
  | Destination -> p destination
  | Either -> p source || p destination

let within { ip; bits } a = Ip.shares_prefix ip a ~bits

let is_place direction net (layers : Layers.t) =
  let either source destination = either direction ~source ~destination (within net) in
  match (layers.network, Layers.addresses layers) with
  | _, Some (source, destination) -> either source destination
  | Arp a, None -> either a.sender_ip a.target_ip
  | _, None -> false

let is_port direction low high (layers : Layers.t) =
  let either source destination =
    either direction ~source ~destination (fun n -> n >= low && n <= high)
  in
  match layers.transport with
  | Tcp t -> either t.src_port t.dst_port
  | Udp u -> either u.src_port u.dst_port
  | _ -> false

let compares comparison (a : int) b =
  match comparison with
  | Equal | Different -> a = b
  | Less -> a < b
  | Less_or_equal -> a <= b
  | Greater -> a > b
  | Greater_or_equal -> a >= b

let holds comparison literal (value : Fields.value) =
  match (literal, value) with
  | Is_number n, Number m -> compares comparison m n
  | Is_flag a, Flag b -> Bool.equal a b
  | Is_within net, Address a -> within net a
  | Is_mac a, Mac b -> Mac.equal a b
  | _ -> false

let is_set : Fields.value -> bool = function Flag set -> set | _ -> true

let rec matches t (d : Dissection.t) =
  match t with
  | All l -> List.for_all (fun t -> matches t d) l
  | Any l -> List.exists (fun t -> matches t d) l
  | Not t -> not (matches t d)
  | Protocol p -> p.holds d.decoded
  | Within (direction, net) -> is_place direction net d.decoded
  | Port (direction, low, high) -> is_port direction low high d.decoded
  | Has field -> List.exists is_set (field.get d)
  | Compare (field, Different, literal) -> (
      match field.get d with
      | [] -> false
      | values -> not (List.exists (holds Equal literal) values))
  | Compare (field, c, literal) -> List.exists (holds c literal) (field.get d)

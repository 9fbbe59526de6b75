(* Derived types with all that can change while it is encoded. *)

type inner = { mutable name : string; [@key 1] mutable numbers : int array [@key 2] [@packed] }
[@@deriving protobuf]

type t = {
  mutable text : string; [@key 1]
  mutable bytes : bytes; [@key 2]
  mutable list : int list; [@key 3]
  mutable packed : int list; [@key 4] [@packed]
  mutable array : int array; [@key 5]
  mutable floats : float array; [@key 6] [@packed]
  mutable texts : string array; [@key 7]
  mutable inners : inner array; [@key 8]
  mutable inner : inner option; [@key 9]
  mutable large : int; [@key 1000]
}
[@@deriving protobuf]

let make random =
  let open Attack in
  let number () =
    pick random [ 0; 1; 127; 128; 16383; 16384; max_int; -1; min_int; int random 1000 ]
  in
  let ints () = Array.init (int random 20) (fun _ -> number ()) in
  let text () = string random (pick random [ 0; 1; 5; 16; 17; 127; 128; 200; 20_000 ]) in
  let inner () = { name = text (); numbers = ints () } in
  {
    text = text ();
    bytes = Bytes.of_string (text ());
    list = Array.to_list (ints ());
    packed = Array.to_list (ints ());
    array = ints ();
    floats = Array.init (int random 9) float_of_int;
    texts = Array.init (int random 5) (fun _ -> text ());
    inners = Array.init (int random 5) (fun _ -> inner ());
    inner = (if Random.State.bool random then Some (inner ()) else None);
    large = number ();
  }

(* One part of [v] becomes another. *)
let change v random =
  let open Attack in
  let n = make random in
  let element a b = if a <> [||] && b <> [||] then a.(int random (Array.length a)) <- b.(0) in
  match int random 14 with
  | 0 -> v.text <- n.text
  | 1 -> v.bytes <- n.bytes
  | 2 -> v.list <- n.list
  | 3 -> v.packed <- n.packed
  | 4 -> v.array <- n.array
  | 5 -> v.floats <- n.floats
  | 6 -> v.texts <- n.texts
  | 7 -> v.inners <- n.inners
  | 8 -> v.inner <- n.inner
  | 9 -> v.large <- n.large
  | 10 -> element v.array n.array
  | 11 -> element v.texts n.texts
  | 12 -> element v.inners n.inners
  | _ -> (
      match v.inners with
      | [||] -> ()
      | a ->
          let i = a.(int random (Array.length a)) in
          i.name <- n.text;
          i.numbers <- n.array)

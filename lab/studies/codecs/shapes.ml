open Large_pb

type t = { name : string; format : string; bytes : int -> string }

(* Half of the numbers take one byte, a quarter two, some three to five, and a few are negative. *)
let int state =
  let bits n = Random.State.bits state land ((1 lsl n) - 1) in
  match bits 5 with
  | 0 -> -1 - bits 20
  | 1 | 2 -> bits 28
  | 3 | 4 | 5 | 6 | 7 -> bits 20
  | n when n < 16 -> bits 14
  | _ -> bits 7

let long state =
  let v = Random.State.bits64 state in
  Int64.shift_right v (Random.State.int state 64)

let letters = "abcdefghijklmnopqrstuvwxyz_ABCDEFGH.0123 é"

let text state longest =
  String.init (2 + Random.State.int state longest) (fun _ -> letters.[Random.State.int state 40])

let rec node state depth =
  let children =
    if depth = 0 then [] else List.init (Random.State.int state 6) (fun _ -> node state (depth - 1))
  in
  let packed = if Random.State.int state 4 = 0 then Some true else None in
  let type_name = if Random.State.bool state then "." ^ text state 30 else "" in
  let span = List.init (3 + Random.State.int state 2) (fun _ -> Random.State.int state 300) in
  Node.make ~name:(text state 20)
    ~number:(1 + Random.State.int state 200)
    ~label:(Random.State.int state 4) ~type_name ?packed ~span ~children ()

(* About [n] bytes of elements that take [size] bytes on average. *)
let many n size one = List.init (1 + (n / size)) (fun _ -> one ())

let blob state =
  let n = 1000 + Random.State.int state 60000 in
  String.init n (fun i -> Char.unsafe_chr (i land 255))

let shape name format encode make =
  { name; format; bytes = (fun n -> encode (make (Random.State.make [| 11 |]) n)) }

let numbers name make = shape name "numbers" Numbers.encode make
let texts name make = shape name "texts" Texts.encode make

let all =
  [
    numbers "ints" (fun state n -> Numbers.make ~ints:(many (n * 4) 9 (fun () -> int state)) ());
    numbers "longs" (fun state n -> Numbers.make ~longs:(many (n * 2) 11 (fun () -> long state)) ());
    numbers "doubles" (fun state n ->
        Numbers.make ~doubles:(many n 8 (fun () -> Random.State.float state 1e6)) ());
    numbers "words" (fun state n ->
        Numbers.make ~words:(many n 4 (fun () -> Random.State.bits state)) ());
    texts "texts" (fun state n -> Texts.make ~texts:(many (n * 2) 47 (fun () -> text state 40)) ());
    texts "blobs" (fun state n -> Texts.make ~blobs:(many n 31000 (fun () -> blob state)) ());
    shape "nodes" "nodes" Nodes.encode (fun state n ->
        Nodes.make ~nodes:(many n 2550 (fun () -> node state 4)) ());
  ]

(* What attacks share. Each is a property of a random state: it calls functions with arguments from
   here, and may end with nothing but a value or an exception that an interface tells of. A build
   that checks all accesses ends the program at one out of bounds; see scripts/checked-tree. *)

let int = Random.State.int
let pick random l = List.nth l (int random (List.length l))

(* Small ones, neighbours of powers of two, the ends of the range. *)
let nasty random =
  match int random 8 with
  | 0 -> int random 16
  | 1 -> -1 - int random 64
  | 2 -> 8 * int random 64
  | 3 -> (1 lsl int random 63) + int random 5 - 2
  | 4 -> max_int - int random 16
  | 5 -> min_int + int random 16
  | 6 -> -(1 lsl int random 63) + int random 5 - 2
  | _ -> int random 300

(* Most often near what is right: within [0, n], or just outside. *)
let near random n =
  match int random 4 with
  | 0 -> nasty random
  | 1 -> n - 4 + int random 9
  | _ -> if n <= 0 then 0 else int random (n + 1)

let bytes random n = Bytes.init n (fun _ -> Char.chr (int random 256))
let string random n = Bytes.unsafe_to_string (bytes random n)

(* Text of ASCII, and now and then of any bytes. *)
let text random n =
  if int random 8 = 0 then string random n
  else String.init n (fun _ -> Char.chr (32 + int random 95))

let length random = pick random [ 0; 1; 7; 8; 9; 15; 16; 17; 31; 32; 33; 64; 100; 300 ]

(* Some bytes are others now. *)
let damaged random s =
  let b = Bytes.of_string s in
  if Bytes.length b > 0 then
    for _ = 0 to int random 4 do
      let at = int random (Bytes.length b) in
      Bytes.set_uint8 b at (pick random [ 0; 1; 127; 128; 255; int random 256 ])
    done;
  let n = Bytes.length b in
  Bytes.sub_string b 0 (if int random 4 = 0 then int random (n + 1) else n)

let told : exn -> bool = function
  | Invalid_argument _ | Weir_capnp.Message.Error _ | Weir_protobuf.Error.Error _
  | Weir_thrift.Error.Error _ | Weir_flow.Flow.Error _ | End_of_file ->
      true
  | _ -> false

let attempt f = match f () with _ -> () | exception e when told e -> ()

let property ?(count = 1_000) name f =
  Weir_test.Suite.qcheck
    (QCheck2.Test.make ~name ~count:(Weir_test.Suite.iterations count) QCheck2.Gen.int (fun seed ->
         f (Random.State.make [| seed |]);
         true))

(* [f] many times while another domain does [change] all the time. *)
let racing ?(count = 300) name ~change f =
  Weir_test.Suite.case name (fun () ->
      let over = Atomic.make false in
      let other =
        Domain.spawn (fun () ->
            let random = Random.State.make [| 1 |] in
            while not (Atomic.get over) do
              change random
            done)
      in
      Fun.protect
        ~finally:(fun () ->
          Atomic.set over true;
          Domain.join other)
        (fun () ->
          let random = Random.State.make [| Weir_test.Suite.seed () |] in
          for _ = 1 to Weir_test.Suite.iterations count do
            f random
          done))

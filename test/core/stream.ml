open White_box

(* A prime length: no buffer or window is a multiple of it. *)
let period = 1_048_573

let pattern =
  lazy
    (let random = Random.State.make [| 99 |] in
     let b = Bytes.create (2 * period) in
     for i = 0 to (period / 8) + 1 do
       if (i * 8) + 8 <= period then Bytes.set_int64_ne b (i * 8) (Random.State.bits64 random)
       else
         for j = i * 8 to period - 1 do
           Bytes.set_uint8 b j (Random.State.int random 256)
         done
     done;
     Bytes.blit b 0 b period period;
     b)

type t = { origin : int; total : int; mutable written : int; mutable read : int }

let create ~seed ~total = { origin = abs seed mod period; total; written = 0; read = 0 }
let total t = t.total
let written t = t.written
let read_so_far t = t.read
let all_written t = t.written = t.total
let all_read t = t.read = t.total
let place t n = (t.origin + n) mod period
let text = lazy (Bytes.to_string (Lazy.force pattern))

(* Every other block is lent, in runs that one frame may share with copied bytes. *)
let block = 100_000

let put t c ~off ~len =
  if t.written / block land 1 = 0 then Tcp.write c (Lazy.force pattern) ~off ~len
  else Tcp.write_string c (Lazy.force text) ~off ~len

let write t ?(most = max_int) c =
  let rec go most =
    let of_block = block - (t.written mod block) in
    let want = min (min most of_block) (t.total - t.written) in
    if want > 0 then (
      let n = put t c ~off:(place t t.written) ~len:want in
      t.written <- t.written + n;
      if n > 0 then go (most - n))
  in
  go most

let same a i b j len =
  let rec go k =
    if k + 8 <= len then
      Int64.equal (Bytes.get_int64_ne a (i + k)) (Bytes.get_int64_ne b (j + k)) && go (k + 8)
    else k >= len || (Bytes.get a (i + k) = Bytes.get b (j + k) && go (k + 1))
  in
  go 0

let read t ?(most = max_int) c =
  let rec go most =
    if most > 0 then (
      let n =
        Tcp.with_unread c (fun b off len ->
            let len = min len (min most period) in
            if t.read + len > t.total then
              Alcotest.failf "%d bytes too many" (t.read + len - t.total);
            if not (same b off (Lazy.force pattern) (place t t.read) len) then
              Alcotest.failf "wrong bytes in %d .. %d" t.read (t.read + len - 1);
            len)
      in
      t.read <- t.read + n;
      if n > 0 then go (most - n))
  in
  go most

type t = {
  pool : Buffers.t;
  small : Bytes.t;
  mutable data : Bytes.t;
  mutable start : int;
  mutable stop : int;
  mutable lent : int;  (** how many bytes are lent, 0 if none *)
  mutable digits : int;  (** width of the chunk size before the space lent *)
}

(* The longest that is allocated in the minor heap: a connection often lives no longer. *)
let small_size = 2_040

let create pool =
  let small = Bytes.create small_size in
  { pool; small; data = small; start = 0; stop = 0; lent = 0; digits = 0 }

let length t = t.stop - t.start
let data t = t.data
let start t = t.start

(* Lent space must not move, so only [start] advances then. *)
let sent t =
  if t.lent > 0 then t.start <- t.stop
  else (
    t.start <- 0;
    t.stop <- 0)

let truncate t n =
  if n < 0 || n > length t then invalid_arg "Output.truncate";
  t.stop <- t.start + n

let replace t data =
  let n = length t and old = t.data in
  Bytes.blit old t.start data 0 n;
  t.data <- data;
  t.start <- 0;
  t.stop <- n;
  if old != t.small then Buffers.give t.pool old

let rec doubled size need = if size >= need then size else doubled (2 * size) need

let grow t n ~more =
  let need = length t + n in
  if need <= Buffers.size t.pool then replace t (Buffers.take t.pool ~need ~more)
  else replace t (Bytes.create (doubled (2 * Bytes.length t.data) need))

let reserve t n = if t.stop + n > Bytes.length t.data then grow t n ~more:false

let char t c =
  reserve t 1;
  Bytes.set t.data t.stop c;
  t.stop <- t.stop + 1

let string t s =
  let n = String.length s in
  reserve t n;
  Bytes.blit_string s 0 t.data t.stop n;
  t.stop <- t.stop + n

let crlf t = string t "\r\n"
let rec digits_of n = if n < 10 then 1 else 1 + digits_of (n / 10)

let rec put_decimal b i n =
  Bytes.set b i (Char.unsafe_chr (48 + (n mod 10)));
  if n >= 10 then put_decimal b (i - 1) (n / 10)

let decimal t n =
  if n < 0 then invalid_arg "Output.decimal";
  let k = digits_of n in
  reserve t k;
  put_decimal t.data (t.stop + k - 1) n;
  t.stop <- t.stop + k

let field t name value =
  let n = String.length name and v = String.length value in
  reserve t (n + v + 4);
  let b = t.data and i = t.stop in
  Bytes.blit_string name 0 b i n;
  Bytes.blit_string ": " 0 b (i + n) 2;
  Bytes.blit_string value 0 b (i + n + 2) v;
  Bytes.blit_string "\r\n" 0 b (i + n + 2 + v) 2;
  t.stop <- i + n + v + 4

let rec hex_digits n = if n < 16 then 1 else 1 + hex_digits (n / 16)

(* A chunk is its size, CRLF, the data, CRLF. The size is unknown until [filled],
   so [lend] leaves room for the size of a full chunk: most chunks are full, and
   their bytes need not move. *)
let room t ~framing = Bytes.length t.data - t.stop - framing

let lend t ~want ~chunked =
  let framing = if chunked then 16 + 4 else 0 in
  let wanted = max 1 (min want (Buffers.size t.pool - length t - framing)) in
  (* The pool may give a small buffer: do not ask again if it is less than wanted. *)
  if room t ~framing < wanted && (t.data == t.small || room t ~framing < small_size) then
    if length t + wanted + framing <= Buffers.scarce t.pool then
      grow t (wanted + framing) ~more:false
    else grow t (min wanted small_size + framing) ~more:true;
  let n = min wanted (room t ~framing) in
  t.lent <- n;
  t.digits <- (if chunked then hex_digits n else 0);
  n

let lent_at t = if t.digits = 0 then t.stop else t.stop + t.digits + 2

let put_hex b off ~digits n =
  for i = 0 to digits - 1 do
    let d = (n lsr (4 * (digits - 1 - i))) land 15 in
    Bytes.set b (off + i) "0123456789abcdef".[d]
  done

let filled t n ~chunked =
  if n < 0 || n > t.lent then invalid_arg "Output.filled";
  let from = lent_at t in
  t.lent <- 0;
  if not chunked then t.stop <- t.stop + n
  else if n > 0 then (
    let digits = hex_digits n in
    let at = t.stop + digits + 2 in
    if at <> from then Bytes.blit t.data from t.data at n;
    put_hex t.data t.stop ~digits n;
    Bytes.blit_string "\r\n" 0 t.data (at - 2) 2;
    Bytes.blit_string "\r\n" 0 t.data (at + n) 2;
    t.stop <- at + n + 2)

let rest t =
  if length t = 0 && t.data != t.small && t.lent = 0 then (
    t.start <- 0;
    t.stop <- 0;
    replace t t.small)

let release t =
  t.lent <- 0;
  t.start <- t.stop;
  rest t

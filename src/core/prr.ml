type t = { mutable flight : int; mutable delivered : int; mutable out : int }

let create () = { flight = 1; delivered = 0; out = 0 }

let start t ~flight =
  t.flight <- Int.max 1 flight;
  t.delivered <- 0;
  t.out <- 0

let on_sent t n = t.out <- t.out + n
let begins t = t.out = 0
let unknown t = Int.max 0 (t.flight - t.delivered)

(* §6.2: proportional reduction while pipe is above ssthresh; then as many bytes as are delivered
   (PRR-CRB), or one segment more (PRR-SSRB), up to ssthresh. *)
let window t ~pipe ~ssthresh ~delivered ~safe ~mss =
  t.delivered <- t.delivered + delivered;
  let count =
    if pipe > ssthresh then (((t.delivered * ssthresh) + t.flight - 1) / t.flight) - t.out
    else
      let limit = Int.max (t.delivered - t.out) delivered in
      Int.min (ssthresh - pipe) (if safe then limit + mss else limit)
  in
  (* The first retransmission is sent at once. *)
  let count = if t.out = 0 then Int.max mss count else count in
  pipe + Int.max 0 count

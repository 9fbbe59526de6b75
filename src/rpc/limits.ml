type t = { message : int; calls : int; held : int; unsent : int; window : int }

let default =
  {
    message = 4 * 1024 * 1024;
    calls = 64;
    held = 16 * 1024 * 1024;
    unsent = 256 * 1024;
    window = 256 * 1024;
  }

let max_calls = 1 lsl 20

let check t =
  if t.message < 2_048 || t.message > 0x7fff_ffff then invalid_arg "Limits: message";
  if t.calls < 1 || t.calls > max_calls then invalid_arg "Limits: calls";
  if t.window < 1_024 || t.window > 0x7fff_ffff then invalid_arg "Limits: window";
  if t.held < 1 || t.unsent < 1 then invalid_arg "Limits: not positive"

(* A stream's messages come in packets, whose header is shorter than this. *)
let stream_window t = Int.min t.window (t.message - 16)

open Weir_link
module Capture_writer = Weir_link_unix.Capture_writer
module Writer = Weir_wire.Pcapng_writer

type t = {
  options : Recording.t;
  writer : Capture_writer.t;
  epoch_ns : int;
  commented : bool;  (** pcapng *)
  pending : (Run_packet.key, string list) Hashtbl.t;
  mutable recorded : int;
  mutable lost : int;
}

let application = "weir run"
let is_pcapng name = String.lowercase_ascii (Filename.extension name) = ".pcapng"

let start ~now (options : Recording.t) =
  let snaplen = options.snaplen in
  let commented = is_pcapng options.file in
  let header =
    if commented then Writer.header ~snaplen ~interface:"weir0" ~application
    else Weir_wire.Pcap.header ~snaplen
  in
  {
    options;
    writer = Recording.writer ~notice:Fail.tell ~header options;
    epoch_ns = Weir_link_unix.Wall_clock.epoch_ns ~now:(now ());
    commented;
    pending = Hashtbl.create 16;
    recorded = 0;
    lost = 0;
  }

let most_pending = 10_000

let comment t key text =
  if t.commented then
    match Hashtbl.find_opt t.pending key with
    | Some before -> Hashtbl.replace t.pending key (text :: before)
    | None -> if Hashtbl.length t.pending < most_pending then Hashtbl.add t.pending key [ text ]

let take t key =
  match Hashtbl.find_opt t.pending key with
  | None -> []
  | Some texts ->
      Hashtbl.remove t.pending key;
      List.rev texts

(* -- which connection a packet is of --------------------------------------------- *)

let key_of ~from_program (f : Frame.t) =
  Option.map Run_packet.key (Run_packet.read (if from_program then Out else In) f)

(* A packet does not say who sent it: of its two places only one is pending. *)
let comments_for t f =
  if Hashtbl.length t.pending = 0 then []
  else
    let of_way from_program =
      match key_of ~from_program f with Some key -> take t key | None -> []
    in
    match of_way true with [] -> of_way false | found -> found

(* -- recording -------------------------------------------------------------------- *)

let append t s =
  Capture_writer.write t.writer (Bytes.unsafe_of_string s) ~off:0 ~len:(String.length s);
  Capture_writer.end_record t.writer

let classic = Bytes.create Weir_wire.Pcap.record_header_length

let frame t ~now ?comment (f : Frame.t) =
  let len = Int.min t.options.snaplen f.len and time = Int.max 0 (t.epoch_ns + now) in
  t.recorded <- t.recorded + 1;
  if comment <> None then t.lost <- t.lost + 1;
  if t.commented then
    let comments = comments_for t f @ Option.to_list comment in
    append t (Writer.packet ~time ~original:f.len ~comments f.data ~off:f.off ~len)
  else (
    Weir_wire.Pcap.record_header ~time ~captured:len ~original:f.len classic ~off:0;
    Capture_writer.append t.writer ~head:classic f.data ~off:f.off ~len)

class recording t (inner : Link.t) =
  object
    inherit Link.forward inner
    method! capabilities = { (inner#capabilities) with gathers = false }

    method! receive ~now =
      let f = inner#receive ~now in
      if f != Frame.none then frame t ~now f;
      f

    method! send ~now f =
      frame t ~now f;
      inner#send ~now f
  end

let link t inner = (new recording t inner :> Link.t)

(* -- the end ------------------------------------------------------------------------ *)

let longest_name = 255

let finish t ~now ~names =
  if t.commented then (
    if names <> [] then
      append t (Writer.names (List.filter (fun (_, n) -> String.length n <= longest_name) names));
    let comments = Hashtbl.fold (fun _ texts all -> List.rev_append texts all) t.pending [] in
    append t
      (Writer.statistics ~time:(t.epoch_ns + now) ~received:t.recorded ~dropped:0
         ~comments:(List.sort compare comments) ()));
  try Recording.finish t.options t.writer with Fail.Failed why -> Fail.tell why

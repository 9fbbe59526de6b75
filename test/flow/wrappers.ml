open Weir_test
open Weir_flow

let str = Alcotest.(check string)
let int = Alcotest.(check int)

let joined s out : Flow.flow =
  let src = Memory.source ~chunk:4 s in
  object
    inherit Flow.flow
    method read_into = src#read_into
    method! read = src#read
    method! copy_to = src#copy_to
    method write = out#write
  end

let count () =
  let c = Wrap.counter () and out = Memory.sink () in
  let f = Wrap.count c (joined "abcdefghij" out) in
  ignore (Flow.read_into f (Bytes.create 3) ~off:0 ~len:3);
  ignore (Flow.read f);
  int "the rest" 3 (Flow.copy f f);
  Flow.writev f [ Slice.of_string "xy" ];
  str "passed" "hijxy" out#contents;
  int "in" 10 c.bytes_in;
  int "out" 5 c.bytes_out;
  int "reads" 3 c.reads;
  int "writes" 2 c.writes

let limit () =
  let src = Memory.source "abcdefghij" in
  str "head" "abc" (Flow.read_all (Wrap.limit 3 src) ~max:10);
  str "no more taken" "defghij" (Flow.read_all src ~max:10);
  Alcotest.check_raises "negative" (Invalid_argument "Wrap.limit") (fun () ->
      ignore (Wrap.limit (-1) src))

let tee () =
  let log = Memory.sink () and out = Memory.sink () in
  let t = Wrap.tee (Memory.source ~chunk:4 "abcdefghij") log in
  str "view" "abcd" (Slice.to_string (Flow.read t));
  ignore (Flow.copy t out);
  str "out" "efghij" out#contents;
  str "log" "abcdefghij" log#contents

let trace () =
  let record = Memory.sink () and out = Memory.sink () in
  let now =
    let t = ref 0 in
    fun () ->
      incr t;
      (3 * 1_000_000_000) + !t
  in
  let f = Trace.wrap ~now ~record (joined "abcd" out) in
  Flow.write_string f "out";
  ignore (Flow.copy f Null.flow);
  let file = record#contents in
  int "length" (24 + (16 + 4) + (16 + 5) + (16 + 1)) (String.length file);
  str "written" "\001out" (String.sub file 40 4);
  str "read" "\000abcd" (String.sub file 60 5);
  int "seconds" 3 (Int32.to_int (String.get_int32_le file 24));
  int "nanoseconds" 1 (Int32.to_int (String.get_int32_le file 28))

let tshark () =
  Suite.needs_program "tshark";
  let record = Memory.sink () in
  let f = Trace.wrap ~now:(fun () -> 0) ~record Null.flow in
  Flow.write_string f "GET /";
  let file = Filename.temp_file "weir" ".pcap" in
  Out_channel.with_open_bin file (fun oc -> output_string oc record#contents);
  let ic =
    Unix.open_process_args_in "tshark" [| "tshark"; "-r"; file; "-T"; "fields"; "-e"; "frame.len" |]
  in
  let said = In_channel.input_all ic in
  ignore (Unix.close_process_in ic);
  str "one record of 6 bytes" "6" (String.trim said)

let cases =
  Suite.
    [
      case "count" count;
      case "limit" limit;
      case "tee" tee;
      case "trace" trace;
      slow "tshark reads a trace" tshark;
    ]

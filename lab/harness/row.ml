type t = {
  study : string;
  subject : string;
  test : string;
  metric : string;
  unit_ : string;
  value : float;
  low : float;
  high : float;
  n : int;
  sample : Sample.t option;
}

let of_sample ~study ~subject ~test ~metric ~unit_ ~n sample =
  let { Sample.value; low; high } = Sample.interval sample in
  { study; subject; test; metric; unit_; value; low; high; n; sample = Some sample }

let known = List.filter (fun r -> not (Float.is_nan r.value))

let of_measure ~study ~subject ~test (m : Measure.t) =
  let row metric unit_ = of_sample ~study ~subject ~test ~metric ~unit_ ~n:m.n in
  known
    [
      row "time" "ns" m.time;
      row "minor_words" "words" m.minor;
      row "major_words" "words" m.major;
      row "promoted_words" "words" m.promoted;
    ]

let over = "time_over_"

let ratio ~study ~subject ~test ~reference (a : Measure.t) (b : Measure.t) =
  of_sample ~study ~subject ~test ~metric:(over ^ reference) ~unit_:"times" ~n:(min a.n b.n)
    (Sample.over a.time b.time)

let ratios ~study ~test ~reference ms =
  match List.find_opt (fun (m : Measure.t) -> m.name = reference) ms with
  | None -> []
  | Some whole ->
      List.filter (fun (m : Measure.t) -> m.name <> reference) ms
      |> List.map (fun (m : Measure.t) -> ratio ~study ~subject:m.name ~test ~reference m whole)
      |> known

let row rows ~subject ~test ~metric =
  List.find_opt (fun r -> r.subject = subject && r.test = test && r.metric = metric) rows

let find rows ~subject ~test ~metric =
  Option.map (fun r -> r.value) (row rows ~subject ~test ~metric)

let sample rows ~subject ~test ~metric =
  Option.bind (row rows ~subject ~test ~metric) (fun r -> r.sample)

let quoted s =
  let b = Buffer.create (String.length s + 2) in
  Buffer.add_char b '"';
  String.iter
    (function
      | ('"' | '\\') as c ->
          Buffer.add_char b '\\';
          Buffer.add_char b c
      | c when c < ' ' -> Printf.bprintf b "\\u%04x" (Char.code c)
      | c -> Buffer.add_char b c)
    s;
  Buffer.add_char b '"';
  Buffer.contents b

let number x = if Float.is_finite x then Printf.sprintf "%.6g" x else "null"

let rounds r =
  match r.sample with
  | Some sample when r.metric = "time" ->
      let values = Array.to_list (Sample.rounds sample) in
      Printf.sprintf ",\"rounds\":[%s]" (String.concat "," (List.map number values))
  | _ -> ""

let result r =
  Printf.sprintf
    "{\"study\":%s,\"subject\":%s,\"test\":%s,\"metric\":%s,\"unit\":%s,\"value\":%s,\"low\":%s,\"high\":%s,\"n\":%d%s}"
    (quoted r.study) (quoted r.subject) (quoted r.test) (quoted r.metric) (quoted r.unit_)
    (number r.value) (number r.low) (number r.high) r.n (rounds r)

let json ~machine rows =
  let facts = List.map (fun (k, v) -> quoted k ^ ":" ^ quoted v) machine in
  Printf.sprintf "{\"machine\":{%s},\n\"results\":[\n%s\n]}\n" (String.concat "," facts)
    (String.concat ",\n" (List.map result rows))

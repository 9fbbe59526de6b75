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
}

let of_measure ~study ~subject ~test (m : Measure.t) =
  let row metric unit_ (e : Measure.estimate) =
    { study; subject; test; metric; unit_; value = e.per_run; low = e.low; high = e.high; n = m.n }
  in
  List.filter
    (fun r -> not (Float.is_nan r.value))
    [
      row "time" "ns" m.time;
      row "minor_words" "words" m.minor;
      row "major_words" "words" m.major;
      row "promoted_words" "words" m.promoted;
    ]

let find rows ~subject ~test ~metric =
  List.find_opt (fun r -> r.subject = subject && r.test = test && r.metric = metric) rows
  |> Option.map (fun r -> r.value)

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

let result r =
  Printf.sprintf
    "{\"study\":%s,\"subject\":%s,\"test\":%s,\"metric\":%s,\"unit\":%s,\"value\":%s,\"low\":%s,\"high\":%s,\"n\":%d}"
    (quoted r.study) (quoted r.subject) (quoted r.test) (quoted r.metric) (quoted r.unit_)
    (number r.value) (number r.low) (number r.high) r.n

let json ~machine rows =
  let facts = List.map (fun (k, v) -> quoted k ^ ":" ^ quoted v) machine in
  Printf.sprintf "{\"machine\":{%s},\n\"results\":[\n%s\n]}\n" (String.concat "," facts)
    (String.concat ",\n" (List.map result rows))

open Weir_lab_harness

let script =
  {|done = function(s, l, r)
  local e = s.errors
  local errors = e.connect + e.read + e.write + e.timeout + e.status
  local function say(metric, unit, value)
    io.write(string.format("reading %s %s %.9g\n", metric, unit, value))
  end
  local seconds = s.duration / 1e6
  say("rate", "requests/s", s.requests / seconds)
  say("requests", "requests", s.requests)
  say("time", "ms", seconds * 1e3)
  say("read", "MiB", s.bytes / 1048576)
  say("transfer", "MiB/s", s.bytes / 1048576 / seconds)
  say("latency_mean", "ms", l.mean / 1e3)
  say("latency_stdev", "ms", l.stdev / 1e3)
  say("latency_p50", "ms", l:percentile(50) / 1e3)
  say("latency_p99", "ms", l:percentile(99) / 1e3)
  say("latency_max", "ms", l.max / 1e3)
  say("thread_rate", "requests/s", r.mean)
  say("thread_rate_stdev", "requests/s", r.stdev)
  say("thread_rate_max", "requests/s", r.max)
  say("errors", "errors", errors)
end
|}

(* This value is read from wrk's text, such as "Latency 20.21ms 2.08ms 41.94ms 92.28%": in a wrk
   script it would take quadratic time. *)
let within line =
  match String.split_on_char ' ' line |> List.filter (( <> ) "") with
  | [ what; _mean; _deviation; _most; share ] when String.ends_with ~suffix:"%" share ->
      let metric =
        match what with
        | "Latency" -> Some "latency_within"
        | "Req/Sec" -> Some "thread_rate_within"
        | _ -> None
      in
      let value = float_of_string_opt (String.sub share 0 (String.length share - 1)) in
      Option.bind metric (fun m -> Option.map (Reading.make m "%") value)
  | _ -> None

let reading line = match Reading.of_line line with Some r -> Some r | None -> within line

let with_script f =
  let file, oc = Filename.open_temp_file "weir-lab" ".lua" in
  Fun.protect ~finally:(fun () -> Sys.remove file) @@ fun () ->
  Out_channel.output_string oc script;
  Out_channel.close oc;
  f file

let run ~connections ~seconds =
  with_script @@ fun script ->
  let readings =
    Child.run
      ~seconds:(float seconds +. 10.)
      [
        "wrk";
        Printf.sprintf "-t%d" (min 2 connections);
        Printf.sprintf "-c%d" connections;
        Printf.sprintf "-d%ds" seconds;
        "-s";
        script;
        Printf.sprintf "http://%s:%d/" (Ipaddr.to_string Space.there) Load.http_port;
      ]
    |> List.filter_map reading
  in
  match List.find_opt (fun r -> r.Reading.metric = "rate") readings with
  | Some { value; _ } when value > 0. -> readings
  | _ -> Child.failed "wrk got no answer"

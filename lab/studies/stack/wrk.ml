let script =
  {|done = function(s, l, r)
  local e = s.errors
  local errors = e.connect + e.read + e.write + e.timeout + e.status
  local function say(metric, unit, value)
    io.write(string.format("reading %s %s %.9g\n", metric, unit, value))
  end
  local function within(stats)
    local all, near = 0, 0
    for i = 1, #stats do
      local value, count = stats(i)
      all = all + count
      if math.abs(value - stats.mean) <= stats.stdev then near = near + count end
    end
    return 100 * near / math.max(1, all)
  end
  local seconds = s.duration / 1e6
  say("rate", "requests/s", s.requests / seconds)
  say("requests", "requests", s.requests)
  say("time", "ms", seconds * 1e3)
  say("read", "MiB", s.bytes / 1048576)
  say("transfer", "MiB/s", s.bytes / 1048576 / seconds)
  say("latency_mean", "ms", l.mean / 1e3)
  say("latency_stdev", "ms", l.stdev / 1e3)
  say("latency_within", "%", within(l))
  say("latency_p50", "ms", l:percentile(50) / 1e3)
  say("latency_p99", "ms", l:percentile(99) / 1e3)
  say("latency_max", "ms", l.max / 1e3)
  say("thread_rate", "requests/s", r.mean)
  say("thread_rate_stdev", "requests/s", r.stdev)
  say("thread_rate_within", "%", within(r))
  say("thread_rate_max", "requests/s", r.max)
  say("errors", "errors", errors)
end
|}

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
        Printf.sprintf "http://%s:%d/" (Ipaddr.V4.to_string Space.there) Load.http_port;
      ]
    |> List.filter_map Reading.of_line
  in
  match List.find_opt (fun r -> r.Reading.metric = "rate") readings with
  | Some { value; _ } when value > 0. -> readings
  | _ -> Child.failed "wrk got no answer"

let script =
  {|done = function(s, l, r)
  local e = s.errors
  local errors = e.connect + e.read + e.write + e.timeout + e.status
  local function say(metric, unit, value)
    io.write(string.format("reading %s %s %.9g\n", metric, unit, value))
  end
  say("rate", "requests/s", s.requests / (s.duration / 1e6))
  say("latency_mean", "ms", l.mean / 1e3)
  say("latency_p50", "ms", l:percentile(50) / 1e3)
  say("latency_p99", "ms", l:percentile(99) / 1e3)
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

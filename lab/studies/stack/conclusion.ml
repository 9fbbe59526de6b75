open Weir_lab_harness

let ( let* ) = Option.bind
let percent a b = 100. *. a /. b

(* By processor time, if it was measured, because other load does not change it. *)
let against rows test =
  let pair metric =
    let* eio = Report.find rows ~subject:"weir-eio" ~test ~metric in
    let* lwt = Report.find rows ~subject:"weir-lwt" ~test ~metric in
    Some (eio, lwt)
  in
  let compare how ((eio : Row.t), (lwt : Row.t)) =
    let share = percent lwt.value eio.value in
    if min eio.n lwt.n < 6 then
      Printf.sprintf "%s%.0f%% of direct style's, by too few runs to tell" how share
    else if eio.low > lwt.high || lwt.low > eio.high then
      Printf.sprintf "%s%.0f%% of direct style's" how share
    else how ^ "no difference beyond the noise"
  in
  match pair "rate_cpu" with
  | Some p -> Some (compare "by the processor's time: " p)
  | None -> Option.map (compare "") (pair "rate")

let drivers rows name test =
  let* eio = Report.find rows ~subject:"weir-eio" ~test ~metric:"rate" in
  let* lwt = Row.find rows ~subject:"weir-lwt" ~test ~metric:"rate" in
  let* against = against rows test in
  let theirs =
    match
      List.map (fun (subject, _) -> Published.find ~subject ~test ~metric:"rate") Published.subjects
    with
    | [ Some e; Some l ] ->
        Printf.sprintf " The published pair: %s and %s, %.0f%%." (Report.number e) (Report.number l)
          (percent l e)
    | [ Some e; None ] -> Printf.sprintf " Published, direct style: %s." (Report.number e)
    | _ -> ""
  in
  Some
    (Printf.sprintf "%s: %s %s in direct style, %s under Lwt (%s).%s" name (Report.number eio.value)
       eio.unit_ (Report.number lwt) against theirs)

let recording rows =
  let kept find subject =
    let* plain = find ~subject ~test:"mem-bulk" ~metric:"rate" in
    let* recorded = find ~subject ~test:"mem-bulk-pcap" ~metric:"rate" in
    Some (percent recorded plain)
  in
  let ours ~subject ~test ~metric = Row.find rows ~subject ~test ~metric in
  let* e = kept ours "weir-eio" in
  let* l = kept ours "weir-lwt" in
  let* e' = kept Published.find "tcpip-eio" in
  let* l' = kept Published.find "tcpip-lwt" in
  Some
    (Printf.sprintf
       "Recording every frame leaves %.0f%% of TCP's rate in direct style and %.0f%% under Lwt; it \
        left the published stacks %.0f%% and %.0f%%."
       e l e' l')

(* The live words at the last mark divided by those at the first. *)
let leaking rows =
  let test = "mem-bulk-pcap" and metric = "live_words" in
  let grows along subject =
    match along ~subject ~test ~metric with
    | (_, first) :: (_ :: _ as rest) -> Some (snd (List.nth rest (List.length rest - 1)) /. first)
    | _ -> None
  in
  let* ours = grows (Report.along rows) "weir-eio" in
  let* theirs = grows Published.along "tcpip-eio" in
  Some
    (Printf.sprintf
       "What lives while frames are recorded, at the last mark over the first: %.2f here, %.2f as \
        published (it kept what it had recorded)."
       ours theirs)

let beside rows name test other =
  let* them = Report.find rows ~subject:other ~test ~metric:"rate" in
  let* e = Row.find rows ~subject:"weir-eio" ~test ~metric:"rate" in
  let* l = Row.find rows ~subject:"weir-lwt" ~test ~metric:"rate" in
  Some
    (Printf.sprintf "%s: %.0f%% of what %s does (%s %s) in direct style, %.0f%% under Lwt." name
       (percent e them.value)
       (if other = "kernel" then "the kernel" else other)
       (Report.number them.value) them.unit_ (percent l them.value))

let over_rivals rows name test =
  let ratio (r : Rival.t) =
    Option.map
      (fun v -> Printf.sprintf "%s %s" r.name (Report.number v))
      (Row.find rows ~subject:"weir-eio" ~test ~metric:("rate_over_" ^ r.name))
  in
  match List.filter_map ratio Rival.all with
  | [] -> None
  | ratios ->
      Some
        (Printf.sprintf "%s: direct style over others, in the same rounds: %s." name
           (String.concat ", " ratios))

let tail rows =
  let p99 subject = Row.find rows ~subject ~test:"http-c256" ~metric:"latency_p99" in
  let* e = p99 "weir-eio" in
  let* l = p99 "weir-lwt" in
  let nginx =
    Option.fold ~none:""
      ~some:(fun n -> Printf.sprintf ", nginx %s ms" (Report.number n))
      (p99 "nginx")
  in
  Some
    (Printf.sprintf "p99 of 256 connections: direct style %s ms, Lwt %s ms%s." (Report.number e)
       (Report.number l) nginx)

let of_rows rows =
  List.filter_map Fun.id
    [
      drivers rows "TCP in memory" "mem-bulk";
      recording rows;
      leaking rows;
      drivers rows "UDP in memory" "mem-udp";
      beside rows "TCP in, over the TAP" "tap-bulk-in" "kernel";
      over_rivals rows "TCP in, over the TAP" "tap-bulk-in";
      beside rows "TCP out, over the TAP" "tap-bulk-out" "kernel";
      over_rivals rows "TCP out, over the TAP" "tap-bulk-out";
      over_rivals rows "TCP in, with offloads" "tap-bulk-in-offload";
      over_rivals rows "TCP out, with offloads" "tap-bulk-out-offload";
      drivers rows "HTTP, 256 connections" "http-c256";
      beside rows "HTTP, 256 connections" "http-c256" "nginx";
      over_rivals rows "HTTP, 256 connections" "http-c256";
      tail rows;
      over_rivals rows "HTTP, 256 connections, with offloads" "http-c256-offload";
      over_rivals rows "HTTP, 1 connection" "http-c1";
      over_rivals rows "HTTP, 1 connection, with offloads" "http-c1-offload";
    ]

let summary rows =
  match drivers rows "TCP in memory" "mem-bulk" with
  | None -> "Nothing was measured."
  | Some s ->
      let to_kernel =
        let* eio = Row.find rows ~subject:"weir-eio" ~test:"tap-bulk-in" ~metric:"rate" in
        let* kernel = Row.find rows ~subject:"kernel" ~test:"tap-bulk-in" ~metric:"rate" in
        Some
          (Printf.sprintf " Over a TAP it receives %.0f%% of the kernel's rate."
             (percent eio kernel))
      in
      s ^ Option.value to_kernel ~default:""

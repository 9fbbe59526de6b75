open Weir_lab_harness

type t = {
  program : string;
  pid : int;
  requests : out_channel;
  answers : in_channel;
  file : string;  (** holds the message *)
}

let patience_s = 60.
let failed t what = failwith (Printf.sprintf "codecs: the peer %s %s" t.program what)

(* Peers write one line for each request, so no more lines are in the channel. *)
let answer t =
  match Unix.select [ Unix.descr_of_in_channel t.answers ] [] [] patience_s with
  | [], _, _ -> failed t "is silent"
  | _ -> (
      match In_channel.input_line t.answers with
      | Some line -> String.split_on_char ' ' line
      | None -> failed t "ended")

(* Writing to a process that has ended must be an error, not a signal that ends this process. *)
let ask t line =
  let before = Sys.signal Sys.sigpipe Signal_ignore in
  Fun.protect
    ~finally:(fun () -> Sys.set_signal Sys.sigpipe before)
    (fun () ->
      try
        Out_channel.(
          output_string t.requests (line ^ "\n");
          flush t.requests)
      with Sys_error _ -> failed t "ended")

let run t test n =
  ask t (Printf.sprintf "%s %d" test n);
  match List.map int_of_string_opt (answer t) with
  | [ Some cpu_ns; Some wall_ns ] -> { Measure.cpu_ns; wall_ns }
  | _ -> failed t "answers nonsense"

let stop t =
  (try Unix.kill t.pid Sys.sigkill with Unix.Unix_error _ -> ());
  Out_channel.close_noerr t.requests;
  In_channel.close_noerr t.answers;
  (try ignore (Unix.waitpid [] t.pid) with Unix.Unix_error _ -> ());
  try Sys.remove t.file with Sys_error _ -> ()

let start program ~format ~message =
  let file = Filename.temp_file "weir-codecs" ".message" in
  Out_channel.with_open_bin file (fun oc -> output_string oc message);
  let from_us, requests = Unix.pipe ~cloexec:true () in
  let answers, to_us = Unix.pipe ~cloexec:true () in
  let spawn () =
    Unix.create_process program [| program; format; file |] from_us to_us Unix.stderr
  in
  match spawn () with
  | exception Unix.Unix_error (e, _, _) ->
      List.iter Unix.close [ from_us; requests; answers; to_us ];
      Sys.remove file;
      Error (Unix.error_message e)
  | pid -> (
      List.iter Unix.close [ from_us; to_us ];
      let t =
        {
          program;
          pid;
          requests = Unix.out_channel_of_descr requests;
          answers = Unix.in_channel_of_descr answers;
          file;
        }
      in
      match answer t with
      | [ "ready"; n ] when int_of_string_opt n = Some (String.length message) -> Ok t
      | _ ->
          stop t;
          Error "it does not begin with `ready` and the message's length"
      | exception Failure why ->
          stop t;
          Error why)

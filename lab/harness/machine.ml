external keep_memory : unit -> unit = "weir_lab_keep_memory"

let lines file =
  try In_channel.with_open_bin file In_channel.input_all |> String.split_on_char '\n'
  with Sys_error _ -> []

let after_colon line =
  match String.index_opt line ':' with
  | Some i -> String.trim (String.sub line (i + 1) (String.length line - i - 1))
  | None -> line

let facts () =
  let cpuinfo = lines "/proc/cpuinfo" in
  let models = List.filter (String.starts_with ~prefix:"model name") cpuinfo in
  let cpu = match models with m :: _ -> after_colon m | [] -> "unknown" in
  let kernel = match lines "/proc/sys/kernel/osrelease" with k :: _ -> k | [] -> "unknown" in
  [
    ("cpu", cpu);
    ("cores", string_of_int (max 1 (List.length models)));
    ("system", Sys.os_type ^ " " ^ kernel);
    ("ocaml", Sys.ocaml_version);
    ("minor_heap_words", string_of_int (Gc.get ()).minor_heap_size);
    ("word_bits", string_of_int Sys.word_size);
  ]

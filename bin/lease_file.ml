module Lease = Weir_core.Dhcp_lease
module Config = Weir_core.Dhcp_config

let longest = 64

let first_bytes ic =
  let b = Bytes.create longest in
  Bytes.sub_string b 0 (In_channel.input ic b 0 longest)

let stored path =
  match In_channel.with_open_bin path first_bytes with
  | exception Sys_error _ when not (Sys.file_exists path) -> None
  | exception Sys_error e ->
      Fail.tell (Fmt.str "--lease-file: %s; asking for any address" e);
      None
  | text -> (
      match Ipaddr.V4.of_string (String.trim text) with
      | Ok a -> Some a
      | Error _ ->
          Fail.tell (Fmt.str "--lease-file %s holds no address; asking for any" path);
          None)

let dhcp = function
  | None -> Config.default
  | Some path -> { Config.default with previous = stored path; keeps = true }

let write path text =
  let fresh = path ^ ".new" in
  match
    Out_channel.with_open_bin fresh (fun oc -> Out_channel.output_string oc text);
    Sys.rename fresh path
  with
  | () -> ()
  | exception Sys_error e -> Fail.tell (Fmt.str "--lease-file: %s; the address is not kept" e)

let store path lease =
  match (path, lease) with
  | Some path, Some { Lease.address; _ } ->
      write path (Ipaddr.V4.to_string (Ipaddr.V4.Prefix.address address) ^ "\n")
  | _ -> ()

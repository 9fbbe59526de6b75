module Lease = Weir_core.Dhcp_lease
module Config = Weir_core.Dhcp_config

type t = { path : string; identifier : string; previous : Ipaddr.V4.t option }

(* A UUID (RFC 6355); there is one interface. *)
let new_identifier () =
  let random = Weir_drive.Identity.system_random () in
  let uuid = String.init 16 (fun _ -> Char.chr (Random.State.int random 256)) in
  Config.rfc4361 ~iaid:0 ~duid:("\000\004" ^ uuid)

let longest = 600

let first_bytes ic =
  let b = Bytes.create longest in
  Bytes.sub_string b 0 (In_channel.input ic b 0 longest)

let hex s =
  String.concat ""
    (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (String.to_seq s)))

let of_hex s =
  let n = String.length s / 2 in
  match String.init n (fun i -> Char.chr (int_of_string ("0x" ^ String.sub s (2 * i) 2))) with
  | id when n >= 2 && n <= 255 && hex id = s -> Some id
  | _ | (exception Failure _) -> None

let parse text =
  match List.filter (( <> ) "") (String.split_on_char ' ' (String.trim text)) with
  | [ address; identifier ] -> (
      match (Ipaddr.V4.of_string address, of_hex identifier) with
      | Ok a, Some id -> Some (a, id)
      | _ -> None)
  | _ -> None

let open_ path =
  let unknown why =
    Option.iter (fun why -> Fail.tell (Fmt.str "--lease-file: %s; asking for any address" why)) why;
    { path; identifier = new_identifier (); previous = None }
  in
  match In_channel.with_open_bin path first_bytes with
  | exception Sys_error _ when not (Sys.file_exists path) -> unknown None
  | exception Sys_error e -> unknown (Some e)
  | text -> (
      match parse text with
      | Some (a, identifier) -> { path; identifier; previous = Some a }
      | None -> unknown (Some (path ^ " has no address and identifier")))

let dhcp = function
  | None -> Config.default
  | Some { identifier; previous; _ } ->
      { Config.default with previous; identifier = Some identifier; keeps = true }

let write path text =
  let fresh = path ^ ".new" in
  match
    Out_channel.with_open_bin fresh (fun oc -> Out_channel.output_string oc text);
    Sys.rename fresh path
  with
  | () -> ()
  | exception Sys_error e -> Fail.tell (Fmt.str "--lease-file: %s; the address is not kept" e)

let store t lease =
  match (t, lease) with
  | Some { path; identifier; _ }, Some { Lease.address; _ } ->
      let address = Ipaddr.V4.to_string (Ipaddr.V4.Prefix.address address) in
      write path (Printf.sprintf "%s %s\n" address (hex identifier))
  | _ -> ()

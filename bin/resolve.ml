open Cmdliner
open Weir_wire

let kinds : Dns.Kind.t list = [ A; AAAA; CNAME; MX; NS; PTR; SOA; SRV; TXT ]

let print host (kind : Dns.Kind.t) node =
  match Weir_eio.records host kind node with
  | Ok records ->
      List.iter (fun r -> print_endline (Fmt.str "@[<h>%a@]" Dns.pp_record r)) records;
      Ok ()
  | Error e -> Error e

(* As a program sees a name: whatever addresses there are. *)
let run_kinds host wanted node =
  let tried = List.map (fun kind -> print host kind node) wanted in
  if not (List.exists Result.is_ok tried) then
    match tried with
    | Error e :: _ -> Fail.failed "%s: %s" node (Fmt.str "%a" Weir_drive.Lookup.pp_failure e)
    | _ -> ()

(* An address stands for its name in the reverse tree. *)
let question node =
  match Ipaddr.of_string node with
  | Ok a -> ([ Dns.Kind.PTR ], Domain_name.to_string (Ipaddr.to_domain_name a))
  | Error _ -> ([ Dns.Kind.A; AAAA ], node)

let run (attach : Link_options.t) node kind =
  if attach.resolvers = [] && not (Ends.is_configured attach) then
    Fail.usage "give a DNS server, such as --resolver 10.0.0.1, and the link to it";
  let usual, node = question node in
  let wanted = match kind with None -> usual | Some kind -> [ kind ] in
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let hosts = Attach.hosts ~sw ~clock ~role:`Client attach in
  Attach.unless_gone attach hosts @@ fun () -> run_kinds hosts.local wanted node

let node =
  Arg.(required & pos 0 (some string) None & info [] ~docv:"NAME" ~doc:"A name or address.")

let kind =
  let names = List.map (fun k -> (String.lowercase_ascii (Fmt.str "%a" Dns.Kind.pp k), k)) kinds in
  let parse s =
    match Dns.Kind.of_string s with
    | Some k -> Ok k
    | None ->
        Error
          (Printf.sprintf "%S is not a record type that weir knows: give one of %s" s
             (String.concat ", " (List.map fst names)))
  in
  let kind_conv = Arg.Conv.make ~docv:"TYPE" ~parser:parse ~pp:Dns.Kind.pp () in
  Arg.(
    value
    & opt (some kind_conv) None
    & info [ "t"; "type" ] ~docv:"TYPE"
        ~doc:
          (Printf.sprintf
             "The type of records: %s. By default, the addresses of a name, or the name of an \
              address."
             (String.concat ", " (List.map fst names))))

let cmd =
  let man =
    [
      `S Manpage.s_examples;
      `P
        "$(b,weir resolve example.org --link tap:tap0 --address 10.0.0.11/24 --resolver 10.0.0.1) \
         prints its addresses.";
    ]
  in
  Cmd.v
    (Cmd.info "resolve" ~exits:Fail.exits ~man ~doc:"ask DNS servers from Weir's own stack")
    Term.(
      const (fun a n k -> Fail.run (fun () -> run a n k)) $ Link_options.client_term $ node $ kind)

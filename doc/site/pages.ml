type part = Whole | Before of string | Section of string
type t = { url : string; source : string; part : part; name : string }

let page ?(part = Whole) url source name = { url; source; part; name }
let section title url name = page ~part:(Section title) url "README.md" name

let groups =
  [
    ( "Start",
      [
        page ~part:(Before "A program") "index.html" "README.md" "What Weir is";
        section "Install" "install.html" "Install";
        page "tutorial.html" "doc/tutorial.md" "Tutorial";
        section "A program" "program.html" "A program on three networks";
        section "What is supported, and what is not" "supported.html" "What is supported";
      ] );
    ( "How to",
      [
        page "tap.html" "doc/tap.md" "Serve over a TAP device";
        page "run.html" "doc/run.md" "Run any program behind Weir";
        page "dump.html" "doc/dump.md" "Record and read packets";
        page "simulation.html" "doc/simulation.md" "Test under faults";
        page "web.html" "doc/web.md" "Watch TCP in a page";
        page "messages.html" "doc/messages.md" "Send messages and calls";
        page "protobuf.html" "doc/protobuf.md" "Use protobuf";
        page "ppx-migration.html" "doc/ppx-migration.md" "Move from ppx_deriving_protobuf";
        page "capnp.html" "doc/capnp.md" "Use Cap'n Proto";
        page "thrift.html" "doc/thrift.md" "Use Thrift";
        page "mirage.html" "doc/mirage.md" "Run programs for Mirage and Conduit";
        page "threads.html" "doc/threads.md" "Use threads in Lwt programs";
      ] );
    ( "Reference",
      [
        section "Commands" "commands.html" "Commands";
        page "rfc.html" "doc/rfc.md" "RFCs";
        section "Packages" "packages.html" "Packages";
      ] );
    ( "Background",
      [
        page "rationale.html" "doc/rationale.md" "Design choices";
        page "map.html" "doc/map.md" "Map of the sources";
        page "performance.html" "doc/performance.md" "Performance";
        page "lab.html" "doc/lab.md" "The lab";
        page "peers.html" "lab/peers/README.md" "The lab's peers";
        page "hacking.html" "HACKING.md" "Work on Weir";
        page "changes.html" "CHANGES.md" "Changes";
      ] );
  ]

let all = List.concat_map snd groups

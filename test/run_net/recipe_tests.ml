(* The recipes of doc/run.md, with the runners of tests that they name. *)

open Weir_programs
open Weir_test
open Outside

let with_folder f env sw =
  Programs.with_scratch @@ fun folder ->
  Programs.write (Filename.concat folder "page") (String.make 100_000 'x');
  serve env sw
    (python
       "import http.server as h,sys,functools\n\
        f=functools.partial(h.SimpleHTTPRequestHandler,directory=sys.argv[2])\n\
        s=h.ThreadingHTTPServer((sys.argv[1],8651),f); print('ready',flush=True); s.serve_forever()"
       [ v4; folder ]);
  f env folder

let page = Printf.sprintf "http://%s:8651/page" v4
let file folder name text = Programs.write (Filename.concat folder name) text

(* In [folder], which is its home too. *)
let inside folder command =
  sh
    (Printf.sprintf "cd %s && HOME=%s PAGE=%s exec %s" folder folder page
       (Filename.quote_command (List.hd command) (List.tl command)))

(* On a bad network the suite passes, as it tries again; where everything is refused it fails. *)
let suite env folder command ~fails =
  let run what options expected =
    let options = options @ [ "--seed"; "7"; "--log"; "text" ] in
    let r = run env ~seconds:60. ~options (inside folder command) in
    status what expected r;
    r
  in
  let lossy = [ "--impair"; "loss=3%,delay=20ms,jitter=5ms"; "--fault"; "reset=20kB:10%" ] in
  let r = run "on a bad network" lossy 0 in
  says "it was bad" "lost" r.err;
  let r = run "refused" [ "--fault"; "refuse" ] fails in
  says "refused" "fault: refuse" r.err

let npm env folder =
  Suite.needs_program "npm";
  file folder "package.json" {|{"scripts": {"test": "node --test"}}|};
  file folder "page.test.js"
    {|const test = require("node:test"), assert = require("node:assert");
test("the page", async () => {
  let error;
  for (let i = 0; i < 3; i++) try {
    const r = await fetch(process.env.PAGE);
    return assert.equal((await r.text()).length, 100000);
  } catch (e) { error = e }
  throw error;
});
|};
  suite env folder [ "npm"; "test"; "--silent"; "--no-update-notifier" ] ~fails:1

let pytest env folder =
  file folder "test_page.py"
    "import os,urllib.request as u\n\
     def test_page():\n\
    \  for last in (False,False,True):\n\
    \    try:\n\
    \      assert len(u.urlopen(os.environ['PAGE'],timeout=20).read())==100000\n\
    \      return\n\
    \    except Exception:\n\
    \      if last: raise\n";
  let pytest = made env "pytest" in
  suite env folder
    [
      "env"; "PYTHONPATH=" ^ pytest; "python3"; "-m"; "pytest"; "-q"; "-p"; "no:cacheprovider"; ".";
    ]
    ~fails:1

let go env folder = suite env folder [ made env "go_test"; "-test.count=1" ] ~fails:1

(* Who wants to go out? *)
let offline env folder =
  file folder "build.sh" (Printf.sprintf "curl -s --max-time 5 -o /dev/null %s; echo built" page);
  let options = [ "--deny"; "0.0.0.0/0"; "--deny"; "::/0"; "--log"; "text" ] in
  let r = run env ~options (inside folder [ "sh"; "build.sh" ]) in
  status "built" 0 r;
  says "the attempt" (Printf.sprintf "TCP %s:8651: denied" v4) r.err

(* A seed that breaks a program breaks it again. *)
let seeds env folder =
  let fetch seed =
    let options = [ "--seed"; string_of_int seed; "--fault"; "refuse=30%" ] in
    (run env ~options (inside folder [ "curl"; "-s"; "-o"; "/dev/null"; page ])).status
  in
  let rec breaks seed = if seed > 50 || fetch seed <> 0 then seed else breaks (seed + 1) in
  let found = breaks 1 in
  if found > 50 then Alcotest.fail "no seed of 50 breaks it";
  Alcotest.(check int) "again" 7 (fetch found);
  if found > 1 then Alcotest.(check int) "the one before" 0 (fetch (found - 1))

let cases =
  let slow name f = Suite.slow name (with_env (with_folder f)) in
  [
    slow "npm test" npm;
    slow "pytest" pytest;
    slow "go test" go;
    slow "an offline build" offline;
    slow "a seed that breaks it" seeds;
  ]

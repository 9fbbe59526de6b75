(* What a connection costs over a flow that costs nothing: words and time a
   request. `dune exec ./test/http/bench.exe [REQUESTS]`. *)

open Weir_http

(* A client that never waits: each read gives the next batch of requests. *)
class client request ~batch ~times =
  let text = Bytes.of_string (String.concat "" (List.init batch (fun _ -> request))) in
  object
    inherit Weir_flow.Flow.flow
    val mutable left = times / batch
    val mutable bytes = 0
    val mutable writes = 0
    method bytes = bytes
    method writes = writes

    method read_into b ~off ~len =
      if left = 0 then 0
      else (
        left <- left - 1;
        let n = Bytes.length text in
        assert (len >= n);
        Bytes.blit text 0 b off n;
        n)

    method write _ ~off:_ ~len =
      bytes <- bytes + len;
      writes <- writes + 1
  end

let run name request ~batch ~times handler =
  let server = Server.create ~now:Unix.gettimeofday () in
  let go times =
    let flow = new client request ~batch ~times in
    Server.serve_connection server flow handler;
    flow
  in
  ignore (go 1_000);
  let words = Gc.minor_words () and began = Sys.time () in
  let flow = go times in
  let words = Gc.minor_words () -. words and time = Sys.time () -. began in
  Printf.printf "%-28s %6.1f words/request %9.0f requests/s %6.2f writes/request %d bytes\n%!" name
    (words /. float times)
    (float times /. time)
    (float flow#writes /. float times)
    (flow#bytes / times)

let () =
  let times = try int_of_string Sys.argv.(1) with _ -> 200_000 in
  let text = String.make 2_053 'x' in
  let page = Response.text text in
  let short = "GET / HTTP/1.1\r\nHost: 10.0.0.11\r\n\r\n" in
  let browser =
    "GET /style.css HTTP/1.1\r\n\
     Host: 10.0.0.11:8080\r\n\
     User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\n\
     Accept: text/css,*/*;q=0.1\r\n\
     Accept-Language: en-US,en;q=0.5\r\n\
     Accept-Encoding: gzip, deflate\r\n\
     Connection: keep-alive\r\n\
     Referer: http://10.0.0.11:8080/\r\n\
     Priority: u=2\r\n\
     \r\n"
  in
  run "short GET, 2,053 bytes" short ~batch:1 ~times (fun _ -> page);
  run "the same, 16 pipelined" short ~batch:16 ~times (fun _ -> page);
  run "a browser's GET" browser ~batch:1 ~times (fun _ -> page);
  run "POST of 100 bytes"
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n" ^ String.make 100 'b')
    ~batch:1 ~times
    (let b = Bytes.create 4096 in
     fun r ->
       while Weir_flow.Flow.read_into r.body b ~off:0 ~len:4096 > 0 do
         ()
       done;
       page)

let () =
  let times = try int_of_string Sys.argv.(1) with _ -> 200_000 in
  let text = String.make 2_053 'x' in
  let tree = Files.memory [ ("page.html", text) ] in
  let request = "GET /page.html HTTP/1.1\r\nHost: 10.0.0.11\r\n\r\n" in
  run "a file of 2,053 bytes" request ~batch:1 ~times (Files.handler ~now:Unix.gettimeofday tree);
  let length = 10_000_000 in
  let body () : Response.body =
    Stream { length = Some length; read = (fun _ ~off:_ ~len -> len); close = ignore }
  in
  run "a stream of 10 MB" request ~batch:1 ~times:(times / 100) (fun _ -> Response.make (body ()))

module Flow = Weir_flow.Flow

type flow_error = Flow.flow_error = ..
type error = Flow.error

let () = Flow.register_cancellation (function Lwt.Canceled -> true | _ -> false)
let pp_error = Flow.pp_error

type 'a io = ('a, [ `Flow of error ]) Lwt_result.t
type input = [ `Input of int | `Eof ]
type data = [ `Data of Cstruct.t | `Eof ]
type _ ty = ..

let read_size = 4096
let eof = Lwt_result.return `Eof
let ok = Lwt_result.return ()

class virtual reader =
  object (self)
    method virtual read_into : Cstruct.t -> input io

    method read : data io =
      let buf = Cstruct.create_unsafe read_size in
      Lwt.bind (self#read_into buf) (function
        | Ok (`Input n) -> Lwt_result.return (`Data (Cstruct.sub buf 0 n))
        | Ok `Eof -> eof
        | Error _ as e -> Lwt.return e)

    method cast : 'a. 'a ty -> 'a option = fun _ -> None
  end

class virtual writer =
  object (self)
    method virtual write : Cstruct.t -> unit io

    method writev bufs : unit io =
      match bufs with
      | [] -> ok
      | buf :: rest -> Lwt_result.bind (self#write buf) (fun () -> self#writev rest)

    method cast : 'a. 'a ty -> 'a option = fun _ -> None
  end

class virtual flow =
  object
    inherit reader
    inherit! writer
  end

(* Opens the row of errors: a coercion, without cost. *)
let read_into (r : #reader) buf =
  (r#read_into buf : input io :> (input, [> `Flow of error ]) Lwt_result.t)

let read (r : #reader) = (r#read : data io :> (data, [> `Flow of error ]) Lwt_result.t)
let write (w : #writer) buf = (w#write buf : unit io :> (unit, [> `Flow of error ]) Lwt_result.t)

let writev (w : #writer) bufs =
  (w#writev bufs : unit io :> (unit, [> `Flow of error ]) Lwt_result.t)

let cast (o : < cast : 'a. 'a ty -> 'a option ; .. >) ty = o#cast ty

let rec copy r w =
  Lwt_result.bind (read r) (function
    | `Eof -> Lwt_result.return ()
    | `Data buf -> Lwt_result.bind (write w buf) (fun () -> copy r w))

type half_close = < flow ; shutdown_send : unit Lwt.t >
type closable = < flow ; close : unit Lwt.t >
type _ ty += Half_close : half_close ty | Closable : closable ty | Nodelay : Flow.nodelay ty

let send_at_once flow =
  match cast flow Nodelay with Some (f : Flow.nodelay) -> f#set_nodelay true | None -> ()

let null : flow =
  object
    inherit flow
    method read_into _ = eof
    method! read = eof
    method write _ = ok
    method! writev _ = ok
  end

let source ?(chunk = max_int) s : reader =
  if chunk < 1 then invalid_arg "Flow_lwt.source: chunk";
  let data = Cstruct.of_string s in
  object
    inherit reader
    val mutable pos = 0

    method read_into buf =
      let n = Int.min (Cstruct.length buf) (Int.min chunk (Cstruct.length data - pos)) in
      if n = 0 then eof
      else begin
        Cstruct.blit data pos buf 0 n;
        pos <- pos + n;
        Lwt_result.return (`Input n)
      end

    method! read =
      let n = Int.min chunk (Cstruct.length data - pos) in
      if n = 0 then eof
      else begin
        let view = Cstruct.sub data pos n in
        pos <- pos + n;
        Lwt_result.return (`Data view)
      end
  end

let sink () : < writer ; contents : string > =
  let out = Buffer.create read_size in
  object
    inherit writer
    method contents = Buffer.contents out

    method write buf =
      Buffer.add_string out (Cstruct.to_string buf);
      ok
  end

let caught f =
  Lwt.catch
    (fun () -> Lwt.map Result.ok (f ()))
    (function Flow.Error e -> Lwt_result.fail (`Flow e) | e -> Lwt.fail e)

(* A change wakes all waiting threads; each checks again. *)
let pipe ?(capacity = 65536) () =
  let open Weir_base in
  if capacity < 1 then invalid_arg "Flow_lwt.pipe: capacity";
  let ring = Byte_ring.create ~capacity () in
  let changed = Lwt_condition.create () and ended = ref false in
  let signal () = Lwt_condition.broadcast changed () in
  let rec fetch buf =
    match Byte_ring.length ring with
    | 0 when !ended -> eof
    | 0 -> Lwt.bind (Lwt_condition.wait changed) (fun () -> fetch buf)
    | length ->
        let n = Int.min length (Cstruct.length buf) in
        let b = Bytes.create n in
        ignore (Byte_ring.read ring b ~off:0 ~len:n : int);
        Cstruct.blit_from_bytes b 0 buf 0 n;
        signal ();
        Lwt_result.return (`Input n)
  in
  let rec store buf =
    if !ended then Lwt_result.fail (`Flow Flow.closed)
    else if Cstruct.is_empty buf then ok
    else
      match Int.min (Cstruct.length buf) (Byte_ring.free ring) with
      | 0 -> Lwt.bind (Lwt_condition.wait changed) (fun () -> store buf)
      | n ->
          Byte_ring.write ring (Cstruct.to_bytes buf ~len:n) ~off:0 ~len:n;
          signal ();
          store (Cstruct.shift buf n)
  in
  let reader =
    object
      inherit reader
      method read_into buf = fetch buf
    end
  in
  let writer =
    object
      inherit writer
      method write buf = store buf
    end
  in
  ( reader,
    writer,
    fun () ->
      ended := true;
      signal () )

let duplex ?capacity () =
  let from_left, to_right, end_left = pipe ?capacity () in
  let from_right, to_left, end_right = pipe ?capacity () in
  let side (r : reader) (w : writer) ended : half_close =
    (object (self)
       inherit flow
       method read_into buf = r#read_into buf
       method write buf = w#write buf

       method shutdown_send =
         ended ();
         Lwt.return_unit

       method! cast : type a. a ty -> a option =
         function Half_close -> Some (self :> half_close) | _ -> None
     end
      :> half_close)
  in
  (side from_right to_right end_left, side from_left to_left end_right)

let of_direct ?switch (f : Flow.flow) ~start : flow =
  let live = ref true in
  Lwt_switch.add_hook switch (fun () ->
      live := false;
      Lwt.return_unit);
  let run f =
    if not !live then Lwt_result.fail (`Flow Flow.closed)
    else
      caught (fun () ->
          let result = ref None in
          Lwt.map (fun () -> Option.get !result) (start (fun () -> result := Some (f ()))))
  in
  let told f =
    Lwt.bind (run f) (function
      | Ok () -> Lwt.return_unit
      | Error (`Flow e) -> Lwt.fail (Flow.Error e))
  in
  (object (self)
     inherit flow

     method read_into buf =
       run (fun () ->
           let b = Bytes.create (Cstruct.length buf) in
           match f#read_into b ~off:0 ~len:(Bytes.length b) with
           | 0 -> `Eof
           | n ->
               Cstruct.blit_from_bytes b 0 buf 0 n;
               `Input n)

     method write buf =
       run (fun () -> f#write (Cstruct.to_bytes buf) ~off:0 ~len:(Cstruct.length buf))

     method shutdown_send =
       told (fun () -> Option.iter (fun f -> f#shutdown_send) (Flow.cast f Flow.Half_close))

     method close = told (fun () -> Option.iter (fun f -> f#close) (Flow.cast f Flow.Closable))

     method! cast : type a. a ty -> a option =
       function
       | Half_close when Option.is_some (Flow.cast f Flow.Half_close) -> Some (self :> half_close)
       | Closable when Option.is_some (Flow.cast f Flow.Closable) -> Some (self :> closable)
       | _ -> None
   end
    :> flow)

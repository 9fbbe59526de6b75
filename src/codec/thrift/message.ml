type kind = Call | Reply | Exception | Oneway
type t = { name : string; kind : kind; seqid : int }

let number = function Call -> 1 | Reply -> 2 | Exception -> 3 | Oneway -> 4

let kind r = function
  | 1 -> Call
  | 2 -> Reply
  | 3 -> Exception
  | 4 -> Oneway
  | _ -> Reader.fail r "no such kind of message"

let write (w : Writer.t) protocol t =
  match protocol with
  | Kind.Compact ->
      Writer.u8 w 0x82;
      Writer.u8 w (1 lor (number t.kind lsl 5));
      Writer.varint w (t.seqid land 0xffff_ffff);
      Writer.string w t.name
  | Kind.Binary ->
      Writer.i32 w (0x8001_0000 lor number t.kind);
      Writer.string w t.name;
      Writer.i32 w t.seqid

let signed n = (n lsl (Sys.int_size - 32)) asr (Sys.int_size - 32)

let read r protocol =
  match protocol with
  | Kind.Compact ->
      if Reader.u8 r <> 0x82 then Reader.fail r "not a compact message";
      let b = Reader.u8 r in
      if b land 0x1f <> 1 then Reader.fail r "another version of the compact protocol";
      let seqid = signed (Reader.varint r) in
      let name = Reader.string r in
      { name; kind = kind r (b lsr 5); seqid }
  | Kind.Binary ->
      let first = Reader.i32 r in
      if first land 0xffff_0000 <> 0x8001_0000 then Reader.fail r "not a strict binary message";
      let name = Reader.string r in
      let seqid = Reader.i32 r in
      { name; kind = kind r (first land 0xff); seqid }

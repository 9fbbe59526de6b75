open Bin_prot.Std

type t = { title : string; pages : int list; author : string option; weight : float }
[@@deriving bin_io, yojson]

let sample n =
  {
    title = String.make (n mod 300) 'x';
    pages = List.init (n mod 17) (fun i -> (i * i * i * n) - 500);
    author = (if n mod 2 = 0 then None else Some "Ada \"A.\" \xc3\xa9");
    weight = float n /. 7.;
  }

(* Every length around the limit, at every place of a word, against Bytes.blit. *)

module Short = Weir_base.Unsafe.Short
module Suite = Weir_test.Suite

let source = Bytes.init 128 (fun i -> Char.chr (i + 1))

let each f =
  for n = 0 to 70 do
    for i = 0 to 8 do
      for j = 0 to 8 do
        f i j n
      done
    done
  done

let same what i j n made =
  let wanted = Bytes.make 100 '.' in
  Bytes.blit source i wanted j n;
  if not (Bytes.equal made wanted) then Alcotest.failf "%s: %d bytes from %d to %d" what n i j

let cases =
  [
    Suite.case "blit" (fun () ->
        each (fun i j n ->
            if n <= Short.limit then (
              let made = Bytes.make 100 '.' in
              Short.blit source i made j n;
              same "blit" i j n made)));
    Suite.case "blit_string" (fun () ->
        each (fun i j n ->
            let made = Bytes.make 100 '.' in
            Short.blit_string (Bytes.sub_string source i (128 - i)) made j n;
            same "blit_string" i j n made));
    Suite.case "copy" (fun () ->
        each (fun i j n ->
            let made = Bytes.make 100 '.' in
            Short.copy source i made j n;
            same "copy" i j n made));
    Suite.case "sub" (fun () ->
        each (fun i _ n ->
            Alcotest.(check string) "sub" (Bytes.sub_string source i n) (Short.sub source i n)));
  ]

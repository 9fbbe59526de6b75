let longest = 262_144
let link_user0 = 147

let header =
  let b = Bytes.make 24 '\000' in
  Bytes.set_int32_le b 0 0xa1b23c4dl (* nanosecond stamps *);
  Bytes.set_uint16_le b 4 2;
  Bytes.set_uint16_le b 6 4;
  Bytes.set_int32_le b 16 (Int32.of_int (longest + 1));
  Bytes.set_int32_le b 20 (Int32.of_int link_user0);
  b

let rec note ~now (record : Flow.writer) direction bytes ~off ~len =
  let n = Int.min len longest in
  let h = Bytes.create 17 in
  let t = now () in
  Bytes.set_int32_le h 0 (Int32.of_int (t / 1_000_000_000));
  Bytes.set_int32_le h 4 (Int32.of_int (t mod 1_000_000_000));
  Bytes.set_int32_le h 8 (Int32.of_int (n + 1));
  Bytes.set_int32_le h 12 (Int32.of_int (n + 1));
  Bytes.set_uint8 h 16 direction;
  record#writev [ { bytes = h; off = 0; len = 17 }; { bytes; off; len = n } ];
  if len > n then note ~now record direction bytes ~off:(off + n) ~len:(len - n)

let wrap ~now ~record (f : #Flow.flow) : Flow.flow =
  let record = (record :> Flow.writer) in
  record#write header ~off:0 ~len:(Bytes.length header);
  object
    inherit Flow.flow

    method read_into b ~off ~len =
      let n = f#read_into b ~off ~len in
      note ~now record 0 b ~off ~len:n;
      n

    method write b ~off ~len =
      f#write b ~off ~len;
      note ~now record 1 b ~off ~len
  end

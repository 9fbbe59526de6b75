(* One value that sets every field of sample.proto. *)

open Sample_pb

let ada =
  Person.make ~name:"Ada" ~id:1815 ~email:""
    ~phones:
      [
        Person.Phone_number.make ~number:"+44 1" ~type_:Person.Phone_type.Home ();
        Person.Phone_number.make ~number:"" ~type_:(Person.Phone_type.Unrecognized 77) ();
      ]
    ~origin:(Person.Imported_from "letters")
    ~scores:[ ("logic", 0.1); ("tact", -3e300) ]
    ~deltas:[ 0L; -1L; Int64.max_int; Int64.min_int ]
    ~last_updated:
      (Weir_protobuf_types.Timestamp_pb.Timestamp.make ~seconds:1_000_000_000L ~nanos:5_000_000 ())
    ()

let book =
  Address_book.make
    ~people:[ ada; Person.make ~name:"Zoë" ~id:(-7) ~origin:(Person.Introduced_by ada) () ]
    ()

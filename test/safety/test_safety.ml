(* See the dune file. WEIR_FUZZ is how often each attack is tried. *)

let () =
  Weir_test.Netns.run @@ fun () ->
  Weir_test.Suite.run "safety"
    (List.concat
       [
         Base_attacks.groups;
         Capnp_attacks.groups;
         Device_attacks.groups;
         Flow_attacks.groups;
         Protobuf_attacks.groups;
         Thrift_attacks.groups;
         Xdp_attacks.groups;
       ])

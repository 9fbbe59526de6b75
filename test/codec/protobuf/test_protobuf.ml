(* As a plugin under protoc and as a testee under the conformance runner this
   executable plays those parts. *)
let () =
  match Sys.getenv_opt Generator.role with
  | Some "plugin" -> Weir_protoc.Plugin.main ()
  | Some "testee" -> Testee.main Testee.usual
  | Some "testee with arrays" -> Testee.main Testee.arrays
  | Some _ | None ->
      Weir_test.Suite.run "protobuf"
        [
          ("wire", Wire.cases);
          ("formats", Formats.cases);
          ("json", Json_cases.cases);
          ("json=fast", Fast_json.cases);
          ("unknown fields", Unknown.cases);
          ("hostile", Fuzz.cases);
          ("arrays", Arrays.cases);
          ("number lists", Number_lists.cases);
          ("memory", Memory.cases);
          ("memory of text and JSON", Hostile.cases);
          ("honest messages", Honest.cases);
          ("generator", Generator.cases);
          ("generated code", Goldens.cases);
          ("names", Nasty.cases);
          ("folders", Folders.cases);
          ("editions", Editions.cases);
          ("large schemas", Large.cases);
          ("conformance", Runner.cases);
        ]

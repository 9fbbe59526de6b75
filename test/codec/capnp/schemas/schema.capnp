# What `capnp compile` sends to a plugin on standard input. The ids, ordinals and types are fixed
# by the Cap'n Proto format; the words are ours. schema_capnp.ml is generated from this file by
# capnpc-weir itself.

@0xa93fc509624c72d9;

struct Node @0xe682ab4cf923a417 {
  # A declaration: a file, struct, group, enum, interface, constant or annotation.

  id @0 :UInt64;
  displayName @1 :Text;
  displayNamePrefixLength @2 :UInt32;
  scopeId @3 :UInt64;
  parameters @32 :List(Parameter);
  isGeneric @33 :Bool;
  nestedNodes @4 :List(NestedNode);
  annotations @5 :List(Annotation);

  struct Parameter @0xb9521bccf10fa3b1 {
    name @0 :Text;
  }

  struct NestedNode @0xdebf55bbfa0fc242 {
    name @0 :Text;
    id @1 :UInt64;
  }

  struct SourceInfo @0xf38e1de3041357ae {
    # The comments of one node.

    id @0 :UInt64;
    docComment @1 :Text;
    members @2 :List(Member);
    # In the order of the node's fields, enumerants or methods.

    struct Member @0xc2ba9038898e1fa2 {
      docComment @0 :Text;
    }
  }

  union {
    file @6 :Void;
    struct :group {
      dataWordCount @7 :UInt16;
      pointerCount @8 :UInt16;
      preferredListEncoding @9 :ElementSize;
      isGroup @10 :Bool;
      discriminantCount @11 :UInt16;
      discriminantOffset @12 :UInt32;
      # In units of 16 bits.
      fields @13 :List(Field);
    }
    enum :group {
      enumerants @14 :List(Enumerant);
    }
    interface :group {
      methods @15 :List(Method);
      superclasses @31 :List(Superclass);
    }
    const :group {
      type @16 :Type;
      value @17 :Value;
    }
    annotation :group {
      type @18 :Type;
      targetsFile @19 :Bool;
      targetsConst @20 :Bool;
      targetsEnum @21 :Bool;
      targetsEnumerant @22 :Bool;
      targetsStruct @23 :Bool;
      targetsField @24 :Bool;
      targetsUnion @25 :Bool;
      targetsGroup @26 :Bool;
      targetsInterface @27 :Bool;
      targetsMethod @28 :Bool;
      targetsParam @29 :Bool;
      targetsAnnotation @30 :Bool;
    }
  }
}

struct Field @0x9aad50a41f4af45f {
  name @0 :Text;
  codeOrder @1 :UInt16;
  annotations @2 :List(Annotation);
  discriminantValue @3 :UInt16 = 0xffff;
  # 0xffff outside a union.

  union {
    slot :group {
      offset @4 :UInt32;
      # In units of the field's own size.
      type @5 :Type;
      defaultValue @6 :Value;
      hadExplicitDefault @10 :Bool;
    }
    group :group {
      typeId @7 :UInt64;
    }
  }
  ordinal :union {
    implicit @8 :Void;
    explicit @9 :UInt16;
  }
}

struct Enumerant @0x978a7cebdc549a4d {
  name @0 :Text;
  codeOrder @1 :UInt16;
  annotations @2 :List(Annotation);
}

struct Superclass @0xa9962a9ed0a4d7f8 {
  id @0 :UInt64;
  brand @1 :Brand;
}

struct Method @0x9500cce23b334d80 {
  name @0 :Text;
  codeOrder @1 :UInt16;
  implicitParameters @7 :List(Node.Parameter);
  paramStructType @2 :UInt64;
  paramBrand @5 :Brand;
  resultStructType @3 :UInt64;
  resultBrand @6 :Brand;
  annotations @4 :List(Annotation);
}

struct Type @0xd07378ede1f9cc60 {
  union {
    void @0 :Void;
    bool @1 :Void;
    int8 @2 :Void;
    int16 @3 :Void;
    int32 @4 :Void;
    int64 @5 :Void;
    uint8 @6 :Void;
    uint16 @7 :Void;
    uint32 @8 :Void;
    uint64 @9 :Void;
    float32 @10 :Void;
    float64 @11 :Void;
    text @12 :Void;
    data @13 :Void;
    list :group {
      elementType @14 :Type;
    }
    enum :group {
      typeId @15 :UInt64;
      brand @21 :Brand;
    }
    struct :group {
      typeId @16 :UInt64;
      brand @22 :Brand;
    }
    interface :group {
      typeId @17 :UInt64;
      brand @23 :Brand;
    }
    anyPointer :union {
      unconstrained :union {
        anyKind @18 :Void;
        struct @25 :Void;
        list @26 :Void;
        capability @27 :Void;
      }
      parameter :group {
        scopeId @19 :UInt64;
        parameterIndex @20 :UInt16;
      }
      implicitMethodParameter :group {
        parameterIndex @24 :UInt16;
      }
    }
  }
}

struct Brand @0x903455f06065422b {
  # What the parameters of a generic type are bound to.

  scopes @0 :List(Scope);

  struct Scope @0xabd73485a9636bc9 {
    scopeId @0 :UInt64;
    union {
      bind @1 :List(Binding);
      inherit @2 :Void;
    }
  }

  struct Binding @0xc863cd16969ee7fc {
    union {
      unbound @0 :Void;
      type @1 :Type;
    }
  }
}

struct Value @0xce23dcd2d7b00c9b {
  union {
    void @0 :Void;
    bool @1 :Bool;
    int8 @2 :Int8;
    int16 @3 :Int16;
    int32 @4 :Int32;
    int64 @5 :Int64;
    uint8 @6 :UInt8;
    uint16 @7 :UInt16;
    uint32 @8 :UInt32;
    uint64 @9 :UInt64;
    float32 @10 :Float32;
    float64 @11 :Float64;
    text @12 :Text;
    data @13 :Data;
    list @14 :AnyPointer;
    enum @15 :UInt16;
    struct @16 :AnyPointer;
    interface @17 :Void;
    anyPointer @18 :AnyPointer;
  }
}

struct Annotation @0xf1c8950dab257542 {
  # The use of an annotation.

  id @0 :UInt64;
  brand @2 :Brand;
  value @1 :Value;
}

enum ElementSize @0xd1958f7dba521926 {
  empty @0;
  bit @1;
  byte @2;
  twoBytes @3;
  fourBytes @4;
  eightBytes @5;
  pointer @6;
  inlineComposite @7;
}

struct CapnpVersion @0xd85d305b7d839963 {
  major @0 :UInt16;
  minor @1 :UInt8;
  micro @2 :UInt8;
}

struct CodeGeneratorRequest @0xbfc546f6210ad7ce {
  capnpVersion @2 :CapnpVersion;
  nodes @0 :List(Node);
  # The files asked for and all that they import.
  sourceInfo @3 :List(Node.SourceInfo);
  requestedFiles @1 :List(RequestedFile);

  struct RequestedFile @0xcfea0eb02e810062 {
    id @0 :UInt64;
    filename @1 :Text;
    imports @2 :List(Import);

    struct Import @0xae504193122357e5 {
      id @0 :UInt64;
      name @1 :Text;
    }
  }
}

"""Apache Thrift's side of the interop tests: peer.py GENERATED PROTOCOL ACTION ARGUMENTS.

again MODULE.STRUCT...   decodes the frames on standard input, one a struct, and encodes them again
defaults MODULE.STRUCT...   encodes one of each as a frame, its fields as they are when absent
serve                 answers the framed call on standard input
call METHOD ARGS...   prints the framed call; result METHOD reads the framed reply, prints the result
"""
import sys

generated, protocol, action = sys.argv[1:4]
rest = sys.argv[4:]
sys.path.insert(0, generated)
import importlib
from thrift.protocol import TBinaryProtocol, TCompactProtocol
from thrift.transport import TTransport

kind = {"binary": TBinaryProtocol.TBinaryProtocol, "compact": TCompactProtocol.TCompactProtocol}[protocol]
data = sys.stdin.buffer.read() if action in ("again", "serve", "result") else b""


def out(b):
    sys.stdout.buffer.write(b)


def framed(buffer):
    return TTransport.TFramedTransport(buffer)


if action == "again":
    for name in rest:
        size = int.from_bytes(data[:4], "big")
        one, data = data[4 : 4 + size], data[4 + size :]
        module, struct = name.split(".")
        # The class's methods: a field may be called read.
        cls = getattr(importlib.import_module(module + ".ttypes"), struct)
        source = TTransport.TMemoryBuffer(one)
        if issubclass(cls, Exception):
            value = cls.read(kind(source))
        else:
            value = cls()
            cls.read(value, kind(source))
        assert source.cstringio_buf.read() == b"", "bytes are left"
        cls.validate(value)
        sink = TTransport.TMemoryBuffer()
        cls.write(value, kind(sink))
        out(len(sink.getvalue()).to_bytes(4, "big") + sink.getvalue())
elif action == "defaults":
    for name in rest:
        module, struct = name.split(".")
        sink = TTransport.TMemoryBuffer()
        getattr(importlib.import_module(module + ".ttypes"), struct)().write(kind(sink))
        out(len(sink.getvalue()).to_bytes(4, "big") + sink.getvalue())
else:
    from kinds import Calculator
    from kinds.ttypes import Shape
    from shared.ttypes import Trouble, Point

    class Handler:
        def name(self):
            return "python"

        def add(self, left, right):
            return left + right

        def divide(self, by):
            if by == 0:
                raise Trouble(why="by zero", code=7)
            return 100 // by

        def reset(self):
            pass

        def hint(self, text):
            pass

        def shape(self, tree):
            return Shape(corner=Point(x=tree.value, y=len(tree.children)))

    if action == "serve":
        sink = TTransport.TMemoryBuffer()
        Calculator.Processor(Handler()).process(kind(framed(TTransport.TMemoryBuffer(data))), kind(framed(sink)))
        out(sink.getvalue())
    elif action == "call":
        sink = TTransport.TMemoryBuffer()
        client = Calculator.Client(kind(framed(sink)))
        getattr(client, "send_" + rest[0])(*[int(a) if a.lstrip("-").isdigit() else a for a in rest[1:]])
        out(sink.getvalue())
    else:
        client = Calculator.Client(kind(framed(TTransport.TMemoryBuffer(data))))
        try:
            print(getattr(client, "recv_" + rest[0])())
        except Exception as e:
            print(type(e).__name__, getattr(e, "why", None) or getattr(e, "message", None))

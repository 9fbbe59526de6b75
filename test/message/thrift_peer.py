"""Apache Thrift over sockets, framed: thrift_peer.py GENERATED PROTOCOL server | client PORT.

The server prints its port, answers one connection and ends. The client calls everything and prints
what it got, a line a call.
"""
import socket, sys

generated, protocol, role = sys.argv[1:4]
sys.path.insert(0, generated)
from thrift.protocol import TBinaryProtocol, TCompactProtocol
from thrift.transport import TTransport, TSocket
from thrift.Thrift import TApplicationException
from kinds import Calculator
from kinds.ttypes import Shape, Tree
from shared.ttypes import Trouble, Point

factory = {"binary": TBinaryProtocol.TBinaryProtocolFactory, "compact": TCompactProtocol.TCompactProtocolFactory}[protocol]()


class Handler:
    hinted = ""

    def name(self):
        return "python " + self.hinted

    def add(self, left, right):
        return left + right

    def divide(self, by):
        if by == 0:
            raise Trouble(why="by zero", code=7)
        return 100 // by

    def reset(self):
        raise RuntimeError("cannot")

    def hint(self, text):
        self.hinted = text

    def shape(self, tree):
        return Shape(corner=Point(x=tree.value, y=len(tree.children)))


if role == "server":
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    connection, _ = listener.accept()
    inner = TSocket.TSocket()
    inner.setHandle(connection)
    framed = TTransport.TFramedTransport(inner)
    proto = factory.getProtocol(framed)
    processor = Calculator.Processor(Handler())
    try:
        while True:
            processor.process(proto, proto)
    except TTransport.TTransportException:
        pass
else:
    transport = TTransport.TFramedTransport(TSocket.TSocket("127.0.0.1", int(sys.argv[4])))
    client = Calculator.Client(factory.getProtocol(transport))
    transport.open()

    def call(f, *args):
        try:
            print(f(*args))
        except Trouble as e:
            print("Trouble", e.why, e.code)
        except TApplicationException as e:
            print("Application", e.type, e.message)

    call(client.add, 2, 3)
    call(client.divide, 0)
    call(client.hint, "x" * 100000)
    call(client.name)
    call(client.reset)
    for i in range(200):
        assert client.add(i, i) == 2 * i
    call(client.divide, 7)
    transport.close()

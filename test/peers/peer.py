"""Kernel peers for the tests, one subcommand each. All end by themselves."""

import errno
import hashlib
import random
import socket
import struct
import sys
import threading

SECONDS = 40


def say(*words):
    print(*words, flush=True)


def receive(s):
    """Hash what comes until its end."""
    digest, count, room = hashlib.md5(), 0, bytearray(1 << 18)
    while True:
        n = s.recv_into(room)
        if n == 0:
            break
        digest.update(memoryview(room)[:n])
        count += n
    say("received", digest.hexdigest(), count)


def send(s, path):
    with open(path, "rb") as f:
        while piece := f.read(1 << 18):
            s.sendall(piece)
    s.shutdown(socket.SHUT_WR)


def exchange(s, path):
    """Receive, then send the file."""
    s.settimeout(SECONDS)
    receive(s)
    send(s, path)
    s.recv(1)  # until the peer closes
    s.close()
    say("done")


def family(address):
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def listener(address, port):
    s = socket.socket(family(address))
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((address, int(port)))
    s.listen(16)
    s.settimeout(SECONDS)
    say("ready")
    return s


def tcp_listen(address, port, path):
    exchange(listener(address, port).accept()[0], path)


def tcp_connect(address, port, path):
    exchange(socket.create_connection((address, int(port)), SECONDS), path)


def tcp_ask(address, port, path):
    """The other side of an exchange."""
    s = socket.create_connection((address, int(port)), SECONDS)
    s.settimeout(SECONDS)
    send(s, path)
    receive(s)
    s.close()


def outcome(f):
    """How a blocking call ended: a number of bytes, or the error's name."""
    try:
        return f()
    except OSError as e:
        return errno.errorcode.get(e.errno, type(e).__name__)


def tcp_refused(address, port):
    say(outcome(lambda: socket.create_connection((address, int(port)), 5)))


def udp_refused(address, port):
    s = socket.socket(family(address), socket.SOCK_DGRAM)
    s.settimeout(5)
    s.connect((address, int(port)))
    s.send(b"anyone?")
    say(outcome(lambda: s.recv(10)))


def udp_echo(address, port):
    s = socket.socket(family(address), socket.SOCK_DGRAM)
    s.settimeout(SECONDS)
    s.bind((address, int(port)))
    say("ready")
    while True:
        data, peer = s.recvfrom(65535)
        s.sendto(data, peer)


def udp_ask(address, port, *sizes):
    s = socket.socket(family(address), socket.SOCK_DGRAM)
    s.settimeout(5)
    s.connect((address, int(port)))
    for size in map(int, sizes):
        data = random.Random(size).randbytes(size)
        s.send(data)
        got = s.recv(65535)
        if got != data:
            say("size", size, "came back as", len(got))
            sys.exit(1)
    say("ok", len(sizes))


def group_socket(group, interface):
    """A socket of the group's family, and what names the interface and the group to the kernel."""
    index = socket.if_nametoindex(interface)
    s = socket.socket(family(group), socket.SOCK_DGRAM)
    s.settimeout(SECONDS)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if ":" in group:
        s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
        return s, socket.inet_pton(socket.AF_INET6, group) + struct.pack("@I", index)
    request = struct.pack("@4s4si", socket.inet_aton(group), b"\0" * 4, index)
    s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, request)
    return s, request


def group_send(group, interface, port, *texts):
    s, _ = group_socket(group, interface)
    for text in texts:
        s.sendto(text.encode(), (group, int(port)))


def group_listen(group, interface, port):
    """What the first datagram says, and who sent it."""
    s, request = group_socket(group, interface)
    s.bind(("", int(port)))
    if ":" in group:
        s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, request)
    else:
        s.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, request)
    say("ready")
    text, sender = s.recvfrom(65536)
    say(text.decode(), "from", sender[0])


def http_hold(address, port, count):
    """Keep connections open after an answer each; tell how each then ends."""
    held = []
    for _ in range(int(count)):
        s = socket.create_connection((address, int(port)), 5)
        s.sendall(b"GET /one HTTP/1.1\r\nHost: x\r\n\r\n")
        head = s.recv(65536)
        while b"\r\n\r\n" not in head:
            head += s.recv(65536)
        held.append(s)
    say("holding")
    ends = []
    for s in held:
        s.settimeout(SECONDS)
        n = outcome(lambda: len(s.recv(65536)))
        ends.append("FIN" if n == 0 else str(n))
    say("ends", *sorted(set(ends)), len(ends))


def http_stall(address, port, path):
    """Ask for a large file and never read it."""
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    s.connect((address, int(port)))
    s.sendall(b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % path.encode())
    say("stalled")
    threading.Event().wait(SECONDS)


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return 0xFFFF - total


def raw(interface):
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
    s.bind((interface, 0))
    return s


def send_frame(s, frame):
    try:
        s.send(frame)
    except OSError as e:
        if e.errno not in (errno.ENOBUFS, errno.EMSGSIZE, errno.EINVAL):
            raise


def tcp_frame(dst_mac, src_mac, src, dst, sport, dport, seq, ack, flags, payload=b""):
    tcp = struct.pack("!HHIIBBHHH", sport, dport, seq, ack, 5 << 4, flags, 65535, 0, 0) + payload
    pseudo = socket.inet_aton(src) + socket.inet_aton(dst) + struct.pack("!BBH", 0, 6, len(tcp))
    tcp = tcp[:16] + struct.pack("!H", checksum(pseudo + tcp)) + tcp[18:]
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(tcp), 1, 0, 64, 6, 0,
                     socket.inet_aton(src), socket.inet_aton(dst))
    ip = ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:]
    return dst_mac + src_mac + b"\x08\x00" + ip + tcp


def capture_seeds(s, wanted):
    """Real frames of the traffic under way, to be mutated."""
    seeds = []
    s.settimeout(5)
    while len(seeds) < wanted:
        try:
            seeds.append(s.recv(65535))
        except TimeoutError:
            break
    return seeds


def storm(interface, mac, address, port, count):
    """Random frames, and mutations of real ones, at a host that is in use."""
    rng, s = random.Random(7), raw(interface)
    dst, src = bytes.fromhex(mac.replace(":", "")), s.getsockname()[4]
    listen = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    listen.bind((interface, 0))
    asker = threading.Thread(target=lambda: socket.create_connection((address, int(port)), 5))
    asker.start()
    seeds = [f for f in capture_seeds(listen, 4) if f[:6] == dst] or [dst + src + bytes(60)]
    asker.join()
    listen.close()
    seeds += [tcp_frame(dst, src, "10.0.0.1", address, 999, int(port), 1, 1, f) for f in range(64)]
    seeds += [dst + src + b"\x08\x06" + bytes.fromhex("0001080006040001") + src
              + socket.inet_aton("10.0.0.1") + bytes(6) + socket.inet_aton(address)]
    for i in range(int(count)):
        if i % 4 == 0:
            kind = rng.choice((b"\x08\x00", b"\x08\x06", b"\x86\xdd", rng.randbytes(2)))
            frame = dst + src + kind + rng.randbytes(rng.randrange(0, 1500))
        else:
            frame = bytearray(rng.choice(seeds))
            for _ in range(rng.randrange(1, 5)):
                frame[rng.randrange(12, len(frame))] = rng.randrange(256)
            if i % 4 == 1:
                frame = frame[:rng.randrange(14, len(frame) + 1)]
            elif i % 4 == 2:
                # With its header sum right again, so that it gets further in.
                frame[24:26] = b"\0\0"
                frame[24:26] = struct.pack("!H", checksum(bytes(frame[14:34])))
        if frame[12:14] == b"\x08\x06" and frame[28:32] == socket.inet_aton("10.0.0.1"):
            # ARP has no authentication: a false claim to our address would be
            # believed, here as elsewhere, for a minute.
            frame = frame[:22] + src + frame[28:]
        send_frame(s, bytes(frame))
    say("sent", count)


def syn_flood(interface, mac, address, port, count):
    """SYNs from made-up addresses, which nobody answers for."""
    rng, s = random.Random(8), raw(interface)
    dst, src = bytes.fromhex(mac.replace(":", "")), s.getsockname()[4]
    for _ in range(int(count)):
        made_up = "10.0.0.%d" % rng.randrange(20, 250)
        send_frame(s, tcp_frame(dst, src, made_up, address, rng.randrange(1024, 65536),
                                int(port), rng.randrange(1 << 32), 0, 2))
    say("sent", count)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])

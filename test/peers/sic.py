"""sic.py LAYERS INTERFACE MAC ADDRESS ADDRESS6 PORT SECONDS: packets of scapy's fuzz() at one host,
which checks what a host does with headers that no one would send. LAYERS, with commas between them,
are ip, icmp, tcp, udp, ether, and the same for IPv6 (ip6, icmp6, tcp6, udp6); they are the seed.
Prints "ready", and at the end how many packets left."""

import random
import socket
import sys
import time

from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption
from scapy.layers.inet6 import (
    ICMPv6DestUnreach, ICMPv6EchoRequest, ICMPv6MLQuery2, ICMPv6ND_NA, ICMPv6ND_NS, ICMPv6ND_RA,
    ICMPv6ND_Redirect, ICMPv6PacketTooBig, ICMPv6ParamProblem, IPv6, IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment, IPv6ExtHdrHopByHop, IPv6ExtHdrRouting)
from scapy.layers.l2 import Ether
from scapy.packet import Raw, fuzz, raw

layers, interface, mac, address4, address6, port, seconds = sys.argv[1:]
port, seconds = int(port), float(seconds)
random.seed(layers)
chance = random.random


def choose():
    """The layer of the next packet."""
    global layer, family, address
    layer = random.choice(layers.split(","))
    family = 6 if layer.endswith("6") else 4
    address = address6 if family == 6 else address4


def source():
    """Mostly made up, sometimes the neighbour that has connections open."""
    if family == 4:
        return "10.0.0.1" if chance() < 0.5 else socket.inet_ntoa(random.randbytes(4))
    return "fd00::1" if chance() < 0.5 else socket.inet_ntop(socket.AF_INET6, random.randbytes(16))


def ip():
    plain = IP(src=source(), dst=address) if family == 4 else IPv6(src=source(), dst=address)
    if chance() < 0.5:
        return plain
    p = fuzz(plain)
    p.dst = address
    if chance() < 0.8:
        p.version = family
        if family == 4:
            p.ihl = None
            p.len = None
    if family == 4 and chance() < 0.3:
        p.options = [IPOption(random.randbytes(random.randint(1, 40)))]
    return p


def extensions(p):
    kinds = [IPv6ExtHdrHopByHop, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment, IPv6ExtHdrRouting]
    while family == 6 and chance() < 0.3:
        p = p / fuzz(random.choice(kinds)())
    return p


def payload():
    return Raw(random.randbytes(random.choice([0, 1, 7, 8, 40, 600, 1_300])))


def ports(p):
    if chance() < 0.7:
        p.dport = port
    return p


icmp6 = [
    ICMPv6DestUnreach, ICMPv6EchoRequest, ICMPv6MLQuery2, ICMPv6ND_NA, ICMPv6ND_NS, ICMPv6ND_RA,
    ICMPv6ND_Redirect, ICMPv6PacketTooBig, ICMPv6ParamProblem]


def packet():
    kind = layer.rstrip("6")
    if kind == "ip":
        return extensions(ip()) / payload()
    if kind == "icmp":
        about = Raw(raw(ip() / ports(fuzz(TCP())))[:random.randint(0, 120)])
        if family == 6:
            p = IPv6(src=source(), dst=address, hlim=random.choice([255, 255, 64]))
            return p / fuzz(random.choice(icmp6)()) / about
        return ip() / fuzz(ICMP()) / about
    if kind == "tcp":
        return extensions(ip()) / ports(fuzz(TCP())) / payload()
    if kind == "udp":
        return extensions(ip()) / ports(fuzz(UDP())) / payload()
    return payload()


def frame():
    choose()
    if layer == "ether":
        f = Ether(dst=mac, src=random.randbytes(6).hex(":"), type=random.randrange(65_536))
        if chance() < 0.5:
            f.type = random.choice([0x800, 0x806, 0x86DD, 0x8100])
        return raw(f / payload())
    kind = 0x800 if family == 4 else 0x86DD
    return raw(Ether(dst=mac, src="02:00:00:00:00:99", type=kind) / packet())


out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
out.bind((interface, 0))
print("ready", flush=True)
until = time.monotonic() + seconds
made, sent, full, refused = [], 0, 0, 0


def changed(f):
    b = bytearray(f)
    for _ in range(random.randint(1, 8)):
        b[random.randrange(14, len(b)) if len(b) > 14 else 0] = random.randrange(256)
    return b


def send(f):
    global sent, full
    try:
        out.send(f)
        sent += 1
    except OSError:
        full += 1


# Making a frame takes a hundred times as long as sending it: each is followed by many of those made
# before, half of them with some bytes changed.
while time.monotonic() < until:
    try:
        made.append(frame()[:1_514])
    except Exception:  # A random field that scapy itself cannot write.
        refused += 1
        continue
    send(made[-1])
    for f in random.choices(made, k=64):
        send(f)
        send(changed(f))
print(
    f"{sent} packets, {full} for which there was no room; {len(made)} different, "
    f"{refused} not written")

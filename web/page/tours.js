// Tours: moments of plays, each found by what happens, with a sentence.
const firstPacket = (p, test, after = 0) => { const x = p.packets.find((x) => x.at >= after && test(x)); return x ? x.at : NaN; };
const server = (p) => p.hosts.indexOf("server"), client = (p) => p.hosts.indexOf("client");
const firstState = (p, host, test, after = 0) => { const x = (p.samples[host] || []).find((x) => x.at >= after && test(x)); return x ? x.at : NaN; };
const done = (p) => { const x = p.packets.find((x) => /FIN/.test(x.flags)); return x ? x.at : p.end; };
const firstData = (p) => firstPacket(p, (x) => x.kind === "data");
const lostData = (p) => firstPacket(p, (x) => x.kind === "data" && x.lost);
const count = (p, test) => p.packets.filter(test).length;
const s3 = (ns) => (ns / 1e9).toFixed(2) + " s";

const TOURS = [
  { name: "What slow start is", settings: { delay: 30, rate: 10, queue: 64, bytes: 600000 }, moments: [
    [(p) => firstPacket(p, (x) => /SYN/.test(x.flags)), () => "The client opens the connection with a SYN. Nobody knows yet how much the path can carry."],
    [(p) => firstData(p) + 2e7, () => "The client may send ten segments at once: its initial window (RFC 6928). Weir paces them, so they leave spread over a part of the round trip."],
    [(p) => firstState(p, client(p), (x) => x.cwnd >= 15 * x.mss), () => "Each ACK lets the window grow by what it acknowledges. So cwnd doubles in each round trip: look at the blue line."],
    [(p) => firstState(p, client(p), (x) => x.cwnd >= 40 * x.mss), () => "Two round trips later, forty segments are on their way. This is slow start: slow only in its first moment."],
    [(p) => firstState(p, client(p), (x) => x.ssthresh >= 0), () => "Slow start ends here. A threshold is set, the violet line: the queue was growing or a packet was lost, and from now on the window grows gently."],
    [(p) => done(p), (p) => "All bytes are there after " + s3(done(p)) + "."],
  ] },
  { name: "What SACK saves", settings: { loss: 3, bytes: 300000, seed: 5 }, moments: [
    [(p) => lostData(p), () => "A data segment is lost, one of several that will be. Both ends use SACK."],
    [(p) => firstPacket(p, (x) => x.kind === "again", lostData(p)), () => "The ACKs say which later segments arrived. So the client sends exactly what is missing, and goes on sending new data."],
    [(p) => done(p), (p) => "With SACK the transfer takes " + s3(done(p)) + " and " + count(p, (x) => x.kind === "again") + " retransmissions."],
    [(p) => firstPacket(p, (x) => x.kind === "again", lostData(p)), () => "The same seed without SACK: the ACKs only repeat a number. The client learns of one hole in each round trip.", { "client.sack": 0, "server.sack": 0 }],
    [(p) => done(p), (p) => "Without SACK it takes " + s3(done(p)) + ", with " + count(p, (x) => x.kind === "again") + " retransmissions.", { "client.sack": 0, "server.sack": 0 }],
  ] },
  { name: "Why a short segment waits", settings: { scenario: "short", delay: 5 }, moments: [
    [(p) => firstData(p) + 5e5, () => "The client writes a header of 40 bytes, which leaves at once, as nothing else is on the way."],
    [(p) => firstState(p, client(p), (x) => x.unsent > 0) + 1e5, () => "A millisecond later it writes a body of 200 bytes. They wait: Nagle's algorithm lets no short segment leave while data are unacknowledged."],
    [(p) => firstState(p, server(p), (x) => x.timers.some(([n]) => n === "delayed ACK")) + 1e7, () => "The server has the header but no answer yet, so it delays its ACK for up to 40 ms. Now both wait for each other."],
    [(p) => firstPacket(p, (x) => x.kind === "data" && x.length > 200) + 1e6, () => "The delayed ACK came at last, and the body leaves. Eight requests of this kind take " + "so long because of two good ideas that do not fit together."],
    [(p) => done(p), (p) => "With Nagle's algorithm the eight requests take " + s3(done(p)) + "."],
    [(p) => done(p), (p) => "Without it (TCP_NODELAY) they take " + s3(done(p)) + ".", { "client.nagle": 0 }],
  ] },
  { name: "What a black hole does", settings: { mtu: 1000, silent: 1, bytes: 150000 }, moments: [
    [(p) => firstPacket(p, (x) => /SYN/.test(x.flags)), () => "The middle link carries packets of at most 1000 bytes, and drops longer ones without telling anybody. The handshake is short, so it passes."],
    [(p) => firstPacket(p, (x) => x.legs.some((l) => l[5] === "too long")) + 1e6, () => "The first full segments have 1514 bytes, and vanish. Nothing tells the client why."],
    [(p) => firstState(p, client(p), (x) => x.recovery === "after a timeout"), () => "No ACK comes, so the retransmission timer expires. cwnd falls to one segment."],
    [(p) => firstPacket(p, (x) => x.kind === "again" && x.length < 1014 && x.length > 500), () => "After losses of that length only, the client suspects the path and tries shorter segments (RFC 4821). These arrive."],
    [(p) => done(p), (p) => "All bytes are there after " + s3(done(p)) + ". A router that reports the MTU would have saved most of it: clear the box “Black hole”."],
  ] },
];

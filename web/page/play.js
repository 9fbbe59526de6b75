// A play as the machine gives it, with what the page looks up.
function readPlay(text, s) {
  const o = JSON.parse(text);
  if (o.error) throw new Error(o.error);
  const packets = o.packets.map(([at, kind, flags, marked, length, legs], i) => ({ n: i + 1, at, kind, flags, marked, length, legs, lost: legs.some((l) => l[4] < 0 && l[5]) }));
  const samples = o.hosts.map(() => []);
  for (const [host, at, state, cwnd, ssthresh, flight, peer, unsent, acked, received, unread, mss, srtt, rto, recovery, again, timers] of o.samples)
    samples[host].push({ at, state, cwnd, ssthresh, flight, peer, unsent, acked, received, unread, mss, srtt, rto, recovery, again, timers });
  const ours = isOurs(s);
  const play = { ...o, packets, samples, ours, delay: ours ? Math.max(s.delay, s.back ? s["back.delay"] : 0) * 1e6 : 1e6 };
  const cables = new Map();
  for (const p of packets) for (const [from, to] of p.legs) if (from >= 0 && to >= 0 && from !== to) cables.set(Math.min(from, to) + "-" + Math.max(from, to), [Math.min(from, to), Math.max(from, to)]);
  play.cables = [...cables.values()];
  play.legs = makeLegs(play);
  // Scenarios may wait for connections to end, long after the last packet.
  const lastArrival = packets.reduce((m, p) => Math.max(m, p.at, ...p.legs.map((l) => l[4])), 0);
  play.end = Math.min(o.finish, lastArrival + 1e8);
  play.indexAt = (host, t) => {
    const list = samples[host] || [];
    let low = 0, high = list.length;
    while (low < high) { const mid = (low + high) >> 1; if (list[mid].at <= t) low = mid + 1; else high = mid; }
    return low - 1;
  };
  play.stateAt = (host, t) => (samples[host] || [])[play.indexAt(host, t)] || null;
  play.sides = HOSTS.map((name) => o.hosts.indexOf(name)).filter((i) => i >= 0);
  play.transitions = samples.map((list) => {
    const found = [];
    for (const x of list) {
      const what = x.state + (x.recovery ? ", " + x.recovery : "");
      if (!found.length || found[found.length - 1].what !== what) found.push({ at: x.at, what });
    }
    return found;
  });
  const moments = new Set([0]);
  for (const p of packets) for (const l of p.legs) { moments.add(l[2]); if (l[4] >= 0) moments.add(l[4]); }
  for (const list of samples) for (const x of list) moments.add(x.at);
  play.moments = Float64Array.from(moments).sort();
  return play;
}

// The rate at which a count of bytes grows, over a fortieth of the run.
function goodput(list, end, count) {
  const span = Math.max(end / 40, 1e6);
  let first = 0;
  return list.map((x) => {
    while (list[first].at < x.at - span) first++;
    return ((count(x) - count(list[first])) * 8) / (span / 1e9) / 1e6;
  });
}
const seconds = (ns) => (ns / 1e9).toFixed(6) + " s";
const milliseconds = (ns) => (ns < 0 ? "-" : (ns / 1e6).toFixed(1) + " ms");

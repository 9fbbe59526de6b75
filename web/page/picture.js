// The picture of the network at one moment.
const KINDS = [["data", "data"], ["ack", "ACK"], ["again", "retransmission"], ["lost", "lost"], ["marked", "marked (ECN)"], ["control", "SYN, FIN, RST"], ["other", "other"]];
const FATES_AT_QUEUE = ["no room", "too long", "cut", "partitioned"];

const colours = () => {
  const style = getComputedStyle(document.documentElement), all = {};
  for (const n of ["bg", "fg", "dim", "line", "panel", "accent", "data", "ack", "again", "lost", "marked", "control", "other"])
    all[n] = style.getPropertyValue("--" + n).trim();
  return all;
};
const colourOf = (p, c) => (p.marked && p.kind === "data" ? c.marked : c[p.kind]);

// Legs of all packets by when they begin, to find those of a moment.
function makeLegs(play) {
  const legs = [];
  const shown = Math.max(play.delay, play.finish / 400, 1e6);
  for (const p of play.packets)
    for (const [from, to, enter, leave, arrive, fate] of p.legs) {
      const end = arrive >= 0 ? arrive : Math.max(enter, leave) + shown;
      legs.push({ p, from, to, enter, leave, arrive, fate, end });
    }
  legs.sort((a, b) => a.enter - b.enter);
  legs.longest = legs.reduce((m, l) => Math.max(m, l.end - l.enter), 0);
  return legs;
}

function legsAt(legs, t) {
  let low = 0, high = legs.length;
  while (low < high) { const mid = (low + high) >> 1; if (legs[mid].enter < t - legs.longest) low = mid + 1; else high = mid; }
  const found = [];
  for (; low < legs.length && legs[low].enter <= t; low++) if (legs[low].end > t) found.push(legs[low]);
  return found;
}

// Clients to the left, servers to the right, what forwards in the middle.
function layout(hosts, width, height) {
  const column = (name) => (name === "server" || name.startsWith("server") ? 2 : /router|west|east|middle/.test(name) ? 1 : 0);
  const columns = [[], [], []];
  hosts.forEach((name, i) => columns[column(name)].push(i));
  const middles = columns[1].length, at = [];
  columns.forEach((members, c) =>
    members.forEach((h, i) => {
      const inMiddle = c === 1;
      const x = inMiddle ? 0.1 + (0.8 * (i + 1)) / (middles + 1) - (middles === 1 ? 0.18 : 0) : c ? 0.9 : 0.1;
      const y = inMiddle ? 0.5 : (i + 1) / (members.length + 1);
      at[h] = { x: x * width, y: y * height };
    }));
  return at;
}

function drawNetwork(canvas, play, t, isCut) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const g = canvas.getContext("2d"), c = canvas.colours || (canvas.colours = colours());
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  g.font = "13px system-ui, sans-serif";
  g.textAlign = "center";
  const at = layout(play.hosts, width, height), small = play.hosts.length > 8;
  // Cables: between hosts that packets went between.
  for (const [a, b] of play.cables) {
    if (!at[a] || !at[b]) continue;
    g.strokeStyle = isCut && play.ours && a + b === 3 ? c.lost : c.line;
    g.setLineDash(isCut && play.ours && a + b === 3 ? [6, 6] : []);
    g.lineWidth = 2;
    for (const side of small ? [0] : [-9, 9]) {
      const n = normal(at[a], at[b]);
      g.beginPath();
      g.moveTo(at[a].x + n.x * side, at[a].y + n.y * side);
      g.lineTo(at[b].x + n.x * side, at[b].y + n.y * side);
      g.stroke();
    }
    g.setLineDash([]);
  }
  // Packets: in a queue, on the way, or lost.
  const legs = legsAt(play.legs, t), queued = {};
  let flying = 0, waiting = 0;
  for (const l of legs) {
    const a = at[l.from], b = at[l.to >= 0 ? l.to : l.from === 2 ? 1 : 2] || at[l.from];
    if (!a || !b) continue;
    const n = normal(a, b), lane = small ? 0 : 9, size = l.p.length > 200 ? 13 : 8;
    let x, y, alpha = 1, colour = colourOf(l.p, c), cross = false;
    if (l.arrive >= 0 && t < l.leave) {
      const key = l.from + ">" + l.to, place = (queued[key] = (queued[key] || 0) + 1);
      const row = Math.floor((place - 1) / 6), col = (place - 1) % 6;
      x = a.x + Math.sign(b.x - a.x) * (30 + col * 8);
      y = a.y + n.y * lane + Math.sign(n.y || 1) * (16 + row * 8);
      waiting++;
      g.fillStyle = colour;
      g.fillRect(x - 3, y - 3, 7, 7);
      continue;
    }
    const f = l.arrive >= 0 ? (t - l.leave) / Math.max(1, l.arrive - l.leave) : (t - l.leave) / Math.max(1, l.end - l.leave);
    if (l.arrive >= 0) { x = a.x + (b.x - a.x) * f; y = a.y + (b.y - a.y) * f; flying++; }
    else {
      const far = FATES_AT_QUEUE.includes(l.fate) ? 0.06 : Math.min(f, 0.5);
      x = a.x + (b.x - a.x) * far;
      y = a.y + (b.y - a.y) * far + (FATES_AT_QUEUE.includes(l.fate) || f > 0.5 ? 50 * Math.max(0, FATES_AT_QUEUE.includes(l.fate) ? f : f - 0.5) : 0);
      colour = c.lost; alpha = 1 - f * 0.8; cross = true;
    }
    x += n.x * lane; y += n.y * lane;
    g.globalAlpha = alpha;
    g.fillStyle = colour;
    g.fillRect(x - size / 2, y - 4, size, 8);
    if (cross) { g.font = "bold 14px system-ui"; g.fillText("×", x, y - 6); g.font = "13px system-ui, sans-serif"; }
    else if (legs.length < 25 && l.p.flags && (l.p.kind === "control" || legs.length < 10)) {
      g.font = "11px system-ui, sans-serif";
      g.fillText(l.p.flags, x, n.y < 0 ? y - 8 : y + 16);
      g.font = "13px system-ui, sans-serif";
    }
    g.globalAlpha = 1;
  }
  g.fillStyle = c.dim;
  for (const [key, n] of Object.entries(queued)) {
    if (n < 4) continue;
    const [from, to] = key.split(">").map(Number), a = at[from], b = at[to];
    g.fillText(n + " wait", a.x + Math.sign(b.x - a.x) * 50, a.y + Math.sign(normal(a, b).y || 1) * (32 + Math.ceil(n / 6) * 8) + 4);
  }
  // Hosts, over the cables' ends.
  play.hosts.forEach((name, i) => {
    if (!at[i]) return;
    const w = small ? 10 : 64, h = small ? 6 : 34;
    g.fillStyle = c.bg;
    g.strokeStyle = c.fg;
    g.lineWidth = 1.5;
    g.beginPath();
    g.roundRect(at[i].x - w / 2, at[i].y - h / 2, w, h, 6);
    g.fill();
    g.stroke();
    g.fillStyle = c.fg;
    if (!small || name === "server") g.fillText(name, at[i].x, at[i].y + 4);
    const state = play.stateAt(i, t);
    if (state) { g.fillStyle = c.dim; g.fillText(state.state, Math.min(width - 50, Math.max(50, at[i].x)), at[i].y - h / 2 - 8); }
  });
  return { flying, waiting };
}

function normal(a, b) {
  const dx = b.x - a.x, dy = b.y - a.y, d = Math.hypot(dx, dy) || 1;
  return { x: -dy / d * -1, y: dx / d * -1 };
}

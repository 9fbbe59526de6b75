// What each end knows: state machine, timers, plots over time.
const PLOTS = [
  ["Window (kB)", [["cwnd", "data", (x) => x.cwnd / 1000], ["ssthresh", "marked", (x) => (x.ssthresh < 0 ? null : x.ssthresh / 1000)], ["in flight", "ack", (x) => x.flight / 1000]]],
  ["Times (ms)", [["RTT", "data", (x) => (x.srtt < 0 ? null : x.srtt / 1e6)], ["RTO", "again", (x) => x.rto / 1e6]]],
  ["Goodput (Mbit/s)", [["sent and acknowledged", "data", (x) => x.acked, true], ["received", "control", (x) => x.received, true]]],
];
const shortly = (v) => (v == null ? "none" : v >= 100 ? v.toFixed(0) : v.toFixed(1));

function makeSide(parent, name, seek) {
  const box = document.createElement("div");
  box.className = "side";
  box.innerHTML = `<h3>The ${name}</h3><div class="states" role="group" aria-label="Last transitions of the ${name}"></div>
    <table aria-label="State of the ${name}"><tbody></tbody></table><div class="timers note"></div><div class="plots"></div>`;
  parent.append(box);
  return { name, box, seek, plots: [], states: box.querySelector(".states"), table: box.querySelector("tbody"), timers: box.querySelector(".timers"), holder: box.querySelector(".plots") };
}

function fillSide(side, play, host, now) {
  side.host = host;
  side.plots.forEach((u) => u.destroy());
  side.plots = [];
  side.holder.textContent = "";
  side.shown = side.said = undefined;
  const list = play.samples[host] || [];
  if (!list.length) return;
  const x = list.map((s) => s.at / 1e9), c = colours();
  for (const [title, lines] of PLOTS) {
    const div = document.createElement("div");
    div.className = "plot";
    side.holder.append(div);
    const data = [x, ...lines.map(([, , f, isRate]) => (isRate ? goodput(list, play.end, f) : list.map(f)))];
    const stepped = uPlot.paths.stepped({ align: 1 });
    const u = new uPlot({
      title: side.name + ": " + title, width: Math.max(260, side.holder.clientWidth), height: 150,
      cursor: { drag: { x: false, y: false, click: () => {} }, sync: { key: "moment" } },
      scales: { x: { time: false, range: [0, play.end / 1e9] }, y: { range: (_, low, high) => [0, Math.max(1e-3, high || 1) * 1.05] } },
      axes: [{ stroke: c.dim, grid: { stroke: c.line, width: 0.5 }, size: 26 }, { stroke: c.dim, grid: { stroke: c.line, width: 0.5 }, size: 52 }],
      series: [{ label: "s", value: (_, v) => (v == null ? "" : v.toFixed(3)) }, ...lines.map(([label, colour]) => ({ label, value: (_, v) => shortly(v), stroke: c[colour], width: 1.5, paths: stepped, points: { show: false } }))],
      hooks: { draw: [(u) => veil(u, now(), c)] },
    }, data, div);
    u.over.addEventListener("click", (e) => side.seek(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x") * 1e9));
    const canvas = div.querySelector("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", side.name + ": " + title + " over time");
    side.plots.push(u);
  }
}

// The future is veiled; a line stands at the present.
function veil(u, t, c) {
  const x = Math.round(u.valToPos(t / 1e9, "x", true)), { left, top, width, height } = u.bbox, g = u.ctx;
  g.save();
  g.globalAlpha = 0.75;
  g.fillStyle = c.bg;
  if (x < left + width) g.fillRect(Math.max(left, x), top, left + width - Math.max(left, x), height);
  g.globalAlpha = 1;
  g.fillStyle = c.lost;
  if (x >= left) g.fillRect(x, top, 2, height);
  g.restore();
}

function showSide(side, play, t, plotsToo) {
  const state = play.stateAt(side.host, t), all = play.transitions[side.host] || [];
  const done = all.filter((x) => x.at <= t).slice(-4), key = done.map((x) => x.at).join() + "/" + all.length;
  if (side.shown !== key) {
    side.shown = key;
    side.states.textContent = "";
    for (const x of done.length ? done : [{ at: 0, what: "no connection" }]) {
      const b = document.createElement("button");
      b.textContent = x.what + " " + (x.at / 1e9).toFixed(3);
      b.title = "Show " + seconds(x.at);
      b.addEventListener("click", () => side.seek(x.at));
      side.states.append(b);
    }
    if (side.states.lastChild && done.length) side.states.lastChild.classList.add("on");
  }
  if (side.said !== state) {
    side.said = state;
    const rows = state ? [["cwnd", state.cwnd + " B, " + (state.cwnd / state.mss).toFixed(1) + " segments"], ["ssthresh", state.ssthresh < 0 ? "none yet" : state.ssthresh + " B"], ["in flight", state.flight + " B"], ["waiting to be sent", state.unsent + " B"], ["peer's window", state.peer + " B"], ["RTT, RTO", milliseconds(state.srtt) + ", " + milliseconds(state.rto)], ["retransmitted", state.again + " segments"]] : [];
    side.table.innerHTML = rows.map(([a, b]) => `<tr><th scope="row">${a}</th><td>${b}</td></tr>`).join("");
  }
  const timers = state ? state.timers.map(([n, at]) => n + " in " + milliseconds(Math.max(0, at - t))) : [];
  const text = "Timers: " + (timers.join("; ") || "none");
  if (side.timers.textContent !== text) side.timers.textContent = text;
  if (!plotsToo) return;
  side.plots.forEach((u) => u.redraw(false, false));
  // The legend has the values of the moment, or of where the pointer is. uPlot draws in a microtask, too.
  const index = play.indexAt(side.host, t), { plots } = side;
  queueMicrotask(() => plots.forEach((u) => { if (u.cursor.left < 0) u.setLegend({ idx: index < 0 ? null : index }); }));
}

// The list of packets: only the rows in sight are there.
const ROW = 22;
function makePackets(list, rows, details, seek) {
  const view = { play: null, current: -1, chosen: -1, lines: new Map() };
  const line = (n) => {
    if (!view.lines.has(n)) view.lines.set(n, weirMachine.line(n));
    return view.lines.get(n);
  };
  const draw = () => {
    if (!view.play) return;
    const { packets } = view.play, first = Math.max(0, Math.floor(list.scrollTop / ROW) - 3);
    const last = Math.min(packets.length, first + Math.ceil(list.clientHeight / ROW) + 6);
    rows.style.height = packets.length * ROW + "px";
    const focused = document.activeElement && rows.contains(document.activeElement) ? Number(document.activeElement.dataset.n) : 0;
    rows.textContent = "";
    for (let i = first; i < last; i++) {
      const p = packets[i], item = document.createElement("div"), b = document.createElement("button"), mark = document.createElement("i");
      item.setAttribute("role", "listitem");
      item.style.top = i * ROW + "px";
      b.dataset.n = p.n;
      b.tabIndex = i === Math.max(0, view.current) ? 0 : -1;
      if (i === view.current) { b.className = "now"; b.setAttribute("aria-current", "true"); }
      mark.style.background = p.lost ? "var(--lost)" : p.marked && p.kind === "data" ? "var(--marked)" : "var(--" + p.kind + ")";
      const fates = p.legs.map((l) => l[5]).filter(Boolean);
      b.append(mark, (p.at / 1e9).toFixed(6) + " " + line(p.n) + (fates.length ? " (" + fates.join(", ") + ")" : ""));
      item.append(b);
      rows.append(item);
      if (p.n === focused) b.focus({ preventScroll: true });
    }
  };
  view.load = (play) => { view.play = play; view.lines.clear(); view.current = -1; view.chosen = -1; details.innerHTML = "<p>Choose a packet to see its headers.</p>"; list.scrollTop = 0; draw(); };
  // The last packet that was sent.
  view.show = (t) => {
    const { packets } = view.play;
    let low = 0, high = packets.length;
    while (low < high) { const mid = (low + high) >> 1; if (packets[mid].at <= t) low = mid + 1; else high = mid; }
    if (low - 1 === view.current) return;
    view.current = low - 1;
    const top = view.current * ROW;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 2 * ROW) list.scrollTop = Math.max(0, top - list.clientHeight / 2);
    draw();
  };
  view.choose = (n) => {
    const p = view.play.packets[n - 1];
    if (!p) return;
    view.chosen = n;
    const fields = JSON.parse(weirMachine.fields(n) || "[]");
    details.textContent = "";
    const title = document.createElement("h3"), table = document.createElement("table");
    title.textContent = "Packet " + n;
    for (const [name, value] of fields) {
      const row = table.insertRow(), th = document.createElement("th");
      th.scope = "row";
      th.textContent = name;
      row.append(th);
      row.insertCell().textContent = value;
    }
    details.append(title, table);
  };
  rows.addEventListener("click", (e) => {
    const b = e.target.closest("button");
    if (b) { const n = Number(b.dataset.n); seek(view.play.packets[n - 1].at); view.choose(n); }
  });
  rows.addEventListener("keydown", (e) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!step || !e.target.dataset.n) return;
    e.preventDefault();
    e.stopPropagation();
    const n = Math.min(view.play.packets.length, Math.max(1, Number(e.target.dataset.n) + step));
    seek(view.play.packets[n - 1].at);
    view.choose(n);
    const b = rows.querySelector(`[data-n="${n}"]`);
    if (b) b.focus({ preventScroll: true });
  });
  list.addEventListener("scroll", draw);
  view.draw = draw;
  return view;
}

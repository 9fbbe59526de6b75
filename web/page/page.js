// The page: one moment of one play, shown in all its parts.
const $ = (id) => document.getElementById(id);
let [settings, extra] = fromAddress(location.hash);
let play = null, now = 0, playing = false, speed = Number(extra.speed) || 0.1, tour = null, plotsAt = 0;
const SPEEDS = [0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 10];

const packets = makePackets($("list"), $("rows"), $("details"), (t) => seek(t));
const sides = HOSTS.map((name) => makeSide($("sides"), name, (t) => seek(t)));
const refreshControls = makeControls($("controls"), JSON.parse(weirMachine.scenarios()), () => settings, (name) => {
  endTour();
  replaySoon(name);
});

for (const [kind, label] of KINDS) {
  const li = document.createElement("li"), box = document.createElement("span");
  box.style.background = "var(--" + kind + ")";
  li.append(box, label);
  $("legend").append(li);
}
for (const s of SPEEDS) $("speed").append(new Option(s === 1 ? "real time" : s < 1 ? "1/" + Math.round(1 / s) : s + " ×", s));

// A world is played from its seed, to its end; the moment stays.
let pending = 0;
function replaySoon() { clearTimeout(pending); pending = setTimeout(() => replay(), 120); }
function replay(at = now) {
  clearTimeout(pending);
  try {
    play = readPlay(weirMachine.play(machineText(settings)), settings);
    $("error").textContent = "";
  } catch (e) {
    // An address that cannot be played shows the usual settings instead.
    if (!play) { settings = { ...USUAL, faults: [] }; replay(0); }
    $("error").textContent = e.message;
    return;
  }
  now = Math.min(Math.max(0, at), play.end);
  sides.forEach((side, i) => fillSide(side, play, play.hosts.indexOf(HOSTS[i]), () => now));
  packets.load(play);
  $("digest").textContent = play.digest;
  $("command").textContent = play.ours ? "" : "The same by ./weir sim " + settings.scenario + " --seed " + settings.seed;
  const lost = play.packets.filter((p) => p.lost).length;
  $("result").textContent = (play.outcome ? "failed: " + play.outcome.split("\n")[0] : play.delivered.toLocaleString("en") + " bytes delivered") + ", " + play.packets.length.toLocaleString("en") + " packets, " + lost + " lost, " + (play.end / 1e9).toFixed(2) + " s";
  $("time").max = play.end / 1e9;
  refreshControls();
  show(true);
}

const cutAt = (t) => { let cut = false; for (const [at, kind] of settings.faults) if (at * 1e9 <= t) cut = kind === "cut"; return cut; };

function show(all) {
  const cut = cutAt(now), { flying, waiting } = drawNetwork($("net"), play, now, cut);
  $("clock").textContent = seconds(now);
  $("time").value = now / 1e9;
  $("time").setAttribute("aria-valuetext", seconds(now));
  $("cut").textContent = cut ? "Heal the middle link" : "Cut the middle link";
  $("cut").disabled = !play.ours;
  $("uncut").hidden = !settings.faults.length;
  const t = performance.now(), plotsToo = all || t - plotsAt > 60;
  if (plotsToo) plotsAt = t;
  for (const side of sides) showSide(side, play, now, plotsToo);
  packets.show(now);
  $("net").setAttribute("aria-label", "The network at " + seconds(now) + ": " + play.hosts.join(", ") + "; " + flying + " packets on the way, " + waiting + " in queues" + (cut ? "; the middle link is cut" : ""));
  if (all) {
    $("status").textContent = $("net").getAttribute("aria-label");
    writeAddress();
  }
}

let written = 0;
function writeAddress() {
  clearTimeout(written);
  written = setTimeout(() => {
    const more = { t: now ? (now / 1e9).toFixed(9).replace(/0+$/, "").replace(/\.$/, "") : "", speed: speed === 0.1 ? "" : speed, tour: tour ? tour.index + "." + tour.at : "" };
    history.replaceState(null, "", toAddress(settings, more));
  }, 50);
}

function seek(t, stop = true) {
  if (stop) setPlaying(false);
  now = Math.min(Math.max(0, t), play.end);
  show(true);
}
function step(direction) {
  const m = play.moments;
  let low = 0, high = m.length;
  while (low < high) { const mid = (low + high) >> 1; if (m[mid] < now || (direction > 0 && m[mid] === now)) low = mid + 1; else high = mid; }
  seek(direction > 0 ? (low < m.length ? m[low] : play.end) : low > 0 ? m[low - 1] : 0);
}

let frameAt = 0;
function frame(t) {
  if (!playing) return;
  const passed = Math.min(100, frameAt ? t - frameAt : 16);
  frameAt = t;
  now += passed * 1e6 * speed;
  if (now >= play.end) { now = play.end; setPlaying(false); show(true); return; }
  show(false);
  requestAnimationFrame(frame);
}
function setPlaying(on) {
  if (on === playing) return;
  if (on && now >= play.end) now = 0;
  playing = on;
  frameAt = 0;
  $("play").textContent = on ? "Pause" : "Play";
  if (on) requestAnimationFrame(frame); else if (play) show(true);
}
function setSpeed(s) { speed = s; $("speed").value = s; writeAddress(); }

function toggleCut() {
  if (!play.ours) return;
  const at = Number((now / 1e9).toFixed(6)), cut = cutAt(now);
  settings.faults = settings.faults.filter(([x]) => x < at);
  settings.faults.push([at, cut ? "heal" : "cut"]);
  replay(now);
}

// -- tours -----------------------------------------------------------------
function showTour(index, at) {
  const t = TOURS[index];
  if (!t || !t.moments[at]) return;
  tour = { index, at };
  const [when, text, change] = t.moments[at];
  settings = { ...USUAL, faults: [], ...t.settings, ...(change || {}) };
  setPlaying(false);
  replay(0);
  const moment = when(play);
  seek(Number.isFinite(moment) ? moment : 0);
  $("tour").hidden = false;
  $("tour-text").textContent = text(play);
  $("tour-count").textContent = at + 1 + " of " + t.moments.length;
  $("tour-back").disabled = at === 0;
  $("tour-next").disabled = at === t.moments.length - 1;
  [...$("tours").children].forEach((b, i) => { b.classList.toggle("on", i === index); b.setAttribute("aria-pressed", i === index); });
}
function endTour() {
  if (!tour) return;
  tour = null;
  $("tour").hidden = true;
  [...$("tours").children].forEach((b) => { b.classList.remove("on"); b.setAttribute("aria-pressed", "false"); });
  writeAddress();
}
TOURS.forEach((t, i) => {
  const b = document.createElement("button");
  b.textContent = t.name;
  b.setAttribute("aria-pressed", "false");
  b.addEventListener("click", () => showTour(i, 0));
  $("tours").append(b);
});
$("tour-next").addEventListener("click", () => tour && showTour(tour.index, tour.at + 1));
$("tour-back").addEventListener("click", () => tour && showTour(tour.index, tour.at - 1));
$("tour-end").addEventListener("click", endTour);

// -- input -----------------------------------------------------------------
$("play").addEventListener("click", () => setPlaying(!playing));
$("step").addEventListener("click", () => step(1));
$("back").addEventListener("click", () => step(-1));
$("cut").addEventListener("click", toggleCut);
$("uncut").addEventListener("click", () => { settings.faults = []; replay(now); });
$("time").addEventListener("input", () => seek(Number($("time").value) * 1e9));
$("speed").addEventListener("change", () => setSpeed(Number($("speed").value)));
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
  const faster = (by) => setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(speed) + by))]);
  const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => seek(0), End: () => seek(play.end), "+": () => faster(1), "-": () => faster(-1), c: toggleCut }[e.key];
  if (e.key === " " && e.target.tagName !== "BUTTON") { e.preventDefault(); setPlaying(!playing); }
  else if (act) { e.preventDefault(); act(); }
});
window.addEventListener("hashchange", () => { [settings, extra] = fromAddress(location.hash); start(); });
window.addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(() => { sides.forEach((side, i) => fillSide(side, play, play.hosts.indexOf(HOSTS[i]), () => now)); packets.draw(); show(true); }, 150); });
let resizing = 0;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { $("net").colours = null; replay(); });

function start() {
  setSpeed(SPEEDS.includes(Number(extra.speed)) ? Number(extra.speed) : 0.1);
  const [index, at] = (extra.tour || "").split(".").map(Number);
  if (extra.tour && TOURS[index]) showTour(index, at || 0);
  else { endTour(); replay(Number(extra.t || 0) * 1e9); }
}
start();

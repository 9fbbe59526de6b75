// Settings: the address bar, the controls, and the text that the machine reads.
// Of each way of the middle link; then of the link. Name, label, values, how a value is shown.
const WAY_RANGES = [
  ["loss", "Loss", [0, 0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 20, 30], (v) => v + " %"],
  ["burst", "Burst loss", [0, 0.1, 0.2, 0.5, 1, 2, 5], (v) => (v ? v + " % begin" : "none")],
  ["delay", "Delay", [0, 1, 2, 5, 10, 20, 50, 100, 200, 500], (v) => v + " ms"],
  ["jitter", "Jitter", [0, 1, 2, 5, 10, 20, 50, 100], (v) => v + " ms"],
  ["rate", "Rate", [0.1, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000], (v) => v + " Mbit/s"],
  ["queue", "Queue", [2, 4, 8, 16, 32, 64, 128, 256, 1000], (v) => v + " kB"],
  ["reorder", "Reordering", [0, 0.1, 0.5, 1, 2, 5, 10], (v) => v + " %"],
];
const LINK_RANGES = [
  ["mtu", "MTU", [576, 800, 1000, 1280, 1400, 1500], (v) => v + " B"],
  ["marks", "ECN marks", [0, 1, 2, 5, 10, 20, 50], (v) => (v ? "from " + v + " ms" : "off")],
];
const WAY = WAY_RANGES.map(([name]) => name), BACK = WAY.map((name) => "back." + name);
const USUAL_WAY = { loss: 0, burst: 0, delay: 20, jitter: 0, rate: 10, queue: 32, reorder: 0 };
const USUAL = { scenario: "transfer", seed: 1, bytes: 400000, ...USUAL_WAY, mtu: 1500, marks: 0, silent: 0, back: 0,
  ...Object.fromEntries(WAY.map((name) => ["back." + name, USUAL_WAY[name]])), faults: [],
  "client.cc": "cubic", "client.sack": 1, "client.delack": 1, "client.nagle": 1,
  "server.cc": "cubic", "server.sack": 1, "server.delack": 1, "server.nagle": 1 };
const HOSTS = ["client", "server"];
const SWITCHES = [["sack", "SACK"], ["delack", "Delayed ACK"], ["nagle", "Nagle"]];

// The page's own scenarios have all settings, those of weir sim only the link's.
const isOurs = (s) => s.scenario === "transfer" || s.scenario === "short";

// The text of Weir_link.Impairment.of_string for one way.
function wayText(s, prefix) {
  const [loss, burst, delay, jitter, rate, queue, reorder] = WAY.map((name) => s[prefix + name]);
  const parts = ["delay=" + delay + "ms", "rate=" + Math.round(rate * 1000) + "kbit", "queue=" + queue + "kB"];
  if (burst) parts.push("bursts=" + burst / 100 + ":0.3:" + loss / 100 + ":1");
  else if (loss) parts.push("loss=" + loss + "%");
  if (jitter) parts.push("jitter=" + jitter + "ms");
  if (reorder) parts.push("reorder=" + reorder + "%:" + Math.max(5, delay) + "ms");
  return parts.join(",");
}

// The text of Web_stage.Setting.of_string.
function machineText(s) {
  const parts = ["scenario=" + s.scenario, "seed=" + s.seed];
  if (isOurs(s) || WAY.some((name) => s[name] !== USUAL[name])) parts.push("link=" + wayText(s, ""));
  if (!isOurs(s)) return parts.join("&");
  if (s.scenario === "transfer") parts.push("bytes=" + s.bytes);
  if (s.back) parts.push("back=" + wayText(s, "back."));
  if (s.mtu < 1500) parts.push("mtu=" + s.mtu, "silent=" + s.silent);
  if (s.marks) parts.push("marks=" + s.marks);
  for (const host of HOSTS) {
    parts.push(host + ".cc=" + s[host + ".cc"]);
    for (const [n] of SWITCHES) parts.push(host + "." + n + "=" + s[host + "." + n]);
  }
  for (const [at, kind] of s.faults) parts.push(kind + "=" + at);
  return parts.join("&");
}

// Only what differs from the usual stands in the address.
function toAddress(s, extra) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(s))
    if (name !== "faults" && value !== USUAL[name] && (s.back || !BACK.includes(name))) parts.append(name, value);
  for (const [at, kind] of s.faults) parts.append(kind, at);
  for (const [name, value] of Object.entries(extra)) if (value) parts.append(name, value);
  return "#" + parts;
}

// A value that is no number is the usual one.
function fromAddress(hash) {
  const s = { ...USUAL, faults: [] }, extra = {};
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ""))) {
    const number = value === "" ? NaN : Number(value);
    if (name === "cut" || name === "heal") { if (number >= 0) s.faults.push([number, name]); }
    else if (typeof USUAL[name] === "number") { if (Number.isFinite(number)) s[name] = number; }
    else if (name in USUAL) s[name] = value;
    else extra[name] = value;
  }
  s.faults.sort((a, b) => a[0] - b[0]);
  return [s, extra];
}

// The form. [changed] is called with the name of what the user changed.
function makeControls(form, scenarios, get, changed) {
  const refresh = [];
  const add = (parent, tag, attributes, text) => {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    parent.append(e);
    return e;
  };
  const fieldset = (legend) => {
    const f = add(form, "fieldset");
    add(f, "legend", {}, legend);
    return f;
  };
  const choice = (parent, name, label, options, layout = "choice") => {
    const l = add(parent, "label", { class: layout });
    add(l, "span", {}, label);
    const select = add(l, "select", { name });
    for (const [value, text] of options) add(select, "option", { value }, text);
    select.addEventListener("change", () => { get()[name] = select.value; changed(name); });
    refresh.push(() => { select.value = get()[name]; });
  };
  const number = (parent, name, label, least, most) => {
    const l = add(parent, "label", { class: "choice" });
    add(l, "span", {}, label);
    const input = add(l, "input", { name, type: "number", min: least, max: most });
    input.addEventListener("change", () => { get()[name] = Math.round(Math.min(most, Math.max(least, Number(input.value) || least))); changed(name); });
    refresh.push(() => { input.value = get()[name]; });
  };
  const range = (parent, [name, label, values, show]) => {
    const l = add(parent, "label");
    add(l, "span", {}, label);
    const input = add(l, "input", { name, type: "range", min: 0, max: values.length - 1, step: 1 });
    const out = add(l, "output");
    const near = (v) => values.reduce((best, x, i) => (Math.abs(x - v) < Math.abs(values[best] - v) ? i : best), 0);
    const said = () => { out.textContent = show(get()[name]); input.setAttribute("aria-valuetext", out.textContent); };
    input.addEventListener("input", () => { get()[name] = values[Number(input.value)]; said(); changed(name); });
    refresh.push(() => { input.value = near(get()[name]); said(); });
  };
  const check = (parent, name, label, then = () => {}) => {
    const l = add(parent, "label", { class: "check" });
    add(l, "span", {}, label);
    const input = add(l, "input", { name, type: "checkbox" });
    input.addEventListener("change", () => { get()[name] = input.checked ? 1 : 0; then(input.checked); changed(name); });
    refresh.push(() => { input.checked = Boolean(get()[name]); });
  };
  const run = fieldset("Run");
  choice(run, "scenario", "Scenario", scenarios.map(([name, about]) => [name, name + ": " + about]), "above");
  number(run, "seed", "Seed", 0, 1000000000);
  number(run, "bytes", "Bytes", 1, 5000000);
  const link = fieldset("Middle link");
  for (const r of WAY_RANGES) range(link, r);
  check(link, "back", "Way back differs", (on) => { if (on) for (const name of WAY) get()["back." + name] = get()[name]; });
  const back = fieldset("Middle link, way back");
  for (const [name, ...rest] of WAY_RANGES) range(back, ["back." + name, ...rest]);
  const path = fieldset("Middle link, both ways");
  for (const r of LINK_RANGES) range(path, r);
  check(path, "silent", "Black hole");
  const hosts = HOSTS.map((host) => {
    const f = fieldset("The " + host);
    choice(f, host + ".cc", "Congestion", [["cubic", "CUBIC"], ["reno", "Reno"], ["bbr", "BBR"]]);
    for (const [name, label] of SWITCHES) check(f, host + "." + name, label);
    return f;
  });
  // What has no effect cannot be changed.
  refresh.push(() => {
    const s = get(), ours = isOurs(s);
    for (const f of [path, ...hosts]) f.disabled = !ours;
    back.hidden = !s.back || !ours;
    form.querySelector("[name=back]").disabled = !ours;
    form.querySelector("[name=bytes]").disabled = s.scenario !== "transfer";
    form.querySelector("[name=silent]").disabled = s.mtu >= 1500;
    link.firstChild.textContent = s.back && ours ? "Middle link, to the server" : "Middle link";
  });
  form.addEventListener("submit", (e) => e.preventDefault());
  return () => refresh.forEach((f) => f());
}

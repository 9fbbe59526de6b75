// Settings: the address bar, the controls, and the text that the machine reads.
const RANGES = [
  // name, label, values, how a value is shown
  ["loss", "Loss", [0, 0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 20, 30], (v) => v + " %"],
  ["burst", "Burst loss", [0, 0.1, 0.2, 0.5, 1, 2, 5], (v) => (v ? v + " % begin" : "none")],
  ["delay", "Delay", [0, 1, 2, 5, 10, 20, 50, 100, 200, 500], (v) => v + " ms"],
  ["jitter", "Jitter", [0, 1, 2, 5, 10, 20, 50, 100], (v) => v + " ms"],
  ["rate", "Rate", [0.1, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000], (v) => v + " Mbit/s"],
  ["queue", "Queue", [2, 4, 8, 16, 32, 64, 128, 256, 1000], (v) => v + " kB"],
  ["reorder", "Reordering", [0, 0.1, 0.5, 1, 2, 5, 10], (v) => v + " %"],
  ["mtu", "MTU", [576, 800, 1000, 1280, 1400, 1500], (v) => v + " B"],
  ["marks", "ECN marks", [0, 1, 2, 5, 10, 20, 50], (v) => (v ? "from " + v + " ms" : "off")],
];
const USUAL = { scenario: "transfer", seed: 1, bytes: 400000, loss: 0, burst: 0, delay: 20, jitter: 0, rate: 10, queue: 32,
  reorder: 0, mtu: 1500, marks: 0, silent: 0, faults: [],
  "client.cc": "cubic", "client.sack": 1, "client.delack": 1, "client.nagle": 1,
  "server.cc": "cubic", "server.sack": 1, "server.delack": 1, "server.nagle": 1 };
const HOSTS = ["client", "server"];
const SWITCHES = [["sack", "SACK"], ["delack", "Delayed ACK"], ["nagle", "Nagle"]];

const isUsual = (s, names) => names.every((n) => s[n] === USUAL[n]);
const LINK = ["loss", "burst", "delay", "jitter", "rate", "queue", "reorder"];

// The text of Web_stage.Setting.of_string.
function machineText(s) {
  const parts = ["scenario=" + s.scenario, "seed=" + s.seed];
  const ours = s.scenario === "transfer" || s.scenario === "short";
  if (s.scenario === "transfer") parts.push("bytes=" + s.bytes);
  if (ours || !isUsual(s, LINK)) {
    const link = ["delay=" + s.delay + "ms", "rate=" + Math.round(s.rate * 1000) + "kbit", "queue=" + s.queue + "kB"];
    if (s.burst) link.push("bursts=" + s.burst / 100 + ":0.3");
    else if (s.loss) link.push("loss=" + s.loss + "%");
    if (s.jitter) link.push("jitter=" + s.jitter + "ms");
    if (s.reorder) link.push("reorder=" + s.reorder + "%:" + Math.max(5, s.delay) + "ms");
    if (ours) parts.push("link=" + link.join(","));
    else parts.push("link=" + link.join(","));
  }
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
  const parts = [];
  for (const [name, value] of Object.entries(s))
    if (name !== "faults" && value !== USUAL[name]) parts.push(name + "=" + encodeURIComponent(value));
  for (const [at, kind] of s.faults) parts.push(kind + "=" + at);
  for (const [name, value] of Object.entries(extra)) if (value) parts.push(name + "=" + encodeURIComponent(value));
  return "#" + parts.join("&");
}

function fromAddress(hash) {
  const s = { ...USUAL, faults: [] }, extra = {};
  for (const part of hash.replace(/^#/, "").split("&")) {
    const i = part.indexOf("=");
    if (i < 0) continue;
    const name = part.slice(0, i), value = decodeURIComponent(part.slice(i + 1));
    if (name === "cut" || name === "heal") s.faults.push([Number(value), name]);
    else if (name in USUAL) s[name] = typeof USUAL[name] === "number" ? Number(value) : value;
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
  const choice = (parent, name, label, options) => {
    const l = add(parent, "label", { class: "choice" });
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
  const check = (parent, name, label) => {
    const l = add(parent, "label", { class: "check" });
    add(l, "span", {}, label);
    const input = add(l, "input", { name, type: "checkbox" });
    input.addEventListener("change", () => { get()[name] = input.checked ? 1 : 0; changed(name); });
    refresh.push(() => { input.checked = Boolean(get()[name]); });
  };
  const run = fieldset("Run");
  choice(run, "scenario", "Scenario", scenarios.map(([name, about]) => [name, name + ": " + about]));
  number(run, "seed", "Seed", 0, 1000000000);
  number(run, "bytes", "Bytes", 1, 5000000);
  const link = fieldset("Middle link");
  for (const r of RANGES) range(link, r);
  check(link, "silent", "Black hole");
  for (const host of HOSTS) {
    const f = fieldset("The " + host);
    choice(f, host + ".cc", "Congestion", [["cubic", "CUBIC"], ["reno", "Reno"], ["bbr", "BBR"]]);
    for (const [name, label] of SWITCHES) check(f, host + "." + name, label);
  }
  form.addEventListener("submit", (e) => e.preventDefault());
  return () => refresh.forEach((f) => f());
}

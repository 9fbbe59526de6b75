// Search in search-index.js, which is loaded when the search field is first used,
// and the colours of code. No network is needed: it works from files.
"use strict";
const root = document.body.dataset.root;
const field = document.getElementById("search");
const results = document.getElementById("results");
if (window.hljs) document.querySelectorAll("pre code[class^=language-], pre[class^=language-] code").forEach((e) => hljs.highlightElement(e));

let loading = false, chosen = 0;
function load() {
  if (loading) return;
  loading = true;
  const script = document.createElement("script");
  script.src = root + "search-index.js";
  script.onload = show;
  document.head.append(script);
}

// Every word must be there. A word in the name counts more than one in the text,
// the start of a name's last part most; documents come before names.
function score([kind, name, , text], words) {
  const low = name.toLowerCase(), last = low.slice(low.lastIndexOf(".") + 1), body = text.toLowerCase();
  let sum = kind === "" ? 3 : kind === "Module" ? 2 : 0;
  for (const word of words) {
    if (last === word) sum += 12;
    else if (last.startsWith(word)) sum += 8;
    else if (low.includes(word)) sum += 5;
    else if (body.includes(word)) sum += kind === "" ? 3 : 1;
    else return 0;
  }
  return sum - low.length / 200;
}

function excerpt(text, words) {
  const near = text.toLowerCase().indexOf(words[0]) - 60;
  const at = near > 0 ? text.indexOf(" ", near) + 1 : 0;
  return (at ? "… " : "") + text.slice(at, at + 180) + (text.length > at + 180 ? " …" : "");
}

const element = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

function line([kind, name, url, text], words) {
  const link = element("a", "");
  link.href = root + url;
  link.append(element("b", name), kind ? " " + kind.toLowerCase() : "", element("small", excerpt(text, words)));
  return link;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter((w) => w);
  const searching = words.length > 0 && typeof index !== "undefined";
  document.body.classList.toggle("searching", searching);
  results.hidden = !searching;
  if (!searching) return;
  const found = index.map((e) => [score(e, words), e]).filter(([s]) => s > 0).sort((a, b) => b[0] - a[0]);
  results.replaceChildren(
    element("p", found.length + (found.length === 1 ? " result" : " results") + (found.length > 50 ? ", the best 50:" : "")),
    ...found.slice(0, 50).map(([, e]) => line(e, words)));
  choose(0);
}

function choose(n) {
  const links = results.querySelectorAll("a");
  chosen = Math.max(0, Math.min(n, links.length - 1));
  links.forEach((a, i) => a.classList.toggle("chosen", i === chosen));
  if (links[chosen]) links[chosen].scrollIntoView({ block: "nearest" });
}

function leave() { field.value = ""; show(); field.blur(); }

field.addEventListener("focus", load);
field.addEventListener("input", () => { load(); show(); });
field.addEventListener("keydown", (e) => {
  const link = results.querySelectorAll("a")[chosen];
  if (e.key === "Enter" && link) { location.href = link.href; leave(); }
  else if (e.key === "Escape") leave();
  else if (e.key === "ArrowDown") choose(chosen + 1);
  else if (e.key === "ArrowUp") choose(chosen - 1);
  else return;
  e.preventDefault();
});
results.addEventListener("click", (e) => { if (e.target.closest("a")) leave(); });
document.addEventListener("keydown", (e) => {
  if (e.key === "/" && document.activeElement !== field) { e.preventDefault(); field.focus(); }
});

// The page of TCP, used as a reader uses it. scripts/web makes it, `dune build` the command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { DESKTOP, PHONE, launch, open, path, picture, tooWide } from "./browser.mjs";

const ADDRESS = "file://" + path("_build-web/page.html");
let browser, page;
before(async () => { browser = await launch(); });
after(() => browser.close());
beforeEach(async () => { page = await open(browser, DESKTOP); });
afterEach(async () => {
  assert.deepEqual(page.errors, [], "nothing on the console");
  await page.context().close();
});

const js = (f, argument) => page.evaluate(f, argument);
const until = (f, argument) => page.waitForFunction(f, argument);
async function show(address) {
  await page.goto("about:blank");
  await page.goto(ADDRESS + address);
  await until(() => document.getElementById("digest").textContent && play.packets.length > 0);
}
const setting = (name) => page.locator(`#controls [name="${name}"]`);
// Moves a slider by keys; the play that follows has ended then.
async function slide(name, key, times = 1) {
  await setting(name).waitFor();
  const before = await js(() => play.digest);
  await setting(name).focus();
  for (let i = 0; i < times; i++) await page.keyboard.press(key);
  await until((digest) => play.digest !== digest, before);
}
const inAddress = (part) => until((part) => location.hash.split(/[#&]/).includes(part), part);
const image = () => js(() => document.getElementById("net").toDataURL());

describe("a transfer", () => {
  test("a lossy one plays to its end, its bytes checked", async () => {
    await show("#loss=2&seed=3&speed=10");
    await page.getByRole("button", { name: "Play" }).click();
    await until(() => !playing && now === play.end);
    assert.deepEqual(await js(() => [play.delivered, play.outcome]), [400000, null]);
    assert.ok(await js(() => play.packets.filter((p) => p.lost).length) > 2);
    assert.match(await page.locator("#result").textContent(), /^400,000 bytes delivered/);
  });
  test("cwnd falls at a loss, and the plot shows it", async () => {
    await show("#loss=2&seed=3");
    const [before, low, plotted, plottedLow] = await js(() => {
      const list = play.samples[play.hosts.indexOf("client")], i = list.findIndex((x) => x.recovery === "fast recovery");
      const least = (values) => Math.min(...values.slice(i, i + 60)), line = sides[0].plots[0].data[1];
      return [list[i - 1].cwnd, least(list.map((x) => x.cwnd)), line[i - 1] * 1000, least(line) * 1000];
    });
    assert.ok(low < 0.8 * before, `${before} to ${low}`);
    assert.deepEqual([Math.round(plotted), Math.round(plottedLow)], [before, low]);
  });
  test("plots and their legends show the moment", async () => {
    await show("#t=0.35");
    const shown = await js(() => sides[0].plots[0].root.querySelectorAll(".u-value")[1].textContent);
    assert.ok(Math.abs(Number(shown) - (await js(() => play.stateAt(sides[0].host, now).cwnd / 1000))) <= 0.5, shown);
    const goodput = (side, line) => js(([side, line]) => Math.max(...sides[side].plots[2].data[line]), [side, line]);
    for (const [side, line] of [[0, 1], [1, 2]]) assert.ok((await goodput(side, line)) > 8 && (await goodput(side, line)) < 80, `${side} ${line}`);
    assert.equal(await goodput(0, 2), 0);
  });
  test("a full queue marks packets", async () => {
    await show("#marks=5");
    assert.ok(await js(() => play.packets.some((p) => p.marked) && play.packets.some((p) => /ECE/.test(p.flags))));
  });
  for (const [name, seed] of [["echo", 3], ["bulk", 1], ["restart", 2]])
    test(`the digest of ${name}, seed ${seed}, is the native one`, async () => {
      const native = execFileSync(path("_build/default/bin/main.exe"), ["sim", name, "--seed", String(seed)], { encoding: "utf8" });
      await show(`#scenario=${name}&seed=${seed}`);
      assert.equal("000" + (await page.locator("#digest").textContent()), /digest ([0-9a-f]{16})/.exec(native)[1]);
    });
});

describe("controls", () => {
  for (const [name, key] of [["loss", "ArrowRight"], ["burst", "ArrowRight"], ["delay", "ArrowRight"], ["jitter", "ArrowRight"], ["rate", "ArrowLeft"], ["queue", "ArrowLeft"], ["reorder", "ArrowRight"], ["mtu", "ArrowLeft"]])
    test(`the slider ${name} plays the world again and is in the address`, async () => {
      await show("#t=0.2");
      await slide(name, key, 4);
      assert.equal(await js(() => now), 2e8, "the moment stays");
      await until((name) => new RegExp("[#&]" + name + "=").test(location.hash), name);
      const [digest, hash] = await js(() => [play.digest, location.hash]);
      await show(hash);
      assert.equal(await js(() => play.digest), digest);
    });
  test("the slider of ECN marks", async () => {
    await show("");
    await slide("marks", "ArrowRight", 3);
    await inAddress("marks=5");
  });
  for (const host of ["client", "server"])
    test(`the ${host}'s boxes and congestion control`, async () => {
      await show("");
      for (const name of ["sack", "delack", "nagle"]) {
        await setting(`${host}.${name}`).click();
        await inAddress(`${host}.${name}=0`);
      }
      for (const name of ["reno", "bbr"]) {
        await setting(`${host}.cc`).selectOption(name);
        await inAddress(`${host}.cc=${name}`);
        assert.equal(await js(() => play.delivered), 400000);
      }
    });
  test("a black hole needs a narrow link", async () => {
    await show("");
    assert.ok(await setting("silent").isDisabled());
    await slide("mtu", "ArrowLeft", 3);
    await setting("silent").click();
    await inAddress("silent=1");
    assert.ok(await js(() => play.packets.some((p) => p.legs.some((l) => l[5] === "too long"))));
  });
  test("the way back has settings of its own", async () => {
    await show("#delay=10");
    assert.ok(await setting("back.loss").isHidden());
    await setting("back").click();
    await slide("back.loss", "ArrowRight", 8);
    await slide("back.delay", "ArrowRight", 3);
    await inAddress("back.delay=100");
    const lost = (from) => js((from) => play.packets.filter((p) => p.legs.some((l) => l[0] === play.hosts.indexOf(from) && l[5] === "lost")).length, from);
    assert.deepEqual([await lost("router"), (await lost("server")) > 5], [0, true]);
    const took = (from, to) => js(([from, to]) => Math.min(...play.packets.flatMap((p) => p.legs).filter((l) => l[0] === play.hosts.indexOf(from) && l[1] === play.hosts.indexOf(to) && l[4] >= 0).map((l) => l[4] - l[3])), [from, to]);
    assert.deepEqual([await took("router", "server"), await took("server", "router")], [1e7, 1e8]);
    const [digest, hash] = await js(() => [play.digest, location.hash]);
    await show(hash);
    assert.equal(await js(() => play.digest), digest);
  });
  test("all scenarios of weir sim can be chosen", async () => {
    await show("");
    const names = await setting("scenario").locator("option").evaluateAll((all) => all.map((o) => o.value));
    const native = execFileSync(path("_build/default/bin/main.exe"), ["sim", "--list"], { encoding: "utf8" });
    assert.ok(names.length > 8 && names.slice(2).every((name) => native.includes(name)), names.join());
    await setting("scenario").selectOption("echo");
    await until(() => !play.ours && play.packets.length > 0);
    assert.ok(await setting("client.sack").isDisabled());
    assert.match(await page.locator("#command").textContent(), /weir sim echo --seed 1$/);
  });
  test("a wrong address is told", async () => {
    await show("#seed=7&client.cc=vegas");
    assert.match(await page.getByRole("alert").textContent(), /client.cc cannot be "vegas"/);
    assert.equal(await js(() => play.delivered), 400000);
    await show("#loss=x&seed=7&%=%");
    assert.deepEqual([await setting("seed").inputValue(), await page.getByRole("alert").textContent()], ["7", ""]);
  });
});

describe("time", () => {
  test("keys", async () => {
    await show("#t=0.2");
    const at = () => js(() => now), before = await at();
    await page.keyboard.press("ArrowRight");
    const after = await at();
    assert.ok(after > before);
    await page.keyboard.press("ArrowLeft");
    assert.ok((await at()) <= before);
    await page.keyboard.press("Home");
    assert.equal(await at(), 0);
    await page.keyboard.press(" ");
    await until(() => playing && now > 0);
    await page.keyboard.press(" ");
    await until(() => !playing);
    await page.keyboard.press("End");
    assert.equal(await at(), await js(() => play.end));
    await page.keyboard.press("+");
    await inAddress("speed=0.2");
  });
  test("all can be reached by Tab", async () => {
    await show("");
    const reached = new Set();
    for (let i = 0; i < 120; i++) {
      await page.keyboard.press("Tab");
      reached.add(await js(() => { const e = document.activeElement; return e.name || e.id || e.textContent.slice(0, 20); }));
    }
    for (const name of ["play", "back", "step", "cut", "time", "list", "details", "threads-run", "loss", "client.cc", "server.sack", "What slow start is"])
      assert.ok(reached.has(name), name);
  });
  test("back in time is the same picture, and an address the same view", async () => {
    await show("#loss=1&t=0.3");
    const [digest, first] = [await js(() => play.digest), await image()];
    await js(() => seek(play.end * 0.9));
    const other = await image();
    await js(() => seek(3e8));
    assert.ok((await image()) === first && other !== first);
    await show("#loss=1&t=0.3");
    assert.equal(await js(() => play.digest), digest);
    assert.ok((await image()) === first);
  });
  test("a click on a packet, a plot or a transition shows its moment", async () => {
    await show("#loss=1");
    const row = page.locator("#rows button").nth(5);
    assert.match(await page.locator("#rows button").first().textContent(), /ARP/);
    await row.click();
    assert.ok(await js(() => play.packets[packets.chosen - 1].at === now));
    assert.match(await page.locator("#details").textContent(), /ip\.src/);
    await page.locator(".plot .u-over").first().click({ position: { x: 100, y: 20 } });
    assert.ok(await js(() => Math.abs(now / 1e9 - sides[0].plots[0].posToVal(100, "x")) < 0.002));
    await page.locator(".states button").first().click();
    assert.ok(await js(() => play.transitions[sides[0].host].some((x) => x.at === now)));
  });
  test("a cut and a heal are in the address", async () => {
    await show("#t=0.2");
    await page.keyboard.press("c");
    await js(() => seek(4e8));
    await page.getByRole("button", { name: "Heal the middle link" }).click();
    await inAddress("cut=0.2");
    await inAddress("heal=0.4");
    assert.ok(await js(() => play.packets.some((p) => p.legs.some((l) => l[5] === "cut")) && play.delivered === 400000));
  });
});

describe("tours", () => {
  test("each moment exists and is told", async () => {
    await show("");
    const tours = await js(() => TOURS.map((t) => [t.name, t.moments.length]));
    assert.equal(tours.length, 4);
    for (const [name, moments] of tours) {
      await page.getByRole("button", { name }).click();
      let last = "";
      for (let i = 0; i < moments; i++) {
        const [at, text] = await js(() => [TOURS[tour.index].moments[tour.at][0](play), document.getElementById("tour-text").textContent]);
        assert.ok(at >= 0 && at <= (await js(() => play.end)) + 1, `${name}, ${i + 1}: ${at}`);
        assert.equal(await js(() => now), Math.min(at, await js(() => play.end)));
        assert.ok(text.length > 20 && text !== last, text);
        last = text;
        if (i < moments - 1) await page.getByRole("button", { name: "Next", exact: true }).click();
      }
    }
  });
  test("what they tell is so: SACK saves, Nagle waits", async () => {
    await show("");
    const end = (tour, moment) => js(([tour, moment]) => { showTour(tour, moment); return done(play); }, [tour, moment]);
    assert.ok((await end(1, 2)) < (await end(1, 4)));
    assert.ok((await end(2, 5)) < (await end(2, 4)) / 2);
  });
});

test("the threads study runs here, beside the published curves", async () => {
  await show("");
  await page.locator("#threads-run").click();
  await page.getByText(/ ns in direct style and [0-9]+ ns by bind/).waitFor({ timeout: 60000 });
  assert.deepEqual(await js(() => [PUBLISHED.lwt.length, PUBLISHED.delimcc.length]), [8, 8]);
});

describe("manners", () => {
  for (const [name, size] of [["desktop", DESKTOP], ["phone", PHONE]])
    for (const colorScheme of ["light", "dark"])
      test(`no fault that axe finds, ${name}, ${colorScheme}`, async () => {
        await page.context().close();
        page = await open(browser, { ...size, colorScheme });
        await show("#loss=1&t=0.35&back=1&tour=");
        await page.locator("#rows button").nth(3).click();
        await js(() => seek(3.5e8));
        assert.equal(await tooWide(page), "");
        await page.addScriptTag({ path: path("_build-web/node_modules/axe-core/axe.min.js") });
        const found = await js(async () => {
          const { violations } = await axe.run(document, { runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] } });
          return violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(" | "));
        });
        assert.deepEqual(found, []);
        await picture(page, `page-${name}-${colorScheme}`);
      });
  test("a frame with 200 segments on their way is drawn in time for 60 a second", async (t) => {
    await show("#delay=200&rate=1000&queue=1000&bytes=3000000&speed=0.01");
    const [flying, work, frames] = await js(async () => {
      let best = [0, 0];
      for (let i = 0; i < 200; i++) { const n = legsAt(play.legs, (play.end * i) / 200).length; if (n > best[0]) best = [n, (play.end * i) / 200]; }
      seek(best[1]);
      const times = Array.from({ length: 60 }, () => { const t = performance.now(); show(false); return performance.now() - t; });
      setPlaying(true);
      const began = performance.now(), next = () => new Promise(requestAnimationFrame);
      let frames = 0;
      while (performance.now() < began + 2000) { await next(); frames++; }
      setPlaying(false);
      return [best[0], times.sort((a, b) => a - b)[30], frames / 2];
    });
    assert.ok(flying >= 200, String(flying));
    assert.ok(work < 1000 / 60, `${work} ms`);
    t.diagnostic(`${flying} segments on their way: ${work.toFixed(1)} ms a frame, ${frames} frames a second in Chromium without a graphics card`);
  });
  test("at most 1.5 MB compressed, and nothing from elsewhere", async () => {
    const { readFileSync } = await import("node:fs"), { gzipSync } = await import("node:zlib");
    const bytes = readFileSync(path("_build-web/page.html"));
    assert.ok(gzipSync(bytes).length < 1.5e6);
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await show("");
    assert.deepEqual(asked.filter((url) => !/^(file|data|about):/.test(url)), []);
  });
  test("it opens from weir serve", async () => {
    const { spawn } = await import("node:child_process");
    const served = spawn(path("_build/default/bin/main.exe"), ["serve", path("_build-web"), "--forward", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "pipe"] });
    try {
      const url = await new Promise((found, failed) => {
        let text = "";
        for (const stream of [served.stdout, served.stderr]) stream.on("data", (part) => { text += part; const m = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(text); if (m) found(m[0]); });
        served.on("exit", () => failed(new Error(text)));
      });
      await page.goto(url + "/page.html");
      await until(() => play.delivered === 400000);
    } finally { served.kill(); }
  });
});

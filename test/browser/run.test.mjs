// The page of a real `weir run --html`, on three widths: it shows the run, and nothing is cut off.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, launch, open, path, picture, tooWide } from "./browser.mjs";

const WIDTHS = { desktop: DESKTOP, phone: PHONE, "small-phone": { ...PHONE, viewport: { width: 320, height: 640 } } };

// Servers at addresses beside loopback's; a name that is refused, one that is cut, and a hostile argument.
const WORLD = `
cd "$1"; weir=$2
ip link set lo up; for n in 7 8 9; do ip address add 198.51.100.$n/32 dev lo; done
head -c 300000 /dev/zero > big
python3 -um http.server 80 --bind 0.0.0.0 > log 2>&1 & server=$!
for i in $(seq 100); do grep -q Serving log && break; sleep 0.1; done
"$weir" run --html run.html --impair loss=2%,delay=5ms@*.example.org --cut 300ms..900ms@cdn.example.org \
  --fault refuse@no.example.net --hosts www.example.org=198.51.100.7 --hosts cdn.example.org=198.51.100.9 \
  --hosts no.example.net=198.51.100.8 -- sh -c '
  curl -s -o /dev/null http://no.example.net/big; curl -s -o /dev/null http://www.example.org/big
  curl -s -o /dev/null http://cdn.example.org/big & sleep 0.4; curl -s -o /dev/null http://cdn.example.org/big
  : "</script><script>throw 1</script>"; wait; exit 3'
status=$?
kill $server
[ $status = 3 ] || { echo "status $status" >&2; exit 1; }
`;

// Labels that are cut off at the window's edge, or drawn over each other.
const badLabels = (page) => page.evaluate(() => {
  const boxes = [...document.querySelectorAll("svg text")].map((e) => [e.getBoundingClientRect(), e.textContent]);
  const edge = document.documentElement.clientWidth;
  const cut = boxes.filter(([b]) => b.left < -1 || b.right > edge + 1).map(([, text]) => `cut off: ${text}`);
  const meet = ([a], [b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  const over = boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a, b)).map((b) => `over each other: ${a[1]} and ${b[1]}`));
  return [...cut, ...over];
});

let browser, folder;
before(async () => {
  folder = mkdtempSync(`${tmpdir()}/weir-run-`);
  const alone = process.getuid() === 0 ? ["-n"] : ["-rn"];
  execFileSync("unshare", [...alone, "sh", "-c", WORLD, "sh", folder, path("_build/default/bin/main.exe")], { timeout: 60_000 });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const [name, size] of Object.entries(WIDTHS))
  test(`the page of a run shows it: ${name}`, async () => {
    const page = await open(browser, size);
    await page.goto(`file://${folder}/run.html`);
    const rows = page.locator("#timeline .row");
    assert.ok((await rows.count()) >= 4, "a row for each connection");
    assert.equal(await page.locator("#timeline .cut, #rate .cut, #rtt .cut, #lost .cut").count(), 4, "the cut, in each chart");
    assert.ok(await page.locator('#timeline rect[fill="var(--bad)"]').count(), "a failed connection");
    assert.ok(await page.locator('#timeline rect[fill="var(--ok)"], #timeline rect[fill="var(--slow)"]').count(), "a connection that stood");
    assert.ok(JSON.parse(await page.locator("#data").textContent()).totals.bytes_in > 900000, "all bytes");
    assert.match(await page.locator("#rate").textContent(), /bit\/s/);
    assert.match(await page.locator("#rtt").textContent(), /ms/);
    assert.ok((await page.locator("#places tr").count()) >= 4, "a row for each place");
    assert.ok((await page.locator("#command").textContent()).includes("</script>"), "the command, as text");
    await page.locator("#filter").fill("cdn");
    assert.equal(await rows.count(), 2, "names by a filter");
    await page.locator("#filter").fill("");
    await rows.nth(1).dispatchEvent("click");
    assert.match(await page.locator("#detail").textContent(), /www\.example\.org/);
    assert.deepEqual([await tooWide(page), ...(await badLabels(page)), ...page.errors].filter(Boolean), []);
    await picture(page, `run-${name}`);
  });

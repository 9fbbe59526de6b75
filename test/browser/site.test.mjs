// All pages of the site: none prints an error or is wider than the window, and the search finds.
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, launch, open, path, picture, tooWide } from "./browser.mjs";

const site = path("_build/site"), WORKERS = 3;
const pages = globSync("**/*.html", { cwd: site }).sort();
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

// What is wrong with the pages, at one size.
async function faults(size, name) {
  const todo = [...pages], found = [];
  await Promise.all(Array.from({ length: WORKERS }, async () => {
    const page = await open(browser, size);
    for (let file; (file = todo.shift()); ) {
      await page.goto(`file://${site}/${file}`);
      found.push(...[await tooWide(page), ...page.errors.splice(0)].filter(Boolean).map((fault) => `${file}: ${fault}`));
      if (!file.includes("/")) await picture(page, `site-${file.replace(".html", "")}-${name}`);
    }
  }));
  return found;
}

test("there are pages", () => assert.ok(pages.length > 50, `${pages.length} in ${site}`));
test("no page has a fault on a desktop", async () => assert.deepEqual(await faults(DESKTOP, "desktop"), []));
test("no page has a fault on a phone", async () => assert.deepEqual(await faults(PHONE, "phone"), []));
test("the search finds", async () => {
  const page = await open(browser, DESKTOP);
  await page.goto(`file://${site}/index.html`);
  await page.locator("#search").fill("partition");
  await page.locator("#results a").nth(3).waitFor();
  assert.deepEqual(page.errors, []);
});

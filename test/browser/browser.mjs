// Chromium for the tests of pages, by Playwright: of the PATH, or the file that CHROMIUM names.
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export const top = new URL("../../", import.meta.url);
const { chromium } = createRequire(new URL("_build-web/", top))("playwright-core");

const program = () => {
  const found = process.env.PATH.split(":").map((folder) => folder + "/chromium").find(existsSync);
  if (!process.env.CHROMIUM && !found) throw new Error("chromium is not on the PATH");
  return process.env.CHROMIUM || found;
};

export const launch = () => chromium.launch({ executablePath: program(), args: ["--disable-dev-shm-usage"] });

export const DESKTOP = { viewport: { width: 1280, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

// A page that keeps what is printed to its console as errors.
export async function open(browser, options) {
  const context = await browser.newContext(options), page = await context.newPage();
  page.setDefaultTimeout(150_000);
  page.errors = [];
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  page.on("pageerror", (error) => page.errors.push(String(error)));
  return page;
}

// What is wider than the window, or nothing.
export const tooWide = (page) => page.evaluate(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return "";
  const scrolls = (e) => e && (["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  const wide = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > clientWidth + 1 && !scrolls(e.parentElement));
  return scrollWidth + " pixels wide: " + (wide.length ? wide.at(-1).outerHTML.slice(0, 100) : "");
});

// WEIR_SHOTS names a folder for pictures.
export async function picture(page, name) {
  const folder = process.env.WEIR_SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

export const path = (relative) => fileURLToPath(new URL(relative, top));

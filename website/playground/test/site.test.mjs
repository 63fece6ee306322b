// The site in headless Chromium: one page of each kind, on a phone, a tablet and two screens, light and dark.
// Nothing is wider than its page, nothing that a terminal prints is cut off, and axe finds nothing. Pictures are written for whoever looks.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { served } from "./served.mjs";

const PICTURES = process.env.PICTURES;
const WIDTHS = [390, 768, 1280, 1920];
const SCHEMES = ["light", "dark"];
const PAGES = process.env.PAGES?.split(",") ?? [
  "index.html", "start/tutorial.html", "start/tour.html", "start/why.html", "guides/diff.html", "guides/terraform.html", "sections/answers.html", "decisions.html",
  "reference/rules.html", "reference/rules/aks014.html", "reference/commands/explain.html", "reference/commands.html", "guides/ci.html",
  "reference/fields.html", "reference/python.html", "reference/coverage.html", "search.html", "404.html", "playground/index.html",
];
const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser, origin, close;

before(async () => {
  ({ origin, browser, close } = await served(process.env.SITE_FOLDER));
  await mkdir(PICTURES, { recursive: true });
});
after(() => close());

// What is cut off: a page that scrolls sideways, and text of a terminal that does.
const CUT_OFF = () => {
  const wider = (part) => part.scrollWidth > part.clientWidth + 1;
  const printed = [...document.querySelectorAll("article :is(.highlight-text, .highlight-console, .highlight-sh, .highlight-bash) pre")];
  const page = wider(document.documentElement) ? [`the page: ${document.documentElement.scrollWidth}`] : [];
  return [...page, ...printed.filter(wider).map((part) => part.textContent.slice(0, 60))];
};

const VIOLATIONS = async () => {
  const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
};

async function opened(path, colorScheme) {
  const page = await browser.newPage({ viewport: { width: WIDTHS[0], height: 900 }, colorScheme });
  await page.goto(`${origin}/${path}`);
  return page;
}

// Two at a time: a page waits for the disk and for what follows its width.
describe("pages", { concurrency: 2 }, () => {
  for (const path of PAGES) {
    for (const scheme of SCHEMES) {
      test(`${path}, ${scheme}`, async () => {
        const page = await opened(path, scheme);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await page.evaluate(CUT_OFF), [], `cut off at ${width}`);
          await page.screenshot({ path: join(PICTURES, `${path.replaceAll("/", "-")}-${width}-${scheme}.png`) });
        }
        await page.evaluate(AXE);
        for (const width of [WIDTHS[0], WIDTHS[2]]) {
          await page.setViewportSize({ width, height: 900 });
          await page.waitForTimeout(100); // what follows the width, such as the marks of what scrolls
          assert.deepEqual(await page.evaluate(VIOLATIONS), [], `axe at ${width}`);
        }
        await page.close();
      });
    }
  }
});

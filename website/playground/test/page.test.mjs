// The page in headless Chromium: `node --test`, with the built folder in PLAYGROUND and the browser in CHROMIUM.
import assert from "node:assert/strict";
import { cpus, loadavg } from "node:os";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { served } from "./served.mjs";

const FOLDER = process.env.PLAYGROUND;
let browser, origin, close;

before(async () => {
  ({ origin, browser, close } = await served(FOLDER));
});
after(() => close());

// Opens the page, and notes every request and every error.
async function opened(hash = "") {
  const page = await browser.newPage({ viewport: { width: 1400, height: 950 } });
  const seen = { requests: [], errors: [] };
  page.on("request", (request) => seen.requests.push(request.url()));
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  await page.goto(`${origin}/${hash}`);
  await page.waitForFunction(() => document.body.dataset.answered, null, { timeout: 120_000 });
  return { page, seen };
}

async function write(page, name, text) {
  await page.locator(`.editor:not([hidden]) .cm-content[aria-label^="${name}"]`).fill(text);
}

test("a NodePool with a fault shows the finding, at its line", async () => {
  const { page, seen } = await opened();
  await write(page, "Pools", "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: compute}\nspec:\n  template:\n    spec:\n      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}\n      requirements: []\n      expireAfter: 800h\n");
  await page.getByText("line 9: EKS044").waitFor();
  const shown = await page.locator("#result").innerText();
  assert.match(shown, /line 9: EKS044 node-lifetime-over-21-days \(error\)\s+NodePool\/compute: spec\.template\.spec\.expireAfter/);
  assert.equal(await page.getByText("EKS044 node-lifetime-over-21-days").getAttribute("href"), "../reference/rules/eks044.html");
  await page.locator(".cm-lint-marker-error").first().waitFor();
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE, clip: { x: 0, y: 0, width: 1400, height: 540 } });
  assert.deepEqual(seen.errors, []);
  await page.close();
});

test("a pod shows its verdict on each pool", async () => {
  const { page, seen } = await opened();
  await page.locator("#example").selectOption({ label: "Which pool a pod lands on" });
  await page.getByText("Pods and pools").waitFor();
  const shown = await page.locator("#result").innerText();
  assert.match(shown, /web\s+lands on compute/);
  assert.match(shown, /train\s+unknown\s+cannot/);
  assert.deepEqual(seen.errors, []);
  await page.close();
});

test("the calendar has hours, and an edit is a table of changes", async () => {
  const { page } = await opened();
  await page.setViewportSize({ width: 1200, height: 700 });
  const fits = () => page.locator("#result").evaluate((result) => result.scrollWidth <= result.clientWidth);
  await page.locator("#example").selectOption({ label: "When Karpenter may replace nodes" });
  await page.locator("table.calendar").waitFor();
  assert.ok((await page.locator("table.calendar td.closed").count()) >= 40, "50 hours of a week are closed");
  assert.ok(await fits(), "the 24 hours of a day are next to each other without scrolling");
  await page.locator("#example").selectOption({ label: "What an edit does" });
  await page.getByText("effect on nodes").waitFor();
  assert.match(await page.locator("#result").innerText(), /rolls/);
  assert.ok(await fits(), "a long path does not push the effect out of sight");
  await page.close();
});

test("several workloads are a matrix: a sign for each pool, and the answer on each workload", async () => {
  const { page, seen } = await opened();
  await page.locator("#example").selectOption({ label: "A matrix: four workloads, two clusters" });
  await page.locator("table.grid").waitFor();
  const rows = (await page.locator("table.grid tr").allInnerTexts()).map((text) => text.split(/\s+/));
  assert.deepEqual(rows[0].filter(Boolean), ["web", "typo", "large", "spot"]);
  assert.deepEqual(rows.find(([name]) => name === "answer").slice(1, 3), ["fits", "cannot"]);
  assert.deepEqual(rows.find(([name]) => name === "weu/web").slice(1, 3), ["✔", "✘"]);
  assert.deepEqual(seen.errors, []);
  await page.close();
});

test("capacity lists first what is not certain to fit", async () => {
  const { page, seen } = await opened();
  await page.locator("#example").selectOption({ label: "Addresses, ports and vCPUs" });
  await page.getByText("needed at most").waitFor();
  const verdicts = await page.locator("#result table td:first-child").allInnerTexts();
  assert.equal(verdicts[0], "unknown");
  assert.equal(verdicts.at(-1), "fits");
  assert.deepEqual(seen.errors, []);
  await page.close();
});

test("an upgrade names what blocks it, and a link keeps its version; without one it says when support ends", async () => {
  const { page, seen } = await opened();
  await page.locator("#example").selectOption({ label: "An upgrade, and what blocks it" });
  await page.getByText("PodDisruptionBudget shop/checkout").first().waitFor();
  assert.match(await page.locator("#result").innerText(), /weu: 1\.35 → 1\.36, blocked/);
  await page.locator("#link").click();
  await page.waitForFunction(() => location.hash.length > 10);
  const { hash } = new URL(page.url());
  await page.locator("#to").fill("");
  await page.getByText("support ends").first().waitFor();
  await page.close();
  const again = await opened(hash);
  assert.equal(await again.page.locator("#to").inputValue(), "1.36");
  await again.page.getByText("PodDisruptionBudget shop/checkout").first().waitFor();
  assert.deepEqual([...seen.errors, ...again.seen.errors], []);
  await again.page.close();
});

const pools = (count) => Array.from({ length: count }, (_, each) => `apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: pool-${each}}\nspec: {}\n---\n`).join("");

const linked = (page, input) => page.evaluate((hash) => (location.hash = hash), fragment(input));

test("a run can be stopped, and the next edit runs again", async () => {
  const { page, seen } = await opened();
  await linked(page, { command: "check", files: { pools: pools(3000) } });
  await page.locator("#stop").click({ timeout: 60_000 });
  await page.getByText("Stopped. Edit the input").waitFor();
  assert.equal(await page.locator("#stop").isVisible(), false);
  await linked(page, { command: "check", files: { pools: "kind: [" } });
  await page.locator("#result p.error").first().waitFor({ timeout: 60_000 });
  assert.deepEqual(seen.errors, []);
  await page.close();
});

test("hundreds of findings are shown within 5 seconds", async (context) => {
  const { page } = await opened();
  const busy = loadavg()[0] > 1.5 * cpus().length;
  const began = performance.now();
  await linked(page, { command: "check", files: { pools: pools(300) } });
  await page.getByText("NodePool/pool-299:").first().waitFor({ timeout: 120_000 });
  const seconds = (performance.now() - began) / 1000;
  console.log(`300 findings: ${seconds.toFixed(1)} s`);
  await page.close();
  if (busy) return context.skip(`not measured at a load of ${loadavg()[0].toFixed(1)}`);
  assert.ok(seconds < 5, `${seconds.toFixed(1)} s`);
});

test("a link opens the same input", async () => {
  const { page } = await opened();
  await page.locator("#example").selectOption({ label: "What an edit does" });
  await page.getByText("effect on nodes").waitFor();
  await page.locator("#link").click();
  await page.waitForFunction(() => location.hash.length > 10);
  const hash = new URL(page.url()).hash;
  const before = await page.locator("#editors").innerText();
  await page.close();
  const again = await opened(hash);
  await again.page.getByText("effect on nodes").waitFor();
  assert.equal(await again.page.locator("#editors").innerText(), before);
  await again.page.close();
});

const fragment = (input) => `#${deflateRawSync(JSON.stringify(input)).toString("base64url")}`;
const DAMAGED = {
  "was cut off": "#q1ZKzs_N",
  "is not base64": "#!!!%%%",
  "holds no input": fragment(null),
  "names a command that the page does not have": fragment({ command: "constructor", files: {} }),
  "has no texts": fragment({ command: "check" }),
  "has a number for a text": fragment({ command: "check", files: { pools: 5 } }),
};
for (const [title, hash] of Object.entries(DAMAGED)) {
  test(`a link that ${title} opens the first example, and says so`, async () => {
    const { page, seen } = await opened(hash);
    assert.match(await page.locator("#result").innerText(), /EKS045/);
    assert.match(await page.locator("#notice").innerText(), /damaged or cut off/);
    assert.deepEqual(seen.errors, []);
    await page.close();
  });
}

test("a link that is pasted into the open page opens its input", async () => {
  const { page } = await opened();
  await page.evaluate((hash) => (location.hash = hash), fragment({ command: "check", files: { pools: "kind: [" } }));
  await page.locator("#result p.error").first().waitFor();
  assert.equal(await page.locator(".editor:not([hidden]) .cm-content").innerText(), "kind: [");
  await page.close();
});

test("a megabyte has a link, which opens it again", async () => {
  const { page, seen } = await opened();
  const text = `# ${Array.from({ length: 60_000 }, () => Math.random().toString(36).slice(2)).join(" ")}\nkind: [`;
  await write(page, "Pools", text);
  await page.locator("#result p.error").first().waitFor();
  await page.locator("#link").click();
  await page.getByText("some programs cut it off").waitFor();
  const { hash } = new URL(page.url());
  await page.evaluate((other) => (location.hash = other), fragment({ command: "check", files: { pools: "kind: 1" } }));
  await page.getByText("kind: 1").waitFor();
  await page.evaluate((long) => (location.hash = long), hash);
  await page.getByText(text.slice(0, 40)).waitFor();
  assert.deepEqual(seen.errors, []);
  await page.close();
});

test("input that is not YAML is one error with its editor and line, a mark, and the page goes on", async () => {
  const { page } = await opened();
  await write(page, "Pools", "kind: [");
  await page.locator("#result p.error").first().waitFor();
  const shown = await page.locator("#result").innerText();
  assert.match(shown, /^Pools, line \d: /);
  assert.doesNotMatch(shown, /Traceback/);
  await page.locator(".editor:not([hidden]) .cm-lint-marker-error").waitFor();
  await page.close();
});

test("edits while a command runs are one next run, and the text stays open", async () => {
  const { page } = await opened();
  await page.locator("summary").click();
  const number = await page.evaluate(() => Number(document.body.dataset.answered));
  for (const count of [150, 151, 152, 153]) {
    await write(page, "Pools", pools(count));
    await page.waitForTimeout(350); // longer than the page waits for the next key
  }
  await page.getByText("NodePool/pool-152:").first().waitFor({ timeout: 120_000 });
  await page.waitForFunction(() => document.querySelector("pre").textContent.includes("pool-152"), null, { timeout: 120_000 });
  assert.ok((await page.evaluate(() => Number(document.body.dataset.answered))) - number <= 3);
  assert.ok(await page.locator("details").evaluate((details) => details.open));
  await page.close();
});

test("an empty editor and text without NodePools are not free of findings", async () => {
  const { page } = await opened();
  await page.getByRole("tab", { name: "Explain" }).click();
  await page.getByText("Pods and workloads is empty").waitFor();
  await page.getByRole("tab", { name: "Check" }).click();
  await write(page, "Pools", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n");
  await page.getByText("Nothing was checked: the text has").waitFor();
  await page.close();
});

test("the page works with a keyboard, and its controls have names", async () => {
  const { page } = await opened();
  await page.getByRole("tab", { name: "Check" }).focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Diff");
  assert.equal(await page.getByRole("tab", { selected: true }).innerText(), "Diff");
  await page.getByRole("tabpanel", { name: "Diff" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("a");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.ariaLabel), /^Pools after the edit/, "Escape, then Tab, leaves the first editor");
  await page.close();
});

test("a dark browser shows light text on a dark page", async () => {
  const { page } = await opened();
  const brightness = (name, property) => page.locator(name).first().evaluate((found, key) => getComputedStyle(found)[key].match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0), property);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.ok((await brightness("body", "backgroundColor")) < 150);
  for (const name of ["body", ".cm-content", ".cm-gutters", ".finding p"]) assert.ok((await brightness(name, "color")) > 400, name);
  await page.close();
});

test("no request leaves the origin, and a table is loaded only for what reads it", async () => {
  const tables = (seen) => seen.requests.filter((url) => url.includes("/tables/"));
  const { page: first, seen } = await opened();
  assert.deepEqual(seen.requests.filter((url) => !url.startsWith(origin)), []);
  assert.deepEqual(tables(seen).filter((url) => url.includes("/azure_")), [], "a NodePool of EKS reads no table of Azure");
  assert.ok(tables(seen).some((url) => url.endsWith("/eks_instance_types.json")));
  await first.close();
});

test("a table that cannot be loaded is told, each time", async () => {
  const { page } = await opened();
  await page.context().setOffline(true);
  await page.locator("#example").selectOption({ label: "A platform: AKS in YAML" });
  await page.getByText("A table of the clouds could not be loaded").waitFor();
  await page.locator("#example").selectOption({ label: "A NodePool with faults" });
  await page.waitForFunction(() => document.getElementById("state").textContent === "");
  assert.match(await page.locator("#result").innerText(), /Check the connection, then reload the page/);
  await page.close();
});

const busy = () => loadavg()[0] > 1.5 * cpus().length; // other programs decide then how long it takes

test("the first answer is there within 3 seconds, Python gives the same one, and an edit before it runs has none", async (context) => {
  const isBusy = busy();
  const page = await browser.newPage();
  await page.goto(`${origin}/`);
  await page.locator("#result .finding").first().waitFor();
  const seconds = (await page.evaluate(() => performance.now())) / 1000;
  assert.equal(await page.evaluate(() => document.body.dataset.answered), undefined, "Python does not run yet");
  const shown = await page.locator("#result").innerText();
  console.log(`first answer: ${seconds.toFixed(1)} s`);
  await page.waitForFunction(() => document.body.dataset.answered, null, { timeout: 120_000 });
  assert.equal(await page.locator("#result").innerText(), shown);
  await page.reload();
  await page.locator("#result .finding").first().waitFor();
  await write(page, "Pools", "apiVersion: karpenter.sh/v1\n");
  await page.waitForFunction(() => !document.querySelector("#result .finding"));
  await page.close();
  if (isBusy) return context.skip(`not measured at a load of ${loadavg()[0].toFixed(1)}`);
  assert.ok(seconds < 3, `${seconds.toFixed(1)} s`);
});

test("the page is ready within 10 seconds", async (context) => {
  const isBusy = busy();
  const began = performance.now();
  const { page } = await opened();
  const seconds = (performance.now() - began) / 1000;
  console.log(`ready, with the answer to the first example: ${seconds.toFixed(1)} s`);
  await page.close();
  if (isBusy) return context.skip(`not measured at a load of ${loadavg()[0].toFixed(1)}`);
  assert.ok(seconds < 10, `${seconds.toFixed(1)} s`);
});

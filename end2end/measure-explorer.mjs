// measure-explorer.mjs ADDRESS: frames per second while the picture of the graph is dragged with 300, 1,000 and 1,500 entities, bytes loaded for
// it, and memory after 100 times expanding and collapsing; then frames per second and the longest frame while the days of the sample's tensions
// play and while they are dragged. Signs in to the server at ADDRESS with the account that measure-load.mjs creates.
// The server's graph is replaced by a generated one of that size, which is the same in every run.
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const [address] = process.argv.slice(2);
const SECONDS = 4;
const CYCLES = 100;
/** Time that a day stays while the board plays (`features/tensions/islands/src/slider.rs`). */
const PLAY_STEP_MS = 400;
const executablePath = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => path && existsSync(path));

/** A graph of `size` entities with twice as many relationships, with the positions that the server sends above 300. */
function generated(size) {
  let state = 7;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const id = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const nodes = Array.from({ length: size }, (_, n) => ({
    id: id(n),
    name: `Entity ${n}`,
    kind: "company",
    community: n % 10,
    is_on_path: false,
    position: { x: random() * 4000, y: random() * 3000 },
  }));
  const edges = Array.from({ length: size * 2 }, (_, n) => ({
    id: id(size + n),
    source: id(Math.floor(random() * size)),
    target: id(Math.floor(random() * size)),
    description: "is connected with",
    weight: random(),
    bidirectional: false,
    since: null,
    until: null,
    claims: 1,
    asserted: n % 5 === 0 ? 0 : 1,
    first_published: "2031-03-04T00:00:00Z",
    last_published: null,
    is_on_path: false,
  }));
  return { seeds: [], notices: [], is_cut: false, nodes, edges };
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--js-flags=--expose-gc"] });
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await page.goto(`${address}/sign-in`);
await page.getByLabel("User name").fill("bench");
await page.getByLabel("Password", { exact: true }).fill("a password for the benchmark");
await page.getByRole("button", { name: "Sign in" }).click();
await page.waitForURL((url) => url.pathname === "/");
await page.goto(`${address}/entities`);
const seed = (await page.locator("a[href^='/entities/']").first().getAttribute("href")).split("/").pop();

/** Frames per second and the longest frame in milliseconds, of a time from now on. */
const frames = (ms = SECONDS * 1000) =>
  page.evaluate(
    (ms) =>
      new Promise((resolve) => {
        let [count, longest] = [0, 0];
        const began = performance.now();
        let last = began;
        const next = () => {
          const now = performance.now();
          longest = Math.max(longest, now - last);
          last = now;
          if (now - began < ms) {
            count++;
            requestAnimationFrame(next);
          } else {
            resolve({ perSecond: ((count * 1000) / ms).toFixed(0), longestMs: longest.toFixed(0) });
          }
        };
        requestAnimationFrame(next);
      }),
    ms,
  );

/** The same, while the mouse, pressed at a point, goes to the points of the steps. */
async function framesWhileDragged(start, point) {
  const counted = frames();
  await page.mouse.move(...start);
  await page.mouse.down();
  const until = Date.now() + SECONDS * 1000;
  for (let step = 0; Date.now() < until; step++) await page.mouse.move(...point(step));
  await page.mouse.up();
  return counted;
}

let graph = generated(300);
await page.route("**/graph/picture.json**", (route) => route.fulfill({ json: graph }));
/** Opens the explorer; returns once the picture stands. */
async function open() {
  await page.goto(`${address}/graph?seed=${seed}`);
  await page.locator("#graph-canvas [role=status]").filter({ hasText: "relationships" }).waitFor();
}

const loaded = [];
page.on("response", async (response) => {
  const sizes = await response.request().sizes().catch(() => undefined);
  if (sizes) loaded.push([new URL(response.url()).pathname, sizes.responseBodySize]);
});
for (const size of [300, 1000, 1500]) {
  graph = generated(size);
  await open();
  const box = await page.locator(".graph-picture").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const { perSecond } = await framesWhileDragged([x, box.y + 4], (step) => [x + 200 * Math.sin(step / 10), y + 150 * Math.cos(step / 10)]);
  console.log(`${size} entities, ${size * 2} relationships: ${perSecond} frames a second while dragged`);
}

const picture = loaded.filter(([path]) => /vendor|graph-cytoscape|\/pkg\/.*(js|wasm)$/.test(path));
const unique = new Map(picture);
console.log(`the picture loads ${([...unique.values()].reduce((sum, bytes) => sum + bytes, 0) / 1024).toFixed(0)} KiB of scripts and WebAssembly: ${[...unique.keys()].join(" ")}`);

/** Bytes of the JavaScript heap after a collection. */
async function heap() {
  return page.evaluate(() => (gc(), gc(), performance.memory.usedJSHeapSize));
}
graph = generated(300);
await open();
const all = graph;
const part = { ...all, nodes: all.nodes.slice(0, 200), edges: all.edges.filter(({ source, target }) => [source, target].every((id) => Number(id.slice(-12)) < 200)) };
const status = page.locator("#graph-canvas [role=status]");
// One step that can be undone and repeated: each time the picture is loaded again.
await page.locator(".graph-picture").press("ArrowRight");
await page.locator(".graph-picture").press("h");
await page.getByRole("button", { name: "Undo", exact: true }).and(page.locator(":enabled")).waitFor();
const cycle = async (count) => {
  for (let n = 0; n < count; n++) {
    graph = n % 2 === 0 ? part : all;
    await page.getByRole("button", { name: n % 2 === 0 ? "Undo" : "Redo", exact: true }).click();
    await status.filter({ hasText: `${graph.nodes.length} entities` }).waitFor();
  }
};
await cycle(10);
const before = await heap();
await cycle(CYCLES * 2);
const after = await heap();
const mib = (bytes) => (bytes / 1048576).toFixed(1);
console.log(`JavaScript heap: ${mib(before)} MiB, after ${CYCLES} times expanding and collapsing 100 entities ${mib(after)} MiB`);

for (const [name, query] of [["matrix", ""], ["matrix and map", "?view=map"]]) {
  const board = page.locator(".heat-matrix[role=grid]");
  // The reports of the sample are searched for strain a minute after the start.
  const until = Date.now() + 180_000;
  do {
    await page.goto(`${address}/tensions${query}`);
    await page.waitForTimeout(2_000);
  } while (!(await board.isVisible()) && Date.now() < until);
  if (query) await page.locator(".heat-map path").nth(170).waitFor({ state: "attached" });
  const slider = page.getByRole("slider", { name: "Day" });
  await slider.scrollIntoViewIfNeeded();
  const print = (what, { perSecond, longestMs }) =>
    console.log(`days of tensions, ${name}: ${perSecond} frames a second while ${what}, the longest frame ${longestMs} ms`);
  // From the latest day, it begins with the first one and plays all snapshots.
  const days = Number(await slider.getAttribute("max"));
  await page.getByRole("button", { name: "Play" }).click();
  print(`${days + 1} days play`, await frames(days * PLAY_STEP_MS));
  await page.getByRole("button", { name: "Play" }).waitFor();
  const { x, y, width, height } = await slider.boundingBox();
  const point = (step) => [x + width * (0.5 + 0.48 * Math.cos(step / 20)), y + height / 2];
  print("dragged", await framesWhileDragged(point(0), point));
}
await browser.close();

// measure-load.mjs ADDRESS: bytes that Chromium transfers for a first load, by kind of file: of Home, of a running investigation and of a
// report; with Brotli and with gzip, without and with JavaScript. Headers count, streams of events do not.
// ADDRESS is the one that `serve --first-run-sample` prints for the first account, which is created: use a temporary data directory. With
// AUTOSINT__ENGINE__WORKERS=0 the sample is read, but the question that is asked here goes on running.
import { existsSync } from "node:fs";
import { chromium, request } from "@playwright/test";

const address = new URL(process.argv[2]);
/** Time after the load event for what scripts load. */
const SETTLE_MS = 1500;
const executablePath = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => path && existsSync(path));

/** Creates the account, and returns the cookies of its session. */
async function signIn() {
  const api = await request.newContext({ baseURL: address.origin });
  const password = "a password for the benchmark";
  const form = { username: "bench", password, password_again: password, code: address.searchParams.get("code") };
  const answer = await api.post("/first-account", { form });
  if (new URL(answer.url()).pathname !== "/") throw new Error(`no account: ${answer.url()}`);
  return { api, storageState: await api.storageState() };
}

const kindOf = (path, type) => (path.endsWith(".wasm") ? "wasm" : type);
const kib = (bytes) => (bytes / 1024).toFixed(1);

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const { api, storageState } = await signIn();

/** Loads a page in a browser without a cache, and prints the sum of each kind. */
async function measure(name, path, encoding, javaScriptEnabled) {
  const context = await browser.newContext({
    storageState,
    javaScriptEnabled,
    viewport: { width: 1440, height: 900 },
    extraHTTPHeaders: { "accept-encoding": encoding },
  });
  const page = await context.newPage();
  const sizes = new Map();
  page.on("requestfinished", async (one) => {
    const { responseBodySize, responseHeadersSize } = await one.sizes();
    const kind = kindOf(new URL(one.url()).pathname, one.resourceType());
    sizes.set(kind, (sizes.get(kind) ?? 0) + responseBodySize + responseHeadersSize);
  });
  const answer = await page.goto(new URL(path, address).href, { waitUntil: "load" });
  if (answer.headers()["content-encoding"] !== encoding) throw new Error(`${path} does not come as ${encoding}`);
  await page.waitForTimeout(SETTLE_MS);
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const parts = [...sizes].map(([kind, bytes]) => `${kind} ${kib(bytes)}`).join(", ");
  console.log(`${name}, ${encoding}, ${javaScriptEnabled ? "with" : "without"} JavaScript: ${kib(total)} KiB (${parts})`);
  await context.close();
}

/** Asks a question about a new document, and returns the address of its investigation. */
async function ask() {
  const text = "PORT HALEN, March 3, 2031 (Harbour Post) -- The harbour office counted nine crates on the quay of Mellin on Monday.";
  const files = { name: "crates.txt", mimeType: "text/plain", buffer: Buffer.from(text) };
  const answer = await api.post("/investigations", { multipart: { question: "How many crates are on the quay of Mellin?", files } });
  const { pathname } = new URL(answer.url());
  if (!/^\/investigations\/[0-9a-f-]{36}$/.test(pathname)) throw new Error(`no investigation: ${answer.url()}`);
  return pathname;
}

const home = await (await api.get("/")).text();
const report = home.match(/"(\/assessments\/[0-9a-f-]{36})"/)?.[1];
if (report === undefined) throw new Error("home names no assessment: was the sample investigated?");
for (const [name, path] of Object.entries({ home: "/", report, "running investigation": await ask() })) {
  for (const encoding of ["br", "gzip"]) {
    for (const javaScriptEnabled of [false, true]) await measure(name, path, encoding, javaScriptEnabled);
  }
}
await browser.close();

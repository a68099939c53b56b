// weigh.mjs ADDRESS: measures the compressed bytes that a browser loads for the sample's assessment, with Brotli and with gzip.
// Creates the first account on the server, so use a temporary data directory. ADDRESS is the one that `serve` prints for that account.
import { request } from "node:http";

const address = new URL(process.argv[2]);
const kept = { cookie: "", encoding: "br" };

/** Sends one request; the body stays compressed. */
function ask(method, path, form) {
  const headers = { "accept-encoding": kept.encoding, cookie: kept.cookie };
  if (form) headers["content-type"] = "application/x-www-form-urlencoded";
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, address), { method, headers }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => {
        const cookies = (answer.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]);
        if (cookies.length > 0) kept.cookie = cookies.join("; ");
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) });
      });
    });
    sent.on("error", reject);
    sent.end(form && new URLSearchParams(form).toString());
  });
}

async function load(path) {
  const answer = await ask("GET", path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return { path, bytes: answer.body.length, encoding: answer.headers["content-encoding"] ?? "as it is", body: answer.body };
}

async function text({ body, encoding }) {
  const { brotliDecompressSync, gunzipSync } = await import("node:zlib");
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding] ?? ((bytes) => bytes);
  return unpack(body).toString();
}

const attribute = (tag, name) => tag.match(new RegExp(`\\s${name}="([^"]*)"`))?.[1];
const tags = (html, name) => html.match(new RegExp(`<${name}\\b[^>]*>`, "g")) ?? [];

/** Everything that the document references: styles, images, and what only JavaScript uses. */
function named(html) {
  const links = tags(html, "link").map((tag) => [attribute(tag, "rel"), attribute(tag, "href")]);
  const of = (...wanted) => links.filter(([rel]) => wanted.includes(rel)).map(([, href]) => href);
  const pictures = tags(html, "img").map((tag) => attribute(tag, "src"));
  const scripts = tags(html, "script").map((tag) => attribute(tag, "src"));
  return { plain: [...of("stylesheet", "icon"), ...pictures], script: [...of("preload", "modulepreload"), ...scripts] };
}

async function all(paths) {
  return Promise.all([...new Set(paths.filter((path) => path && !path.startsWith("data:")))].map(load));
}

function print(label, files) {
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  console.log(`${label}: ${(total / 1024).toFixed(1)} KiB`);
  for (const { path, bytes, encoding } of files) console.log(`  ${String(bytes).padStart(8)}  ${encoding}  ${path}`);
}

const password = "a password for the benchmark";
const code = address.searchParams.get("code");
await ask("POST", "/first-account", { username: "bench", password, password_again: password, code });
const dashboard = await text(await load("/"));
const path = dashboard.match(/"(\/assessments\/[0-9a-f-]{36})"/)?.[1];
if (!path) throw new Error("the dashboard names no assessment: was the sample investigated?");
for (const encoding of ["br", "gzip"]) {
  kept.encoding = encoding;
  const page = await load(path);
  const html = await text(page);
  const { plain, script } = named(html);
  const files = await all(plain);
  const styles = await Promise.all(files.filter((file) => file.path.endsWith(".css")).map(text));
  const fonts = await all(styles.flatMap((css) => [...css.matchAll(/url\(["']?([^"')]+)/g)].map(([, url]) => new URL(url, new URL("/pkg/", address)).pathname)));
  const scripts = await all(script.filter((path) => !plain.includes(path)));
  page.path = "the page";
  print(`assessment without JavaScript, ${encoding}`, [page, ...files, ...fonts]);
  print(`the same with the app, ${encoding}`, [page, ...files, ...fonts, ...scripts]);
}

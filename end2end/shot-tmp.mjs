import { chromium } from "@playwright/test";
import { readFileSync, existsSync } from "node:fs";
const base = "http://127.0.0.1:38222";
const log = readFileSync("/tmp/tryout/log", "utf8");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || undefined });
const state = "/tmp/tryout/state.json";
let context = await browser.newContext(existsSync(state) ? { storageState: state } : {});
let page = await context.newPage();
page.on("console", (m) => m.type() === "error" && console.log("console:", m.text()));
page.on("pageerror", (e) => console.log("pageerror:", e.message));
if (!existsSync(state)) {
  const code = log.match(/code=([\w-]+)/)[1];
  await page.goto(`${base}/first-account?code=${code}`);
  await page.fill("#username", "ada");
  for (const f of await page.locator("input[type=password]").all()) await f.fill("correct horse battery staple");
  await page.locator("button[type=submit]").first().click();
  await page.waitForLoadState("networkidle");
  await context.storageState({ path: state });
}
for (const arg of process.argv.slice(2)) {
  const [path, name] = arg.split("=>");
  for (const [w, scheme] of [[1440, "light"], [390, "dark"]]) {
    await page.setViewportSize({ width: w, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(base + path);
    await page.waitForTimeout(600);
    await page.screenshot({ path: `/tmp/tryout/${name}-${w}-${scheme}.png`, fullPage: true });
    console.log(path, w, await page.title(), await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]));
  }
}
await browser.close();

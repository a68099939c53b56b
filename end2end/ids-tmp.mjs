import { chromium } from "@playwright/test";
const b = await chromium.launch({ executablePath: process.env.CHROMIUM });
const c = await b.newContext({ storageState: "/tmp/tryout/state.json" });
const p = await c.newPage();
for (const path of ["/assessments", "/tensions"]) {
await p.goto("http://127.0.0.1:38222" + path);
console.log(path, JSON.stringify(await p.$$eval("main a[href^='/assessments/'], main a[href^='/tensions/0']", (a) => a.map((x) => x.getAttribute("href") + " " + x.textContent.trim().slice(0, 40)).slice(0, 8))));
}
await b.close();

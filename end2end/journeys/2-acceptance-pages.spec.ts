// Acceptance of pages: reports on paper, bytes, sizes of type, a full home, the graph of a report, and pages by keys, without scripts and
// on a phone.
// 2-share holds the page of a link to its bounds, 2-tensions reads matrix and calendar by keys, and 2-graph duplicates.
import { inflateSync } from "node:zlib";
import type { Page, Request } from "@playwright/test";
import { IN_THE_END, MOST_HOME_PIXELS, ONE_SIZE, SIGNED_IN, SIZES, expect, pressEnter, reports, test } from "./support";

test.use({ storageState: SIGNED_IN });

/** No printed text is smaller, in points. */
const LEAST_POINTS = 8;
/** Bytes of a first load with gzip and without JavaScript: document, style sheet and fonts, with their headers. */
const MOST_BYTES = 60_000;
/** Width between the margins of printed A4, in pixels. */
const PAPER_WIDTH = 665;
/** Beginning of the question about the explosion, whose report these journeys open. */
const EXPLOSION = "Who was behind";
const PHONE = { width: 390, height: 844 };
/** Pages whose sizes and controls are measured, beside the reports. */
const PAGES = [
  "/", "/assessments", "/documents", "/entities", "/reviews", "/graph", "/search?q=lock", "/sources", "/investigations/new",
  "/tensions", "/tensions/responses", "/monitor", "/monitor/interests", "/monitor/schedule/new", "/watching", "/notifications",
  "/delivery", "/delivery/server", "/shares", "/interview", "/interview/form?set=watch", "/settings", "/tools", "/people",
  "/people/log", "/teams", "/account",
];

/** Returns the address of a tension of the sample, once the sample has them. */
async function tension(page: Page): Promise<string> {
  const link = page.getByRole("link", { name: "Shortage in Mali" }).first();
  await expect(async () => {
    await page.goto("/tensions/responses");
    await expect(link).toBeVisible({ timeout: 1_000 });
  }, "the sample has tensions").toPass(IN_THE_END);
  return `${await link.getAttribute("href")}`;
}

/** Returns the sizes of the text of a PDF that Chromium printed, in points: each font size in the scale of its page. */
function printedSizes(pdf: Buffer): number[] {
  const source = pdf.toString("latin1");
  const sizes = new Set<number>();
  for (const [, object] of source.matchAll(/\/Contents (\d+) 0 R/g)) {
    const head = source.search(new RegExp(`\\b${object} 0 obj\\b`));
    const start = source.indexOf("stream", head) + "stream".length;
    const content = inflateSync(pdf.subarray(source.indexOf("\n", start) + 1)).toString("latin1");
    let [scale, font, operands]: [number, number, number[]] = [1, 0, []];
    const saved: number[] = [];
    const size = ([a = 0, b = 0, c = 0, d = 0]: number[]) => Math.sqrt(Math.abs(a * d - b * c));
    for (const word of content.replace(/\((?:\\.|[^\\()])*\)/gs, " ").split(/[\s[\]]+/)) {
      if (word !== "" && Number.isFinite(Number(word))) {
        operands.push(Number(word));
        continue;
      }
      if (word === "q") saved.push(scale);
      else if (word === "Q") scale = saved.pop() ?? 1;
      else if (word === "cm") scale *= size(operands.slice(-6));
      else if (word === "Tf") font = operands.at(-1) ?? 0;
      else if (word === "Tm") sizes.add(Math.round(font * size(operands.slice(-6)) * scale * 100) / 100);
      operands = [];
    }
  }
  // Size 0 is text that only a copy contains.
  return [...sizes].filter((one) => one > 0);
}

test("a report printed in full is readable, with every column of its matrix", ONE_SIZE, async ({ page }) => {
  for (const report of await reports(page)) {
    const sizes = printedSizes(await (await page.request.get(`${report}/full.pdf`)).body());
    expect(sizes.length, `sizes of ${report}`).toBeGreaterThan(1);
    expect.soft(Math.min(...sizes), `points of ${report}: ${sizes}`).toBeGreaterThanOrEqual(LEAST_POINTS);
  }
  const [report] = await reports(page, EXPLOSION);
  const { hypotheses } = await (await page.request.get(`${report}/export.json`)).json();
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: PAPER_WIDTH, height: 900 });
  await page.goto(`${report}/evidence`);
  const columns = await page.locator("th.matrix-hypothesis:visible").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  expect(columns.length).toBeGreaterThanOrEqual(hypotheses.length);
  expect(Math.max(...columns)).toBeLessThanOrEqual(PAPER_WIDTH);
  await page.goto(`${report}/analysis`);
  const loose = await page.locator("article :is(h2, h3, h4)").evaluateAll((all) => all.filter((one) => getComputedStyle(one).breakAfter !== "avoid").length);
  expect(loose, "headings that may stand at the foot of a page").toBe(0);
  const rows = page.locator(".section-dissent tbody tr");
  expect(await rows.count()).toBeGreaterThan(0);
  await expect(rows.first(), "a table has its columns on paper").toHaveCSS("display", "table-row");
});

test("home and the reports load within their bytes", ONE_SIZE, async ({ page, browser }) => {
  const all = await reports(page);
  expect(all.length).toBeGreaterThan(0);
  for (const address of ["/", ...all]) {
    // A context of its own has an empty cache.
    const context = await browser.newContext({
      storageState: SIGNED_IN,
      javaScriptEnabled: false,
      extraHTTPHeaders: { "accept-encoding": "gzip" },
    });
    const first = await context.newPage();
    const loaded: Request[] = [];
    first.on("requestfinished", (request) => loaded.push(request));
    const answer = await first.goto(new URL(address, page.url()).href, { waitUntil: "networkidle" });
    expect(answer?.headers()["content-encoding"], address).toBe("gzip");
    const sizes = await Promise.all(loaded.map((request) => request.sizes()));
    const bytes = sizes.map(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize);
    const parts = loaded.map((request, place) => `${new URL(request.url()).pathname} ${bytes[place]}`).join(", ");
    expect(loaded.some((request) => request.resourceType() === "font"), parts).toBe(true);
    expect.soft(bytes.reduce((sum, one) => sum + one, 0), parts).toBeLessThanOrEqual(MOST_BYTES);
    await context.close();
  }
});

test("a fold of a brief brings the citations that its page does not hold", ONE_SIZE, async ({ page }) => {
  const [report] = await reports(page, EXPLOSION);
  const { citations } = await (await page.request.get(`${report}/export.json`)).json();
  await page.goto(`${report}`);
  const panels = page.locator(".cite-panel");
  expect(await panels.count()).toBeLessThan(citations.length);
  const folded = page.locator("#answers-brief details.answer:visible").filter({ has: page.locator('a.cite[href*="/evidence#c"]') });
  const answer = page.locator(`[id="${await folded.first().getAttribute("id")}"]`);
  const place = await answer.locator('a.cite[href*="/evidence#c"]').first().getAttribute("href");
  const target = `${place?.slice(place.indexOf("#"))}`;
  await answer.locator("summary").click();
  await expect(panels).toHaveCount(citations.length);
  await pressEnter(answer.locator(`a.cite[href="${target}"]`).first());
  await expect(page.locator(target)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.locator(target)).toBeHidden();
});

test("every page keeps to six sizes of type, and no control to the browser's colours", ONE_SIZE, async ({ page }) => {
  const [report] = await reports(page, EXPLOSION);
  await page.setViewportSize({ width: 1440, height: 900 });
  let controls = 0;
  for (const address of [...PAGES, `${report}/work`, `${report}/evidence?view=list`, await tension(page)]) {
    await page.goto(address);
    const found = await page.evaluate((sizes) => {
      const all = [...document.querySelectorAll("main *")].filter((one) => one.checkVisibility());
      const hasText = (one: Element) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      const isText = (one: Element) => hasText(one) && !one.matches("svg *, option, script, style, noscript");
      const other = all.filter((one) => isText(one) && ![0, ...sizes].includes(parseFloat(getComputedStyle(one).fontSize)));
      const coloured = all.filter((one) => one.matches("input:is([type=checkbox], [type=radio], [type=range]), progress"));
      return {
        other: [...new Set(other.map((one) => `${one.tagName}.${one.className} ${getComputedStyle(one).fontSize}`))],
        plain: coloured.filter((one) => getComputedStyle(one).accentColor === "auto").map((one) => one.outerHTML),
        controls: coloured.length,
      };
    }, SIZES);
    expect.soft(found.other, `sizes of ${address}`).toEqual([]);
    expect.soft(found.plain, `controls of ${address}`).toEqual([]);
    controls += found.controls;
  }
  expect(controls).toBeGreaterThan(0);
});

/** Blocks of the home page with as many rows as it shows of 20, which the tests of its parts hold it to. */
const HOME_BLOCKS = (() => {
  const words = "The council of Mellin decides on the second crane at the quay of the grain harbour".repeat(2);
  const title = `<p class="row-title"><a href="/">${words}</a></p>`;
  const row = (facts: string) => `<li class="row">${title}${facts}</li>`;
  const block = (name: string, rows: string, rest = "") => `<section><h2>${name}</h2>${rest}<ul class="rows">${rows}</ul>`;
  const fold = (text: string) => `<details><summary>${text}</summary></details>`;
  const stop = '<details class="confirm"><summary>Stop…</summary></details>';
  const running = `<li class="row"><a class="row-title" href="/">${words}</a><p class="card-facts"><span class="badge">Reading</span></p>${stop}</li>`;
  const link = '<p><a href="/">All</a></p></section>';
  return {
    since: `<section class="since"><h2>Since your last visit</h2><ul>${`<li>Finished: <a href="/">${words.slice(0, 100)}</a></li>`.repeat(3)}</ul>${fold("17 more")}</section>`,
    running: `<section><h2>In progress</h2><ul class="rows row-lines">${running.repeat(2)}</ul>${fold("18 more")}</section>`,
    failed: fold("20 investigations have failed"),
    beside: [
      block("Rising tensions", row('<p class="card-facts"><span>.71</span> <span class="badge">Sample</span></p>').repeat(5)) + link,
      `${block("Likelihoods that moved", row('<p class="card-facts"><span>49 → 61 %</span></p>').repeat(2))}</section>`,
      block("Due soon", row('<p class="card-facts"><span>over: did it happen?</span></p>').repeat(3)) + link,
      block("For you", row(`<p class="row-answer">Report, you watch “${words}”</p>`).repeat(3), "<p>20 things changed since Friday, 9 minutes.</p>") + fold("17 more") + link,
    ].join(""),
    assessments: 8,
  };
})();

test("home with 20 of everything is one screen", ONE_SIZE, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  const height = await page.evaluate((blocks) => {
    for (const name of ["since", "running", "failed"] as const) {
      const region = document.querySelector(`[data-live=${name}]`);
      if (region !== null) region.innerHTML = blocks[name];
    }
    const list = document.querySelector(".assessment-rows");
    while (list?.lastElementChild && list.children.length < blocks.assessments) list.append(list.lastElementChild.cloneNode(true));
    list?.insertAdjacentHTML("afterend", '<p><a href="/assessments">All 20 assessments</a></p>');
    const library = document.querySelector(".library-line");
    library?.parentElement?.replaceChildren(library);
    library?.insertAdjacentHTML("beforebegin", blocks.beside);
    document.querySelector(".setup")?.remove();
    return document.documentElement.scrollHeight;
  }, HOME_BLOCKS);
  await expect(page.locator(".assessment-row")).toHaveCount(HOME_BLOCKS.assessments);
  await expect(page.getByRole("heading", { name: "Due soon" })).toBeVisible();
  expect(height).toBeLessThanOrEqual(MOST_HOME_PIXELS);
});

test("the graph of a report holds what it cites, and more on request", ONE_SIZE, async ({ page }) => {
  const [report] = await reports(page, EXPLOSION);
  const { citations } = await (await page.request.get(`${report}/export.json`)).json();
  const cited = new Set(citations.map((citation: { claim_id: string }) => citation.claim_id));
  await page.goto(`${report}`);
  await page.locator(".report-actions .more summary").click();
  await page.getByRole("link", { name: "Show in the graph" }).click();
  await expect(page).toHaveURL(/\/graph\?report=/);
  const edges = async (): Promise<{ id: string; claims: number }[]> =>
    (await (await page.request.get(`/graph/export.json${new URL(page.url()).search}`)).json()).edges;
  const shown = await edges();
  expect(shown.length).toBeGreaterThan(0);
  for (const { id } of shown.slice(0, 5)) {
    const claims = (await (await page.request.get(`/relationships/${id}`)).text()).matchAll(/\/claims\/([0-9a-f-]{36})/g);
    expect.soft([...claims].some(([, claim]) => cited.has(claim)), `relationship ${id}`).toBe(true);
  }
  await page.getByLabel("Also what else is known").check();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/known=1/);
  const claims = (all: { claims: number }[]) => all.reduce((sum, edge) => sum + edge.claims, 0);
  expect(claims(await edges())).toBeGreaterThan(claims(shown));
});

test("the matrix of the evidence is read by keys", ONE_SIZE, async ({ page }) => {
  const [report] = await reports(page, EXPLOSION);
  await page.goto(`${report}/evidence`);
  await page.waitForLoadState("load");
  const region = page.locator(".scroll:has(table.matrix)").first();
  await region.focus();
  await page.keyboard.press("Tab");
  await expect(region.locator("thead a").first()).toBeFocused();
  const marker = region.locator("tbody a.cite").first();
  const panel = page.locator(`[id="${(await marker.getAttribute("href"))?.slice(1)}"]`);
  await pressEnter(marker);
  await expect(panel).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(marker).toBeFocused();
});

test("the map is opened by keys, and follows the region that keys choose in the matrix", ONE_SIZE, async ({ page }) => {
  await tension(page);
  await page.goto("/tensions");
  await expect(page.locator(".heat-matrix[role=grid]")).toBeVisible();
  await pressEnter(page.locator(".heat-map summary"));
  const map = page.locator(".heat-map svg");
  await expect(map.locator("path").first()).toBeAttached();
  const world = await map.getAttribute("viewBox");
  await page.locator(".heat-matrix a[tabindex='0']").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/[?&]region=\d{3}.*view=map/);
  await expect(map).not.toHaveAttribute("viewBox", `${world}`);
});

test.describe("on a phone without JavaScript", () => {
  test.use({ javaScriptEnabled: false, viewport: PHONE });

  test("matrices, the calendar, news and duplicates are whole, and nothing scrolls sideways", ONE_SIZE, async ({ page }) => {
    const [report] = await reports(page, EXPLOSION);
    const contents = {
      [`${report}/evidence`]: "table.matrix td.rating",
      "/tensions": ".heat-matrix .heat-hottest",
      [await tension(page)]: ".calendar-months li",
      "/monitor": "main h1",
      "/reviews": ".pair",
    };
    for (const [address, content] of Object.entries(contents)) {
      await page.goto(address);
      await expect.soft(page.locator(content).first(), address).toBeVisible();
      const pictures = page.locator("html, .scroll:has(.matrix, .heat-matrix, .calendar-table)");
      const surplus = await pictures.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
      expect.soft(Math.max(...surplus), address).toBeLessThanOrEqual(0);
    }
  });

  test("a pair of duplicates is put off by a form, and that is undone", ONE_SIZE, async ({ page }) => {
    await page.goto("/reviews");
    const pairs = page.locator("#pairs .pair-link");
    const first = await pairs.first().textContent();
    await page.locator(".pair").getByRole("button", { name: /^Decide later/ }).click();
    await expect(page.getByRole("status").filter({ hasText: "Moved to the end" })).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(pairs.first()).toHaveText(`${first}`);
  });
});

// Acceptance of the report and the frame: length, one statement once, one figure everywhere, citations in one action, one row, forms of display.
// Acceptance of objects: each is archived, shared and found.
import type { Page } from "@playwright/test";
import { FERRY, QUESTION } from "./papers";
import { IN_THE_END, MOST_HOME_PIXELS, ONE_SIZE, REPORT, SIGNED_IN, SIZES, expect, pressEnter, reports, test } from "./support";

test.use({ storageState: SIGNED_IN });

/** A brief is one page, on two screens (the phone has three). */
const MOST_WORDS = 450;
const MOST_PIXELS = { 1440: 1_800, 390: 3_000 };
/** The answer begins on the first screen. */
const ANSWER_STARTS_BY = { 1440: 300, 390: 420 };
/** Contrast of a picture to what it stands on, as WCAG 1.4.11 asks. */
const LEAST_CONTRAST = 3;
const CITATIONS_PER_PAGE = 25;
/** No page is a wall. */
const MOST_PAGE_PIXELS = 6_000;
const MOST_TAB_STOPS = 200;
const WIDTHS = [390, 768, 1440, 1920];

type Hypothesis = { is_none: boolean; probability: number };

test("a brief is short, and says nothing twice", ONE_SIZE, async ({ page }) => {
  const all = await reports(page);
  expect(all.length).toBeGreaterThan(0);
  for (const report of all) {
    await page.goto(report);
    const brief = page.locator("article.product");
    for (const [width, most] of Object.entries(MOST_PIXELS)) {
      await page.setViewportSize({ width: Number(width), height: 900 });
      const height = await brief.evaluate((article) => article.getBoundingClientRect().height);
      expect.soft(height, `pixels of ${report} at ${width}`).toBeLessThanOrEqual(most);
    }
    // Words to read: without markers, buttons, tabs, notices and the line of dates.
    const text = await brief.evaluate((article) => {
      const controls = article.querySelectorAll<HTMLElement>(".cite, button, nav, .exports, .product-dates, .notice, .cite-panel");
      controls.forEach((control) => (control.style.display = "none"));
      return (article as HTMLElement).innerText;
    });
    const words = text.split(/\s+/).filter((one) => /[\p{L}\p{N}]/u.test(one));
    expect.soft(words.length, `words of ${report}`).toBeLessThanOrEqual(MOST_WORDS);
    const sentences = text.split(/\n|(?<=[.!?])\s/).map((one) => one.trim().toLowerCase());
    const long = sentences.filter((one) => one.split(/\s+/).length >= 6);
    expect.soft(long.filter((one, place) => long.indexOf(one) !== place), `said twice in ${report}`).toEqual([]);
  }
});

test("the answer stands first in the largest type, and is pasted with its citations", ONE_SIZE, async ({ page }) => {
  for (const report of await reports(page)) {
    await page.goto(report);
    const answer = page.locator("article .bottom-line").first();
    for (const [width, most] of Object.entries(ANSWER_STARTS_BY)) {
      await page.setViewportSize({ width: Number(width), height: 900 });
      const top = await answer.evaluate((line) => line.getBoundingClientRect().top + window.scrollY);
      expect.soft(top, `top of the answer of ${report} at ${width}`).toBeLessThanOrEqual(most);
    }
    const { question } = await (await page.request.get(`${report}/export.json`)).json();
    const times = await answer.evaluate((line, words) => {
      const texts = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
      let above = "";
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        const isAbove = (line.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
        if (isAbove && node.parentElement?.checkVisibility()) above += ` ${node.textContent}`;
      }
      return above.toLowerCase().split(words).length - 1;
    }, question.replace(/\?$/, "").toLowerCase());
    expect.soft(times, `the question above the answer of ${report}`).toBeLessThanOrEqual(2);
    const [size, largest] = await answer.evaluate((line) => {
      const sizeOf = (one: Element) => parseFloat(getComputedStyle(one).fontSize);
      return [sizeOf(line), Math.max(...[...document.querySelectorAll("main *")].map(sizeOf))];
    });
    expect.soft(size, `type of the answer of ${report}`).toBe(largest);
    const pasted = await answer.evaluate((line) => {
      getSelection()?.selectAllChildren(line);
      return `${getSelection()}`;
    });
    expect.soft(pasted, report).toMatch(/\[\d+\]/);
    const shares = (await page.locator("#answers-brief ul.answers .answer-share:visible").allInnerTexts()).map(parseFloat);
    expect.soft(shares.filter((share) => share >= 5).length, `answers of ${report}`).toBe(shares.length);
    // "None of these" comes last, whatever its share.
    for (const list of await page.locator("#answers-brief ul.answers").all()) {
      const listed = (await list.locator(".answer-share:visible").allInnerTexts()).map(parseFloat).slice(0, -1);
      expect.soft(listed, `order of the answers of ${report}`).toEqual([...listed].sort((one, other) => other - one));
    }
  }
});

test("the headline does not contradict the likelihoods", ONE_SIZE, async ({ page }) => {
  for (const report of await reports(page)) {
    const { hypotheses } = await (await page.request.get(`${report}/export.json`)).json();
    const most = (isNone: boolean) =>
      Math.max(0, ...hypotheses.filter((one: Hypothesis) => one.is_none === isNone).map((one: Hypothesis) => one.probability));
    const [leader, none] = [most(false), most(true)];
    await page.goto(report);
    const state = (await page.locator(".product-head .badge").first().innerText()).toLowerCase();
    if (leader < 0.55 || leader < none) expect(state, report).not.toBe("answered");
  }
});

test("a citation opens its quote in one action, and Back returns to the pixel", ONE_SIZE, async ({ page }) => {
  const [report] = await reports(page);
  await page.setViewportSize({ width: 1440, height: 600 });
  await page.goto(`${report}`);
  const chip = page.locator("#why").getByRole("link", { name: /^Citation \d+/ }).last();
  await chip.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  const target = await chip.getAttribute("href");
  const panel = page.locator(`[id="${target?.slice(1)}"]`);
  await chip.hover();
  const preview = page.getByRole("tooltip");
  await expect(preview.locator("blockquote")).toHaveText(`${await panel.locator("blockquote").textContent()}`);
  await expect(preview.locator(".quote-context").first()).not.toBeEmpty();
  await page.keyboard.press("Escape");
  await expect(preview).toHaveCount(0);
  await chip.click();
  await expect(panel.locator("blockquote")).toBeInViewport();
  await expect(panel.locator(".quote-context").first(), "the lines around the quote").not.toBeEmpty();
  await page.goBack();
  await expect(panel).toBeHidden();
  expect(await page.evaluate(() => window.scrollY)).toBe(before);
});

test("a panel gives the focus back to the link that opened it", ONE_SIZE, async ({ page }) => {
  const [report] = await reports(page);
  await page.goto(`${report}`);
  await page.waitForLoadState("load");
  // The last marker of a citation that is marked more than once, else the last of all.
  const markers = page.locator("article .brief-columns a.cite:visible");
  const targets = await markers.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  const repeated = targets.findLastIndex((target, place) => targets.indexOf(target) < place);
  const marker = markers.nth(repeated < 0 ? targets.length - 1 : repeated);
  const panel = page.locator(`[id="${(await marker.getAttribute("href"))?.slice(1)}"]`);
  for (const close of ["Escape", "Close", "Back"]) {
    await pressEnter(marker);
    await expect(panel).toBeFocused();
    if (close === "Escape") await page.keyboard.press("Escape");
    else if (close === "Close") await pressEnter(panel.getByRole("link", { name: "Close" }));
    else await page.goBack();
    await expect(panel).toBeHidden();
    await expect(marker, close).toBeFocused();
  }
});

test("one thing has one count on every page", async ({ page }) => {
  for (const report of await reports(page)) {
    const { citations, sources } = await (await page.request.get(`${report}/export.json`)).json();
    const tabs = page.getByRole("navigation", { name: "Parts of the report" });
    for (const tab of ["", "/analysis", "/evidence", "/work"]) {
      await page.goto(`${report}${tab}`);
      await expect(tabs.getByRole("link", { name: /^Evidence/ }), `${report}${tab}`).toContainText(String(citations.length));
    }
    await page.goto(`${report}/evidence?view=list`);
    await expect(page.locator(".citation")).toHaveCount(Math.min(CITATIONS_PER_PAGE, citations.length));
    await page.goto(`${report}/evidence?view=origins`);
    await expect(page.locator(".origin")).toHaveCount(sources.origins_cited);
    await expect(page.locator("#sources")).toContainText(`${sources.documents_read} consulted`);
    await page.goto(report);
    await expect(page.locator(".product-dates")).toContainText(`${sources.documents_read} documents consulted, ${sources.documents_cited} cited`);
  }
  await page.goto("/");
  const library = page.locator(".library-line a");
  const documents = `${await library.textContent()}`;
  await library.click();
  const isEmpty = documents.startsWith("0 ");
  await expect(page.locator("main [role=status]").first()).toContainText(isEmpty ? "No documents" : documents);
  await page.goto("/assessments");
  const assessments = await page.locator(".assessment-row").count();
  await expect(page.locator("main [role=status]").first()).toContainText(`${assessments} assessments`);
});

test("no page is a wall, and the matrix fits its page", ONE_SIZE, async ({ page }) => {
  const all = await reports(page);
  const [report] = all;
  await page.setViewportSize({ width: 1440, height: 900 });
  const analyses = all.map((one) => `${one}/analysis`);
  const views = ["", "?view=list", "?view=timeline", "?view=origins", "?view=unused"].map((query) => `${report}/evidence${query}`);
  for (const address of [report, ...analyses, ...views, `${report}/work`, "/", "/assessments", "/documents", "/reviews", "/entities"]) {
    await page.goto(address);
    const { height, stops } = await page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")];
      const seen = all.filter((one) => one.tabIndex >= 0 && one.checkVisibility());
      return { height: document.documentElement.scrollHeight, stops: seen.length };
    });
    expect.soft(height, `pixels of ${address}`).toBeLessThanOrEqual(MOST_PAGE_PIXELS);
    expect.soft(stops, `tab stops of ${address}`).toBeLessThanOrEqual(MOST_TAB_STOPS);
  }
  await page.goto(`${report}/evidence`);
  const surplus = await page.locator(".scroll").evaluateAll((regions) => regions.map((one) => one.scrollWidth - one.clientWidth));
  expect(Math.max(...surplus), "the matrix scrolls sideways").toBeLessThanOrEqual(0);
});

test("every fold of the analysis opens, and its sections have text", ONE_SIZE, async ({ page }) => {
  const all = await reports(page);
  expect(all.length).toBeGreaterThan(0);
  for (const report of all) {
    await page.goto(`${report}/analysis`);
    const empty = await page.locator("article .section").evaluateAll((sections) => {
      const read = (one: Element) => [...one.children].filter((part) => !/^H\d$/.test(part.tagName) && part.checkVisibility());
      return sections.filter((one) => !read(one).some((part) => (part as HTMLElement).innerText.trim())).map((one) => one.id);
    });
    expect.soft(empty, `headings without text in ${report}`).toEqual([]);
    // A link to an answer opens its reasons.
    const closed = page.locator(".hypothesis:has(> details:not([open]))").first();
    const anchor = await closed.getAttribute("id");
    await page.goto(`${report}/analysis#${anchor}`);
    await expect(page.locator(`#${anchor} .hypothesis-why`)).toBeVisible();
    const folds = page.locator("article .section details");
    await folds.evaluateAll((all) => all.forEach((one) => ((one as HTMLDetailsElement).open = true)));
    for (const summary of await page.locator("article .section details > summary").all()) await expect(summary).toBeVisible();
    // On paper no line of a fold stands without what it folds.
    await page.goto(`${report}/analysis`);
    await page.emulateMedia({ media: "print" });
    await expect(page.locator(".more-items > :not(summary)").last()).toBeVisible();
    await expect(page.locator(".more-items > summary").last()).toBeHidden();
    await page.emulateMedia({ media: null });
  }
});

test("the brief is printed on at most three pages", ONE_SIZE, async ({ page }) => {
  for (const report of await reports(page)) {
    const answer = await page.request.get(`${report}/brief.pdf`);
    expect(answer.headers()["content-type"], report).toContain("application/pdf");
    const pages = (await answer.body()).toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect.soft(pages, `pages of ${report}`).toBeGreaterThan(0);
    expect.soft(pages, `pages of ${report}`).toBeLessThanOrEqual(3);
  }
});

test("home is one screen, whatever has happened", ONE_SIZE, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  const height = await page.evaluate(() => {
    const steps = document.querySelector(".setup")?.getBoundingClientRect().height ?? 0;
    return document.documentElement.scrollHeight - steps;
  });
  expect(height).toBeLessThanOrEqual(MOST_HOME_PIXELS);
});

test("the bar has six areas, each with a key and one second row", ONE_SIZE, async ({ page }) => {
  await page.goto("/monitor");
  const row = (name: string) => page.getByRole("navigation", { name, exact: true }).getByRole("link");
  await expect(row("Main")).toHaveText(["Home", "Assessments", "Tensions", "Monitor", "Explore", "Library"]);
  await expect(row("Monitor")).toHaveText(["For you", "Interests", "Schedule", "Interview", "Delivery"]);
  for (const [key, path] of Object.entries({ t: "/tensions", l: "/documents", a: "/assessments", m: "/monitor", h: "/", e: "/graph" })) {
    await page.waitForLoadState("load");
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await page.waitForURL((address) => address.pathname === path);
  }
});

test("letters of the graph stand out in forced colours", ONE_SIZE, async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/graph");
  await expect(page.locator("#graph-canvas [role=status]")).toContainText("relationships");
  // Cytoscape.js keeps its picture at its container.
  const colours = await page.evaluate(() => {
    const pictures = [...document.querySelectorAll("#graph-canvas, #graph-canvas *")].map((element) => (element as any)._cyreg?.cy);
    const name = pictures.find(Boolean).nodes().first();
    return [name.style("color"), name.style("text-background-color")];
  });
  expect(new Set(colours).size, String(colours)).toBe(2);
});

test("the graph takes the width of a large screen", ONE_SIZE, async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto("/graph");
  await expect(page.locator("#graph-canvas [role=status]")).toContainText("relationships");
  const width = await page.locator("#graph-canvas").evaluate((canvas) => canvas.getBoundingClientRect().width);
  expect(width).toBeGreaterThan(1_400);
});

test("enlarged text leaves room to read", ONE_SIZE, async ({ page }) => {
  // A window of 1440 by 900 pixels at 200 %.
  await page.setViewportSize({ width: 720, height: 450 });
  await page.goto("/documents");
  const fixed = await page.locator("header.bar, nav.tabs").evaluateAll((bars) => {
    const isFixed = (bar: Element) => ["fixed", "sticky"].includes(getComputedStyle(bar).position);
    return bars.filter(isFixed).reduce((height, bar) => height + bar.getBoundingClientRect().height, 0);
  });
  expect(fixed).toBeLessThanOrEqual(56);
});

test("question, files and start need no scrolling", ONE_SIZE, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/investigations/new");
  const bottom = await page.getByRole("button", { name: "Start the investigation" }).evaluate((button) => button.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThanOrEqual(480);
  await expect(page.locator("#files")).toBeInViewport();
});

test("pages have six sizes of type, and citations that do not move lines", ONE_SIZE, async ({ page }) => {
  const [report] = await reports(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const address of [report, `${report}/analysis`, `${report}/evidence`, "/", "/documents", "/entities"]) {
    await page.goto(address);
    const sizes = await page.locator("main *:visible").evaluateAll((all) => {
      const hasText = (one: Element) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      return [...new Set(all.filter((one) => hasText(one) && !one.matches(".cite > i, svg *")).map((one) => parseFloat(getComputedStyle(one).fontSize)))];
    });
    expect.soft(sizes.filter((size) => !SIZES.includes(size)), `sizes of ${address}`).toEqual([]);
  }
  await page.goto(`${report}`);
  const surplus = await page.locator("#why .reasons > li > p").evaluateAll((lines) =>
    lines.map((line) => {
      const height = parseFloat(getComputedStyle(line).lineHeight);
      const rows = line.getBoundingClientRect().height / height;
      return Math.abs(rows - Math.round(rows)) * height;
    }),
  );
  expect(Math.max(...surplus), "pixels by which a citation moves a line").toBeLessThanOrEqual(0.5);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).accentColor)).not.toBe("auto");
});

/**
 * Returns the quiet buttons that are out of line. The text of one that begins a line stands flush with the text of its row; those with
 * the same words and the same controls before them share their left or right edge in all rows of a list.
 */
async function misplacedButtons(page: Page): Promise<{ seen: number; wrong: string[] }> {
  return page.locator("main .quiet").evaluateAll((all) => {
    const buttons = all.filter((one) => one.checkVisibility() && one.closest(".report-bar") === null);
    const isClose = (one: number, other: number) => Math.abs(one - other) <= 1;
    const words = (one: Element) => one.firstChild?.textContent?.trim() ?? "";
    const groups = new Map<string, DOMRect>();
    const lists: (Element | null)[] = [];
    const wrong: string[] = [];
    for (const button of buttons) {
      const row = button.closest("li, tr, section, aside, main") ?? document.body;
      const { paddingLeft, borderLeftWidth } = getComputedStyle(row);
      const start = row.getBoundingClientRect().left + parseFloat(paddingLeft) + parseFloat(borderLeftWidth);
      const box = button.getBoundingClientRect();
      const isBefore = (one: Element) => {
        const { top, bottom, right, width } = one.getBoundingClientRect();
        const isBeside = Math.min(bottom, box.bottom) - Math.max(top, box.top) > 2 && right <= box.left + 1;
        return width > 1 && isBeside && one.checkVisibility() && !one.contains(button);
      };
      const line = [...row.querySelectorAll("*")].filter(isBefore);
      if (line.length === 0) {
        const text = document.createRange();
        text.selectNodeContents(button.firstChild ?? button);
        const offset = text.getBoundingClientRect().left - start;
        if (!isClose(offset, 0)) wrong.push(`${words(button)} begins ${offset} px beside its row`);
        continue;
      }
      if (!lists.includes(row.parentElement)) lists.push(row.parentElement);
      const controls = line.filter((one) => one.matches("button, .button, summary, input, select")).map((one) => one.tagName + words(one));
      const key = [lists.indexOf(row.parentElement), words(button), ...controls].join("|");
      const first = groups.get(key) ?? box;
      groups.set(key, first);
      const isShared = isClose(first.left, box.left) || isClose(first.right, box.right);
      if (!isShared) wrong.push(`${words(button)} from ${box.left} to ${box.right}, above from ${first.left} to ${first.right}`);
    }
    return { seen: buttons.length, wrong };
  });
}

test("text buttons stand in line with their rows", ONE_SIZE, async ({ page }) => {
  const [report] = await reports(page);
  const interests = ["Opera houses of Norway", "Glaciers of Patagonia"];
  for (const interest of interests) {
    await page.goto("/monitor/interests/new");
    await page.getByLabel("What do you care about?").fill(interest);
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL((address) => address.pathname === "/monitor/interests");
  }
  const seen: Record<string, number> = {};
  for (const address of ["/settings", "/monitor", "/monitor/interests", "/notifications", "/watching", `${report}/analysis`]) {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(address);
      const folds = page.locator("main .settings-part > details");
      await folds.evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
      const found = await misplacedButtons(page);
      seen[address] = found.seen;
      expect.soft(found.wrong, `${address} at ${width}`).toEqual([]);
    }
  }
  for (const address of ["/settings", "/monitor/interests"]) expect.soft(seen[address], address).toBeGreaterThan(0);
  await page.goto("/monitor/interests");
  for (const interest of interests) {
    const row = page.locator("li.row").filter({ hasText: interest });
    await row.getByRole("button", { name: /^Delete/ }).click();
    await expect(row).toHaveCount(0);
  }
});

test("bands and bars stand out from what they stand on", ONE_SIZE, async ({ page }) => {
  const [report] = await reports(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const tab of ["", "/analysis"]) {
      await page.goto(`${report}${tab}`);
      const pale = await page.locator(".scale-range, .scale-point, .shares .share:not(.share-none)").evaluateAll((parts, least) => {
        const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const light = (colour: string): number => {
          if (canvas === null) return NaN;
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
          const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const paper = (element: Element | null): string => {
          const colour = element === null ? "white" : getComputedStyle(element).backgroundColor;
          return /, 0\)$/.test(colour) ? paper(element?.parentElement ?? null) : colour;
        };
        const contrast = (part: Element) => {
          const [one, other] = [light(getComputedStyle(part).fill), light(paper(part.closest("svg")))].sort((a, b) => a - b);
          return (other + 0.05) / (one + 0.05);
        };
        return [...new Set(parts.filter((part) => !(contrast(part) >= least)).map((part) => `${part.getAttribute("class")}: ${contrast(part)}`))];
      }, LEAST_CONTRAST);
      expect.soft(pale, `${tab} in ${colorScheme}`).toEqual([]);
    }
  }
});

test("the bar is one row and nothing scrolls sideways at any width, in forced colours too", ONE_SIZE, async ({ page }) => {
  const [report] = await reports(page);
  await page.emulateMedia({ forcedColors: "active" });
  for (const address of ["/", `${report}`, "/documents", "/graph", "/search?q=lock", "/investigations/new", "/sources", "/settings", "/monitor", "/tensions"]) {
    await page.goto(address);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const { bar, surplus } = await page.evaluate(() => ({
        bar: document.querySelector("header")?.getBoundingClientRect().height ?? 0,
        surplus: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }));
      expect.soft(bar, `the bar of ${address} at ${width}`).toBeLessThanOrEqual(56);
      expect.soft(surplus, `${address} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});

/** Returns the titles of one kind that the command palette of this page finds. */
async function paletteHits(page: Page, words: string, kind: string): Promise<string[]> {
  await page.waitForLoadState("load");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await palette.getByRole("combobox", { name: "Search or jump" }).fill(words);
  await expect(palette.getByRole("status")).toContainText("found.");
  const titles = await palette.getByRole("group", { name: kind, exact: true }).getByRole("option").allInnerTexts();
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  return titles;
}

test("every object can be archived, shared and found by the palette", async ({ page }) => {
  // Objects of one's own: the sample has no readers to choose.
  await page.goto("/investigations/new");
  await page.getByRole("textbox", { name: "Question" }).fill(QUESTION);
  await page.locator("#files").setInputFiles(FERRY.slice(0, 1));
  await page.getByRole("button", { name: "Start the investigation" }).click();
  await expect(page).toHaveURL(REPORT, IN_THE_END);
  const report = new URL(page.url()).pathname;
  const { citations } = await (await page.request.get(`${report}/export.json`)).json();
  const document = `/documents/${citations[0].document_id}`;

  // A follow-up is one action, and its report opens by itself.
  await page.locator(".report-actions summary", { hasText: "Follow up" }).click();
  await page.locator("#ask-next").fill("When does the ferry of Orsk run again?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.waitForURL((address) => REPORT.test(address.pathname) && address.pathname !== report, IN_THE_END);
  await page.locator(".report-actions .more summary").click();
  await page.getByRole("link", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page).toHaveURL(/\/assessments$/);

  for (const [kind, address] of [["Assessments", report], ["Documents", document]]) {
    await page.goto(address);
    const title = kind === "Assessments" ? QUESTION : await page.locator("h1").innerText();
    expect(await paletteHits(page, "Orsk", kind)).toContain(title);
    if (kind === "Assessments") await page.locator(".report-actions .more summary").click();
    await page.getByRole("button", { name: "Archive", exact: true }).click();
    const notice = page.locator(".notice.undo");
    await expect(notice).toContainText("Archived.");
    expect(await paletteHits(page, "Orsk", kind), `archived: ${kind}`).not.toContain(title);
    await notice.getByRole("button", { name: "Undo" }).click();
    await expect(notice).toContainText("Taken out of the archive.");
    expect(await paletteHits(page, "Orsk", kind)).toContain(title);
  }
  // Entities and claims are as visible as their documents, so they have no archive of their own.
  for (const kind of ["Entities", "Claims"]) expect(await paletteHits(page, "Grevald", kind)).not.toEqual([]);

  await page.goto(report);
  await page.locator("details.readers summary").click();
  await expect(page.locator("details.readers select#visibility")).toBeVisible();
  await page.goto("/documents");
  await page.locator("select[name=collection]").selectOption({ label: "Uploads" });
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/\/documents\?.*collection=[0-9a-f-]{36}/);
  await page.locator("details.readers summary").click();
  await expect(page.locator("details.readers select#team")).toBeVisible();

  // The journeys after this one find what they expect.
  for (const address of [document, report]) {
    await page.goto(address);
    if (address === report) await page.locator(".report-actions .more summary").click();
    await page.getByRole("link", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(page).toHaveURL(address === document ? /\/documents\?deleted=1$/ : /\/assessments$/);
  }
});

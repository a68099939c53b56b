// Screenshots of a page (at four widths, light, dark, in forced colours, enlarged), with axe checks and no horizontal scrolling.
import { copyFile, mkdir } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import { type Page, expect } from "@playwright/test";
import { RESULTS } from "../results";

const SCREENS = `${RESULTS}/screens`;
const WIDTHS = [1440, 390];
/** Looks that are only photographed and checked for sideways scrolling: tablet, large screen, colours of the reader, and text at 200 %. */
const OTHER_LOOKS: { name: string; width: number; height?: number; media?: Parameters<Page["emulateMedia"]>[0]; isWhole?: boolean }[] = [
  { name: "768-light", width: 768, isWhole: true },
  { name: "1920-light", width: 1920, isWhole: true },
  { name: "768-dark", width: 768, media: { colorScheme: "dark" } },
  { name: "1920-dark", width: 1920, media: { colorScheme: "dark" } },
  { name: "390-forced", width: 390, media: { forcedColors: "active" } },
  { name: "1440-forced", width: 1440, media: { forcedColors: "active" } },
  // A window of 1440 by 900 pixels.
  { name: "200-percent", width: 720, height: 450 },
];

/** All rules once, then those that depend on colours or width. */
function rules(width: number, colorScheme: "light" | "dark"): string[] {
  if (colorScheme === "dark") return ["color-contrast"];
  return width === WIDTHS[0] ? [] : ["scrollable-region-focusable", "target-size"];
}

/** Checks the open page in every size and colour scheme. */
export async function look(page: Page, name: string): Promise<void> {
  await mkdir(SCREENS, { recursive: true });
  await page.evaluate(() => document.fonts.ready);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const where = `${name}-${width}-${colorScheme}`;
      const isRepetition = colorScheme === "dark" && width !== WIDTHS[0];
      if (!isRepetition) await expectAccessible(page, where, rules(width, colorScheme));
      await page.screenshot({ path: `${SCREENS}/${where}.png`, fullPage: true });
    }
    await expectNoSidewaysScroll(page, `${name}-${width}`);
    await expectReadableType(page, `${name}-${width}`);
    await expectLargeTargets(page, `${name}-${width}`);
  }
  for (const { name: other, width, height = 900, media, isWhole = false } of OTHER_LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none", ...media });
    await page.screenshot({ path: `${SCREENS}/${name}-${other}.png`, fullPage: isWhole });
    await expectNoSidewaysScroll(page, `${name}-${other}`);
  }
  await page.emulateMedia({ colorScheme: "light", forcedColors: null });
  await page.setViewportSize({ width: WIDTHS[0], height: 900 });
}

/** Widths of a mail: a phone, and the reading pane of a program. */
const MAIL_WIDTHS = [390, 700];
/** Width of its column, in pixels. */
const MAIL_COLUMN = 600;

/** Checks the HTML part of a mail at an address: its column, the size of its links, its colours, and that it loads nothing. */
export async function lookAtMail(page: Page, address: string): Promise<void> {
  await mkdir(SCREENS, { recursive: true });
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  const answer = await page.goto(address);
  expect(answer?.status()).toBe(200);
  await expect(page).toHaveURL(new RegExp(`${address}$`));
  const backgrounds = new Set<string>();
  for (const width of MAIL_WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const where = `mail-${width}-${colorScheme}`;
      await expectAccessible(page, where, colorScheme === "dark" ? ["color-contrast"] : []);
      await page.screenshot({ path: `${SCREENS}/${where}.png`, fullPage: true });
      await expectNoSidewaysScroll(page, where);
      await expectReadableType(page, where);
      backgrounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    }
    const column = await page.locator("table table").first().boundingBox();
    expect(column?.width, `column of the mail at ${width}`).toBeLessThanOrEqual(MAIL_COLUMN);
    const low = await page.locator("a").evaluateAll((all) => all.map((link) => link.getBoundingClientRect().height).filter((height) => height < 43.9));
    expect(low, `links of the mail below 44 px at ${width}`).toEqual([]);
  }
  expect(backgrounds.size, "light and dark").toBe(2);
  expect(requested, "the mail loads nothing").toEqual([page.url()]);
}

/** Screenshot of the README, updated on request. */
export async function pictureForReadme(page: Page): Promise<void> {
  const path = `${SCREENS}/readme.png`;
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path, clip: { x: 0, y: 0, width: 1440, height: 1000 }, fullPage: true });
  if (process.env.UPDATE_SCREENSHOT === "1") {
    await mkdir("../docs", { recursive: true });
    await copyFile(path, "../docs/assessment.png");
  }
}

/** Rules that count although axe finds them only moderate. */
const ALWAYS = ["landmark-unique"];

/** Checks that axe finds nothing serious; `rules` limits the check to rules that may differ from the last one. */
async function expectAccessible(page: Page, where: string, rules: string[] = []): Promise<void> {
  // A page that opens at a quotation has links half under its bar, which axe takes for small ones.
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze();
  const grave = violations
    .filter(({ id, impact }) => impact === "serious" || impact === "critical" || ALWAYS.includes(id))
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 5).map((node) => node.html.slice(0, 160)).join(" | ")}`);
  expect.soft(grave, `axe on ${where}`).toEqual([]);
}

/** Checks that nothing overflows the page horizontally. */
async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  const surplus = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(surplus, `the page scrolls sideways on ${where}`).toBeLessThanOrEqual(0);
}

/** Checks that no visible text is smaller than 12 px. Size 0 is not visible: text that only a copy contains. */
async function expectReadableType(page: Page, where: string): Promise<void> {
  const small = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set<string>();
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      const isShown = parent !== null && node.textContent?.trim() !== "" && parent.checkVisibility() && !parent.closest("script, style, svg");
      const size = parent === null ? 0 : parseFloat(getComputedStyle(parent).fontSize);
      if (isShown && size > 0 && size < 12) found.add(`${parent.tagName}.${parent.className}`);
    }
    return [...found];
  });
  expect.soft(small, `text below 12 px on ${where}`).toEqual([]);
}

/** Checks that no control is smaller than 24 px; links within a sentence are none. A label belongs to its box. */
async function expectLargeTargets(page: Page, where: string): Promise<void> {
  const small = await page.evaluate(() => {
    const controls = 'button, select, textarea, summary, .button, .cite, nav a, input:not([type="hidden"])';
    const found = new Set<string>();
    for (const control of document.querySelectorAll(controls)) {
      const target = control.closest("label") ?? control;
      const { width, height } = target.getBoundingClientRect();
      if (control.matches(".cite") && getComputedStyle(control).display === "inline") continue;
      if (control.checkVisibility() && Math.min(width, height) < 23.9) {
        found.add(`${control.tagName}.${control.className} ${width}x${height} ${control.textContent?.trim().slice(0, 40)}`);
      }
    }
    return [...found];
  });
  expect.soft(small, `targets below 24 px on ${where}`).toEqual([]);
}

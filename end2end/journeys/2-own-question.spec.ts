// Own question: files (one broken), stopping midway, keyboard only, without JavaScript.
import { type Page, type Route } from "@playwright/test";
import { FERRY, LOGBOOK, QUESTION } from "./papers";
import { IN_THE_END, ONE_SIZE, REPORT, SIGNED_IN, expect, fillSignIn, test } from "./support";

/** Tab stops of the question form, with those within its date fields and a few collections. */
const MOST_STOPS = 24;

test.describe("signed in", () => {
  test.use({ storageState: SIGNED_IN });

  test("reads files and reports the broken one with its reason", async ({ page }) => {
    await page.goto("/");
    await page.getByLabel("Ask a question about the world").fill(QUESTION);
    await page.getByRole("button", { name: "Ask" }).click();
    await expect(page.getByRole("textbox", { name: "Question" })).toHaveValue(QUESTION);
    // Events are held back until the page has been looked at.
    const events = "**/api/v1/investigations/*/events**";
    await page.route(events, (route) => route.abort());
    // Files chosen before the script ran are listed too.
    await page.locator("#files").setInputFiles(FERRY);
    await expect(page.locator(".chosen").first()).toContainText("in all");
    await page.getByRole("button", { name: "Start the investigation" }).click();

    const broken = page.locator(".rejected li").filter({ hasText: "timetable.pdf" });
    await expect(broken).toBeVisible();
    await expect(broken.locator("span")).not.toBeEmpty();
    await page.unroute(events);
    await expect(page, "the report opens by itself").toHaveURL(REPORT, IN_THE_END);
    await expect(page.locator(".product-head")).toContainText(QUESTION);
    await expect(page.locator("article .cite").first(), "a sourced answer, three clicks after the question").toBeVisible();
    await page.getByRole("link", { name: /^Evidence/ }).click();
    await expect(page.locator(".citation").first()).toBeVisible();
  });

  test("follows a stopped investigation to its assessment", async ({ page }) => {
    // Events are held back until the button is pressed, so that it stays in place.
    const events = "**/api/v1/investigations/*/events**";
    await page.route(events, (route) => route.abort());
    await page.goto("/investigations/new");
    await page.getByRole("textbox", { name: "Question" }).fill("How many crates are on the quay of Mellin?");
    await page.locator("#files").setInputFiles(LOGBOOK);
    await page.getByRole("button", { name: "Start the investigation" }).click();
    await page.locator("summary", { hasText: "Stop…" }).click();
    const stop = page.getByRole("button", { name: "Stop reading and write the report" });
    await expect(stop).toBeVisible();
    await stop.click();
    await page.unroute(events);
    await expect(page).toHaveURL(REPORT, IN_THE_END);
  });

  test("the stop button keeps the focus while events come in", ONE_SIZE, async ({ page }) => {
    // The page gets the first events of the investigation only when the button has the focus.
    const held = new Promise<Route>((hold) => page.route("**/api/v1/investigations/*/events**", hold));
    await page.goto("/investigations/new");
    await page.getByRole("textbox", { name: "Question" }).fill("Which crates are on the quay of Mellin?");
    await page.locator("#files").setInputFiles(LOGBOOK);
    await page.getByRole("button", { name: "Start the investigation" }).click();
    await page.locator("summary", { hasText: "Stop…" }).click();
    const stop = page.getByRole("button", { name: "Stop reading and write the report" });
    await stop.focus();
    const lines = page.locator(".log li");
    const before = await lines.count();
    const stream = await held;
    const events = (await (await page.request.get(stream.request().url())).text()).split("\n\n");
    expect(events.length).toBeGreaterThan(20);
    await stream.fulfill({ contentType: "text/event-stream", body: `${events.slice(0, 10).join("\n\n")}\n\n` });
    await expect.poll(() => lines.count()).toBeGreaterThanOrEqual(before + 3);
    await expect(stop).toBeFocused();
  });

  test("the keyboard alone leads from the dashboard to a started investigation", ONE_SIZE, async ({ page }) => {
    await page.goto("/");
    const focused = page.locator(":focus");
    await page.keyboard.press("Tab");
    await expect(focused).toHaveText("Skip to the content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect(focused).toHaveAttribute("id", "draft");
    await expectVisibleFocus(page);
    await page.keyboard.type(QUESTION);
    await page.keyboard.press("Tab");
    await expect(focused).toHaveText("Ask");
    await expectVisibleFocus(page);
    await page.keyboard.press("Enter");

    await expect(focused, "the question has the focus at once").toHaveAttribute("id", "question");
    await expectVisibleFocus(page);
    const start = page.getByRole("button", { name: "Start the investigation" });
    for (let stops = 0; stops < MOST_STOPS && !(await start.evaluate((button) => button === document.activeElement)); stops += 1) {
      await page.keyboard.press("Tab");
      await expectVisibleFocus(page);
    }
    await expect(start).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/investigations\/[0-9a-f-]{36}$/);
    await expect(page).toHaveURL(REPORT, IN_THE_END);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("signs in, reads, opens a citation and starts an investigation", async ({ page }) => {
    await page.goto("/sign-in");
    await fillSignIn(page);
    await page.locator(".assessment-row").filter({ hasText: "Who was behind" }).filter({ hasText: "Recorded with a language model" }).locator(".row-question a").click();
    await expect(page.locator(".bottom-line").last()).not.toBeEmpty();
    await page.getByRole("link", { name: /^Citation \d+/ }).first().click();
    await page.locator(".cite-panel:target").getByRole("link", { name: "Open document" }).click();
    await expect(page.locator("mark").first()).toBeInViewport();

    await page.getByRole("link", { name: "Ask a question" }).click();
    await page.getByRole("textbox", { name: "Question" }).fill(QUESTION);
    await page.getByRole("button", { name: "Start the investigation" }).click();
    await expect(page.locator("h1")).toHaveText(QUESTION);
    // The page reloads until the end.
    await expect(page.getByRole("link", { name: "Read the assessment" })).toBeVisible(IN_THE_END);
  });
});

/** Checks that the focused element is visible, with an outline or a shadow. */
async function expectVisibleFocus(page: Page): Promise<void> {
  const look = await page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    // The button within a date field is the browser's own, which draws its focus.
    const isInner = element instanceof HTMLInputElement && !element.matches(":focus");
    return { drawn: isInner || (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none", area: width * height };
  });
  expect(look.drawn, "the focus can be seen").toBe(true);
  expect(look.area).toBeGreaterThan(0);
}

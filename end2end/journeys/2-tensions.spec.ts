// Heat of the sample's tensions: home, the matrix by links and by keys, the days, the map, the calendar, and what answers them.
import AxeBuilder from "@axe-core/playwright";
import { type Page } from "@playwright/test";
import { IN_THE_END, ONE_SIZE, SIGNED_IN, expect, test } from "./support";

test.use({ storageState: SIGNED_IN });

const matrix = (page: Page) => page.getByRole("table", { name: /^Heat by region and theme/ });

/** Opens the board, and waits until the browser has taken it over. */
async function openBoard(page: Page, query = ""): Promise<void> {
  await page.goto(`/tensions${query}`);
  await expect(page.locator(".heat-matrix[role=grid]")).toBeVisible();
}

test("home leads to the tensions that rise, and the page of one shows what answers it", async ({ page }) => {
  await expect(async () => {
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Rising tensions" })).toBeVisible({ timeout: 1_000 });
  }, "the sample has rising tensions").toPass(IN_THE_END);
  const rising = page.getByRole("region", { name: "Rising tensions" });
  expect(await rising.getByRole("listitem").count()).toBeLessThanOrEqual(5);
  await expect(rising.getByText("Sample", { exact: true }).first()).toBeVisible();
  await rising.getByRole("link", { name: "All tensions" }).click();
  await expect(page.getByText("Tensions marked Sample are invented")).toBeVisible();
  await page.goto("/tensions/responses");
  await page.getByRole("link", { name: "Shortage in Mali" }).first().click();
  await expect(page.getByRole("heading", { name: "Shortage in Mali" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Dioro Grain Bank" })).toBeVisible();
  await expect(page.getByRole("region", { name: "What eased this before" })).toContainText("Shortage in Ghana");
  await page.getByRole("link", { name: "Investigate" }).click();
  await expect(page.locator("#question")).toHaveValue(/what could ease it\? Shortage in Mali/);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a cell is chosen and the day is changed by links", async ({ page }) => {
    await page.goto("/tensions");
    await expect(matrix(page).getByRole("columnheader", { name: "All themes" })).toBeVisible();
    await expect(page.locator(".heat-map")).toBeHidden();
    await matrix(page).getByRole("link").first().click();
    await expect(page).toHaveURL(/[?&]region=\d{3}/);
    await expect(matrix(page).locator("[aria-current=true]")).toHaveCount(1);
    const day = page.locator(".heat-day");
    const latest = await day.innerText();
    await page.getByRole("link", { name: "Previous day" }).click();
    await expect(page).toHaveURL(/[?&]day=\d{4}-\d\d-\d\d.*region=\d{3}/);
    await expect(day).not.toHaveText(latest);
    await expect(page.getByRole("status").filter({ hasText: await day.innerText() })).toBeVisible();
    await page.getByRole("link", { name: "Next day" }).click();
    await expect(day).toHaveText(latest);
  });
});

test("the matrix is one stop of the tab key, and arrow keys lead through it", ONE_SIZE, async ({ page }) => {
  await openBoard(page);
  const stops = page.locator(".heat-matrix a[tabindex='0']");
  await expect(stops).toHaveCount(1);
  await stops.focus();
  await page.keyboard.press("End");
  const last = page.locator(".heat-matrix a:focus");
  const end = await last.getAttribute("id");
  await page.keyboard.press("Home");
  await expect(last).not.toHaveAttribute("id", `${end}`);
  await expect(stops).toHaveCount(1);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/[?&]region=\d{3}&theme=\w+/);
  await expect(page.locator(".heat-matrix [aria-current=true]")).toHaveCount(1);
  await expect(page.locator(".heat-selection")).toContainText(/: (\.\d\d|1\.00) on \d+ \w+ \d{4}/);
});

test("the slider changes the heat and the address, and plays to the latest day", ONE_SIZE, async ({ page }) => {
  await openBoard(page);
  const slider = page.getByRole("slider", { name: "Day" });
  const latest = await slider.getAttribute("aria-valuetext");
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(page).toHaveURL(/[?&]day=/);
  const earlier = await slider.getAttribute("aria-valuetext");
  expect(earlier).not.toBe(latest);
  await page.reload();
  await expect(page.locator(".heat-day")).toHaveText(`${earlier}`);
  await expect(page.locator(".heat-matrix[role=grid]")).toBeVisible();
  await page.getByRole("button", { name: "Play" }).click();
  await expect(page.locator(".heat-day")).toHaveText(`${latest}`);
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  await expect(page).not.toHaveURL(/[?&]day=/);
});

test("nothing plays where motion is not wanted", ONE_SIZE, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openBoard(page);
  await expect(page.getByRole("button", { name: "Play" })).toBeHidden();
  await expect(page.getByRole("slider", { name: "Day" })).toBeVisible();
});

test("the map is loaded when it is opened, and leads from a region to its countries", ONE_SIZE, async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await openBoard(page);
  expect(asked).not.toContain("/vendor/countries.json");
  await page.locator(".heat-map summary").click();
  await expect(page.locator(".heat-map path").nth(170)).toBeAttached();
  await expect(page).toHaveURL(/[?&]view=map/);
  const whole = await page.locator(".heat-map svg").getAttribute("viewBox");
  // A country whose middle is land.
  await page.locator(".heat-map svg a").filter({ hasText: "Peru" }).click();
  await expect(page).toHaveURL(/[?&]region=\d{3}.*view=map/);
  await expect(page.locator(".heat-map svg")).not.toHaveAttribute("viewBox", `${whole}`);
  await expect(page.getByRole("table", { name: /^Countries of / })).toBeVisible();
  await page.getByRole("link", { name: "Whole world" }).click();
  await expect(page.locator(".heat-map svg")).toHaveAttribute("viewBox", `${whole}`);
});

test("the calendar of a tension is read by keys", ONE_SIZE, async ({ page }) => {
  await page.goto("/tensions");
  await page.locator("main a[href^='/tensions/']:not([href='/tensions/responses']):not([href='/tensions/runs'])").first().click();
  const calendar = page.locator(".calendar-table[role=grid]");
  await expect(calendar).toBeVisible();
  const status = page.locator(".calendar [role=status]");
  const latest = await status.innerText();
  await calendar.locator("td[tabindex='0']").focus();
  await page.keyboard.press("ArrowUp");
  await expect(status).not.toHaveText(latest);
  await page.keyboard.press("End");
  await expect(status).toHaveText(latest);
});

test("a phone shows a row per region without sideways scrolling, and axe finds nothing", ONE_SIZE, async ({ page }) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await openBoard(page, "?view=map");
    await expect(page.locator(".heat-map path").first()).toBeAttached();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow).toBe(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations).toEqual([]);
  }
  await expect(page.locator(".heat-hottest").first()).toBeVisible();
  await expect(page.locator(".heat-matrix thead")).toBeHidden();
});

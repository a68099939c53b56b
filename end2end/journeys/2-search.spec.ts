// Search over everything, with and without JavaScript, and the filters of the list of assessments.
import { ONE_SIZE, SIGNED_IN, expect, test } from "./support";

test.use({ storageState: SIGNED_IN });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("finds assessments, documents and claims by a word", async ({ page }) => {
      await page.goto("/");
      await page.getByLabel("Search everything").fill("lock");
      await page.getByLabel("Search everything").press("Enter");
      await expect(page).toHaveURL(/\/search\?q=lock/);
      for (const name of ["Assessments", "Documents"]) {
        await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
      }
      await expect(page.locator("mark.match").first()).toHaveText(/lock/i);
      await page.getByRole("navigation", { name: "Kinds of results" }).getByRole("link", { name: "Claims" }).click();
      await expect(page.getByRole("heading", { name: "Claims", exact: true })).toBeVisible();
      await page.locator(".hits .row-title").first().click();
      await page.getByRole("link", { name: "Show in the document" }).click();
      await expect(page.locator("mark").first(), "a claim opens at its quote").toBeInViewport();
      await page.goto("/search?q=zzzz");
      await expect(page.getByRole("status")).toContainText("Nothing contains “zzzz”");
    });

    test("filters the list of assessments in the address", async ({ page }) => {
      await page.goto("/assessments");
      const rows = page.locator(".assessment-row");
      await expect(rows.filter({ hasText: "Sample" }).first()).toBeVisible();
      await page.getByLabel("Sample").selectOption("hidden");
      await page.getByRole("button", { name: "Apply" }).click();
      await expect(page).toHaveURL(/sample=hidden/);
      await expect(rows.filter({ hasText: "Sample" })).toHaveCount(0);
      await page.getByRole("link", { name: "Clear filters" }).click();
      await expect(page).toHaveURL(/\/assessments$/);
      await page.goto("/");
      await page.locator("#assessments summary", { hasText: "Filter" }).first().click();
      await page.getByLabel("Sample").selectOption("hidden");
      await page.getByRole("button", { name: "Apply" }).click();
      await expect(page).toHaveURL(/\/\?.*sample=hidden.*#assessments$/);
      await expect(rows.filter({ hasText: "Sample" })).toHaveCount(0);
      await page.getByRole("link", { name: "All", exact: true }).click();
      await expect(rows.filter({ hasText: "Sample" }).first()).toBeVisible();
    });
  });
}

test("home reads its lists again at its address, and leaves the form of its filter alone", ONE_SIZE, async ({ page }) => {
  // As if an investigation went on running; each answer says how often the page was read.
  let readings = 0;
  await page.route(/\/\?state=contested$/, async (route) => {
    const answer = await route.fetch();
    readings += 1;
    const body = (await answer.text())
      .replace('class="home-lists"', 'class="home-lists" data-running="yes"')
      .replace('id="assessment-filters"', `id="assessment-filters" ${readings === 1 ? "hidden" : ""}`)
      .replace('data-live="failed">', `data-live="failed"><p id="readings">${readings}</p>`);
    await route.fulfill({ response: answer, body });
  });
  await page.clock.install();
  await page.goto("/?state=contested");
  const filter = page.locator("#assessments summary", { hasText: "Filter" }).first();
  await expect(filter).toBeHidden();
  await page.clock.runFor(6_000);
  await expect(page.locator("#readings")).toHaveText("2");
  await filter.click();
  await page.getByLabel("State").selectOption("answered");
  await page.clock.runFor(6_000);
  await expect(page.locator("#readings")).toHaveText("3");
  await expect(page.getByLabel("State"), "what is chosen stays").toHaveValue("answered");
});

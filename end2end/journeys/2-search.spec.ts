// Search over everything, with and without JavaScript, and the filters of the list of assessments.
import { SIGNED_IN, expect, test } from "./support";

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

// The Monitor: an interest is previewed, saved, paused and deleted; a report is asked again on a schedule without JavaScript.
import AxeBuilder from "@axe-core/playwright";
import { type Page } from "@playwright/test";
import { SIGNED_IN, expect, test } from "./support";

test.use({ storageState: SIGNED_IN });

/** Checks a page for accessibility on a large screen and on a phone, light and dark, and that it does not scroll sideways. */
async function check(page: Page): Promise<void> {
  const size = page.viewportSize();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations, `${width} ${colorScheme}`).toEqual([]);
    }
    const widest = await page.locator("main").evaluate((main) => main.scrollWidth);
    expect(widest).toBeLessThanOrEqual(width);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (size) await page.setViewportSize(size);
}

test("an interest is previewed, saved, paused and deleted", async ({ page }) => {
  await page.goto("/monitor/interests");
  await expect(page.getByRole("heading", { name: "Watched indicators" })).toBeVisible();
  await page.getByRole("link", { name: "Write an interest" }).click();
  await page.getByLabel("What do you care about?").fill("Who was behind the charge at the Varrow Lock");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByRole("status")).toContainText(/Would have matched \d+ in 90 days/);
  await check(page);
  await page.getByRole("button", { name: "Save" }).click();
  const interest = page.getByRole("listitem").filter({ hasText: "the charge at the Varrow Lock" });
  await expect(interest).toContainText("Threshold 35");
  await check(page);
  await interest.getByRole("button", { name: /^Pause/ }).click();
  await expect(interest).toContainText("Paused");
  await interest.getByRole("button", { name: /^Delete/ }).click();
  await expect(interest).toHaveCount(0);
  await page.goto("/monitor");
  await check(page);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a report is asked again on a schedule", async ({ page }) => {
    await page.goto("/assessments");
    await page.locator(".row-question a").first().click();
    await page.getByRole("link", { name: "Ask again on a schedule" }).click();
    await expect(page.getByLabel("Question", { exact: true })).not.toHaveValue("");
    await page.getByLabel("When").selectOption({ label: "Every Monday" });
    await page.getByRole("button", { name: "Save" }).click();
    const standing = page.getByRole("listitem").filter({ hasText: "Every Monday at 09:00" });
    await expect(standing).toContainText("next");
    await standing.getByRole("button", { name: /^Delete/ }).click();
    await expect(page.getByText("No question is asked by itself.")).toBeVisible();
  });
});

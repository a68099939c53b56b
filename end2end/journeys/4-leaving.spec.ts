// Removing the sample, and signing out.
import { SIGNED_IN, expect, signOut, test } from "./support";

test.use({ storageState: SIGNED_IN });

test("removes the sample, keeps own data, signs out", async ({ page }) => {
  await page.goto("/");
  const cards = page.locator(".assessment-row");
  const before = await cards.count();
  await page.locator("summary", { hasText: "Remove the sample…" }).click();
  await page.getByRole("button", { name: "Remove the sample" }).click();
  await expect(cards).toHaveCount(before - 3);
  await expect(page.getByRole("button", { name: "Remove the sample" })).toBeHidden();
  await expect(cards.filter({ hasText: "Sample" })).toHaveCount(0);
  await page.goto("/documents");
  await expect(page.locator("main")).not.toContainText("Varrow");

  await signOut(page);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.goto("/");
  await expect(page, "the session has ended").toHaveURL(/\/sign-in/);
});

// Leaving: the sample removed in one click, and signing out for good.
import { SIGNED_IN, expect, test } from "./support";

test.use({ storageState: SIGNED_IN });

test("the sample goes in one click, what is one's own stays; then one signs out", async ({ page }) => {
  await page.goto("/");
  const cards = page.locator(".card");
  const before = await cards.count();
  await page.getByRole("button", { name: "Remove the sample" }).click();
  await expect(cards).toHaveCount(before - 3);
  await expect(page.getByRole("button", { name: "Remove the sample" })).toBeHidden();
  await expect(cards.filter({ hasText: "Sample" })).toHaveCount(0);
  await page.goto("/documents");
  await expect(page.locator("main")).not.toContainText("Varrow");

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.goto("/");
  await expect(page, "the session has ended").toHaveURL(/\/sign-in/);
});

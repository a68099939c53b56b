// An interview as a form: from the cards to a profile, an accepted interest, and its erasure.
import AxeBuilder from "@axe-core/playwright";
import { SIGNED_IN, expect, test } from "./support";

test.use({ storageState: SIGNED_IN });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("cards lead to a profile and an accepted interest", async ({ page }) => {
      await page.goto("/interview");
      await page.getByRole("link", { name: "Fill in the form: What to watch" }).click();
      const first = page.getByRole("group", { name: /^You hear about something days late/ });
      await first.getByRole("radio", { name: "A conflict that I follow." }).check();
      await page.getByLabel("What would you know in time, if it worked?").fill("I know before the price moves.");
      await page.getByLabel(/^What do you want to be told about/).fill("Grain transit through the Bosphorus");
      await page.getByRole("button", { name: "Show my profile" }).click();
      await expect(page.getByText("I know before the price moves.")).toBeVisible();
      await page.getByRole("button", { name: "Accept: Interest 1" }).click();
      await expect(page.getByText("Accepted")).toBeVisible();
      if (javaScriptEnabled) {
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations).toEqual([]);
      }
      const accepted = await (await page.request.get("/api/v1/interview/interests")).json();
      expect(accepted.map(({ sentence }: { sentence: string }) => sentence)).toContain("Grain transit through the Bosphorus");
      await page.getByText("Erase this interview").click();
      await page.getByRole("button", { name: "Erase", exact: true }).click();
      await expect(page).toHaveURL(/\/interview$/);
      await expect(page.getByText("You have none yet")).toBeVisible();
    });
  });
}

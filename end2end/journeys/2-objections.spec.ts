// Objections to a report, without JavaScript: a rating is contested, evidence excluded, both taken back; an indicator is watched.
import type { Page } from "@playwright/test";
import { SIGNED_IN, expect, test } from "./support";

test.use({ storageState: SIGNED_IN, javaScriptEnabled: false });

/** Opens a tab of an assessment that a language model wrote. */
async function openTab(page: Page, name: string): Promise<void> {
  await page.goto("/assessments");
  await page.locator(".assessment-row").filter({ hasText: "Recorded with a language model" }).first().locator(".row-question a").click();
  await page.getByRole("navigation", { name: "Parts of the report" }).getByRole("link", { name }).click();
}

test("contests a rating beside the original, and withdraws that", async ({ page }) => {
  await openTab(page, "Analysis");
  await page.getByRole("link", { name: "Contest the rating of J1" }).click();
  await page.getByLabel("Your likelihood, in percent").fill("much");
  await page.getByLabel("Reason").fill("One clerk spoke to both papers.");
  await page.getByRole("button", { name: "Contest" }).click();
  await expect(page.getByRole("alert")).toContainText("whole number from 0 to 100");
  await expect(page.getByLabel("Reason"), "what was typed is kept").toHaveValue("One clerk spoke to both papers.");
  await page.getByLabel("Your likelihood, in percent").fill("35");
  await page.getByRole("button", { name: "Contest" }).click();
  const judgement = page.locator("#j1");
  await expect(judgement.getByRole("list", { name: "Contested" })).toContainText("35 %");
  await expect(judgement.locator(".judgement-scale"), "the author's value stays").toBeVisible();
  await page.getByRole("button", { name: "Withdraw your rating of J1" }).click();
  await expect(judgement.getByRole("list", { name: "Contested" })).toHaveCount(0);
});

test("excludes a citation, sees the recount, and includes it again", async ({ page }) => {
  await openTab(page, "Evidence");
  await page.getByRole("link", { name: "Citation 1", exact: true }).first().click();
  await page.locator("#c1 .contest-link").click();
  await expect(page.getByText("If you exclude it, the counts change as follows")).toBeVisible();
  await page.locator("#exclude-reason").fill("It repeats a forgery.");
  await page.getByRole("button", { name: "Exclude" }).click();
  await expect(page.getByRole("heading", { name: "Recount without excluded evidence" })).toBeInViewport();
  await page.locator("#recount").getByRole("link", { name: "Citation 1" }).click();
  await page.getByRole("button", { name: "Include citation 1 again" }).click();
  await expect(page.locator("#recount")).toHaveCount(0);
});

test("filters the evidence in the address", async ({ page }) => {
  await openTab(page, "Evidence");
  await page.getByRole("navigation", { name: "Views of the evidence" }).getByRole("link", { name: "List" }).click();
  await expect(page.locator(".citation")).toHaveCount(25);
  await page.getByRole("button", { name: "Next page" }).click();
  await expect(page).toHaveURL(/view=list&page=2/);
  await page.locator(".evidence-filter summary").click();
  await page.getByLabel("Attribution").selectOption({ label: "First-hand" });
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/view=list.*attribution=primary/);
  const [shown, all] = `${await page.locator("main [role=status]").textContent()}`.split(" of ").map(parseFloat);
  expect(shown).toBeLessThan(all);
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/\/evidence\?view=list$/);
});

test("shows the evidence in views that the address holds", async ({ page }) => {
  await openTab(page, "Evidence");
  const views = page.getByRole("navigation", { name: "Views of the evidence" });
  await expect(views.locator("[aria-current]")).toHaveText("Matrix");
  await expect(page.locator("table.matrix").first()).toContainText("%");
  await page.locator(".evidence-filter summary").click();
  await page.getByLabel("Attribution").selectOption({ label: "First-hand" });
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/\/evidence\?.*attribution=primary/);
  await expect(views.locator("[aria-current]")).toHaveText("Matrix");
  for (const [view, section] of [["Timeline", "timeline"], ["Origins", "origins"], ["Unused", "unused"]]) {
    await views.getByRole("link", { name: view }).click();
    await expect(views.locator("[aria-current]")).toHaveText(view);
    await expect(page.locator(`#${section}`)).toBeVisible();
  }
});

test("watches an indicator and stops", async ({ page }) => {
  await openTab(page, "Analysis");
  await page.getByRole("button", { name: "Watch indicator I1" }).click();
  await expect(page).toHaveURL(/\/analysis#i1$/);
  await page.locator("#i1").getByRole("link", { name: "You watch this" }).click();
  await expect(page).toHaveURL(/\/watching$/);
  await page.getByRole("button", { name: /^Stop watching/ }).click();
  await expect(page.getByText("You watch no indicator")).toBeVisible();
});

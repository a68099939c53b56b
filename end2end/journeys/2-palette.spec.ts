// The command palette, single keys and preferences, by keyboard alone.
import AxeBuilder from "@axe-core/playwright";
import { ONE_SIZE, SIGNED_IN, expect, test } from "./support";

test.use({ storageState: SIGNED_IN });

test("jumps and acts from the command palette", ONE_SIZE, async ({ page }) => {
  await page.goto("/documents");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or jump" });
  await expect(field).toBeFocused();
  await field.fill("lock");
  await expect(page.getByRole("dialog").getByRole("option").first()).toContainText(/lock/i);
  await expect(page.getByRole("status").filter({ hasText: "found." })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).include("dialog").analyze();
  expect(violations).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await expect(page.locator('[role="option"][aria-selected="true"]')).toHaveAttribute("id", "palette-1");
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await field.fill("account");
  await page.getByRole("option", { name: "Account", exact: true }).click();
  await expect(page).toHaveURL(/\/account$/);
});

test("finds assessments, entities, claims and documents", async ({ page }) => {
  const { groups } = await (await page.request.get("/api/v1/search?words_only=true&q=Grevald")).json();
  const kinds = groups.filter(({ hits }: { hits: unknown[] }) => hits.length > 0).map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["assessments", "entities", "claims", "documents"]));
});

test("shows one kind of results after Tab", ONE_SIZE, async ({ page }) => {
  await page.goto("/documents");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or jump" });
  await field.fill("lock");
  const status = page.getByRole("dialog").getByRole("status");
  await expect(status).toContainText("found.");
  const groups = page.getByRole("dialog").getByRole("group");
  const all = await groups.count();
  expect(all).toBeGreaterThan(1);
  await page.keyboard.press("Tab");
  await expect(groups).toHaveCount(1);
  await expect(status).toContainText(/^Only .+ Tab: next kind\.$/);
  await page.keyboard.press("Shift+Tab");
  await expect(groups).toHaveCount(all);
  await expect(field).toBeFocused();
});

test("acts on a report by single keys", ONE_SIZE, async ({ page }) => {
  await page.goto("/assessments");
  await page.locator(".row-question a").first().click();
  await expect(page).toHaveURL(/\/assessments\/./);
  await page.waitForLoadState("load");
  const report = page.url();
  await page.keyboard.press("f");
  await expect(page.locator("#ask-next")).toBeFocused();
  await page.locator("#ask-next").blur();
  await page.keyboard.press("m");
  await expect(page).toHaveURL(/\/evidence\?view=matrix$/);
  await page.goto("/assessments");
  await page.locator(".assessment-row").filter({ hasText: "Recorded with a language model" }).first().locator(".row-question a").click();
  await expect(page.locator("#change")).toBeVisible();
  await page.waitForLoadState("load");
  await page.keyboard.press("w");
  await expect(page).toHaveURL(/\/analysis#/);
  await page.goto("/watching");
  await page.getByRole("button", { name: "Stop watching" }).first().click();
  await page.goto(report);
  await page.waitForLoadState("load");
  await page.keyboard.press("e");
  await expect(page).toHaveURL(/\/assessments\?undo=/);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.goto(report);
  await page.locator(".report-actions .more summary").click();
  await expect(page.getByRole("button", { name: "Archive", exact: true })).toBeVisible();
});

test("remembers pages and actions", ONE_SIZE, async ({ page }) => {
  await page.goto("/documents");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search or jump" });
  await field.fill("lock");
  const hit = page.getByRole("group", { name: "Documents" }).getByRole("option").first();
  const title = await hit.innerText();
  await hit.click();
  await expect(page).toHaveURL(/\/documents\/./);
  await page.waitForLoadState("load");
  await page.keyboard.press("Control+k");
  await field.fill("keyboard");
  await page.getByRole("option", { name: "Keyboard shortcuts" }).click();
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  const recent = page.getByRole("group", { name: "Recent" }).getByRole("option");
  await expect(recent).toHaveText(["Keyboard shortcuts", title]);
  await expect(page.getByRole("option", { name: "Keyboard shortcuts" })).toHaveCount(1);
  await recent.first().click();
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

test("goes by single keys, which can be switched off", ONE_SIZE, async ({ page }) => {
  await page.goto("/documents");
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page).toHaveURL(/\/assessments$/);
  // The keys are known when the scripts of the new page have run.
  await page.waitForLoadState("load");
  await page.keyboard.press("j");
  await expect(page.locator(".row-question a").first()).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).include("dialog").analyze();
  expect(violations).toEqual([]);
  await page.keyboard.press("Escape");
  await page.goto("/account");
  const keys = page.getByLabel("Single keys as shortcuts");
  await keys.uncheck();
  await page.getByRole("button", { name: "Save preferences" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Preferences saved." })).toBeVisible();
  await page.locator("main").click();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await keys.check();
  await page.getByRole("button", { name: "Save preferences" }).click();
});

test("hides the sample and brings it back", async ({ page }) => {
  await page.goto("/");
  await page.locator(".bar-menu summary").click();
  await page.locator(".bar-menu").getByRole("button", { name: "Hide the sample" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The sample is hidden" })).toBeVisible();
  await expect(page.locator(".assessment-row").filter({ hasText: "Sample" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator(".assessment-row").filter({ hasText: "Sample" }).first()).toBeVisible();
});

test("changes the colours, and keeps them", ONE_SIZE, async ({ page }) => {
  await page.goto("/account");
  const [button, root] = [page.locator("main button.theme"), page.locator("html")];
  for (const [theme, name] of [["light", "Light"], ["dark", "Dark"]]) {
    await button.click();
    await expect(root).toHaveAttribute("data-theme", theme);
    await page.reload();
    await expect(root).toHaveAttribute("data-theme", theme);
    await expect(button).toContainText(name);
  }
  await button.click();
  await expect(root).not.toHaveAttribute("data-theme");
  await expect(button).toContainText("Auto");
});

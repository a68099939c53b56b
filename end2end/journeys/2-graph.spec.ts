// The graph: entities, the explorer with its picture, entities in the command palette; and the archive.
import { ONE_SIZE, SIGNED_IN, expect, test } from "./support";

test.use({ storageState: SIGNED_IN });

const NAME = "Grevald Security";

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an entity is read, explored, traced and exported", async ({ page }) => {
    await page.goto("/graph");
    await page.getByLabel("Start from the entities of a search").fill("Grevald");
    await page.getByRole("button", { name: "Explore" }).click();
    await page.getByRole("link", { name: NAME, exact: true }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: NAME })).toBeVisible();
    await page.locator(".relationships td a").first().click();
    await expect(page).toHaveURL(/\/relationships\//);
    await expect(page.locator(".claim-list blockquote").first()).toBeVisible();
    await page.goBack();
    await page.getByRole("link", { name: "Claims", exact: true }).click();
    await expect(page.locator(".claim-list blockquote").first()).toBeVisible();
    await page.locator(".says td a").first().click();
    await expect(page).toHaveURL(/mode=\w+&outlet=/);
    await expect(page.getByRole("heading", { name: /\d of \d+ claims?/ })).toBeVisible();
    const removals = page.getByRole("list", { name: "Filters that are set" }).getByRole("link");
    await removals.first().click();
    await expect(page).not.toHaveURL(/mode=/);
    await removals.first().click();
    await expect(removals).toHaveCount(0);
    await page.getByRole("navigation", { name: "Parts of the entity" }).getByRole("link", { name: "Graph" }).click();
    const edges = page.locator(".graph-edges tbody tr");
    const before = await edges.count();
    await page.getByRole("row", { name: /Halvek Rail/ }).first().getByRole("link", { name: /Expand/ }).click();
    await expect(edges).not.toHaveCount(before);
    await page.getByLabel("Path to").fill("Sandrel Group");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.locator(".paths li").first()).toContainText("Sandrel Group");
    await page.getByRole("row", { name: /Halvek Rail/ }).first().getByRole("link", { name: /Hide/ }).click();
    await expect(page.getByText("1 entity is hidden")).toBeVisible();
    await page.getByText("More filters").click();
    await page.getByLabel("Claims, at least").fill("1");
    await page.getByRole("button", { name: "Apply" }).click();
    const shown = page.locator(".graph-nodes").getByRole("link", { name: "Halvek Rail", exact: true });
    await expect(shown).toHaveCount(0);
    await page.getByRole("link", { name: "Show hidden again" }).click();
    await expect(shown).toHaveCount(1);
    const exported = await page.request.get(`${await page.getByRole("link", { name: "CSV" }).getAttribute("href")}`);
    expect(await exported.text()).toContain(NAME);
  });
});

test("the picture follows the tables, and the address holds what is shown", async ({ page }) => {
  await page.goto("/entities?q=Grevald");
  await page.getByRole("link", { name: NAME, exact: true }).first().click();
  await page.getByRole("navigation", { name: "Parts of the entity" }).getByRole("link", { name: "Graph" }).click();
  await expect(page.locator(".graph-picture canvas").first()).toBeVisible();
  const status = page.locator("#graph-canvas [role=status]");
  await expect(status).toContainText("relationships");
  const before = await status.textContent();
  await page.locator(".graph-nodes tr", { hasText: "Halvek Rail" }).click({ position: { x: 5, y: 5 } });
  await expect(page.locator(".graph-nodes tr[data-selected]")).toContainText("Halvek Rail");
  await page.getByRole("button", { name: "Expand or collapse" }).click();
  await expect(page).toHaveURL(/seed=.*seed=/);
  await expect(status).not.toHaveText(`${before}`);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(status).toHaveText(`${before}`);
});

test("a search keeps its entities, and the tables, the colours and the pins are reached by keyboard", ONE_SIZE, async ({ page }) => {
  await page.goto("/graph?search=Grevald");
  const status = page.locator("#graph-canvas [role=status]");
  await expect(status).toContainText("relationships");
  const row = page.locator(".graph-nodes tr", { hasText: "Halvek Rail" }).first();
  await page.locator(".graph-nodes tr[tabindex='0']").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(".graph-nodes tr:focus a[tabindex='0']")).not.toHaveCount(0);
  await expect(page.locator(".graph-nodes tr:not(:focus) a:not([tabindex='-1'])"), "one row is in the tab order").toHaveCount(0);
  await row.focus();
  await page.keyboard.press("Space");
  await expect(row).toHaveAttribute("aria-selected", "true");
  await page.getByRole("button", { name: "Pin" }).click();
  await expect(page).toHaveURL(/pin=/);
  await page.getByRole("button", { name: "Expand or collapse" }).click();
  await expect(page).toHaveURL(/seed=.*seed=/);
  await expect(page.locator(".graph-nodes tr", { hasText: NAME }).first()).toBeVisible();
  await page.getByText("More filters").click();
  await page.getByLabel("Colour by").selectOption({ label: "Kind" });
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/colour=kind/);
  await expect(page).toHaveURL(/pin=/);
  await expect(page.getByRole("list", { name: "Colours" }).getByRole("listitem").first()).not.toContainText("Group");
});

test("what is hidden comes back by undo, and a view is saved and exported", async ({ page }) => {
  await page.goto("/graph?search=Grevald");
  await expect(page.locator("#graph-canvas [role=status]")).toContainText("relationships");
  const rows = page.locator(".graph-nodes tr", { hasText: "Halvek Rail" });
  await rows.first().click({ position: { x: 5, y: 5 } });
  await page.getByRole("button", { name: "Hide" }).click();
  await expect(rows).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(page.getByText("1 entity is hidden")).toBeVisible();
  const exported = async (form: string) => {
    const address = await page.getByRole("link", { name: form, exact: true }).getAttribute("href");
    return (await page.request.get(`${address}`)).text();
  };
  expect(await exported("GraphML")).toContain("<graphml");
  expect(await exported("CSV")).not.toContain("Halvek Rail");
  await page.getByLabel("Save this view as").fill("Without the railway");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.goto("/graph");
  await page.getByRole("link", { name: "Without the railway" }).click();
  await expect(page.getByText("1 entity is hidden")).toBeVisible();
  await page.getByRole("button", { name: "Remove the view Without the railway" }).click();
  await expect(page.getByRole("link", { name: "Without the railway" })).toHaveCount(0);
});

test("claims and relationships open beside the page, and Back and Esc close them", ONE_SIZE, async ({ page }) => {
  await page.goto("/entities?q=Grevald");
  await page.getByRole("link", { name: NAME, exact: true }).first().click();
  const link = page.locator(".relationships td a").first();
  const relationship = page.getByRole("complementary", { name: "Relationship" });
  const claim = page.getByRole("complementary", { name: "Claim" });
  await page.waitForLoadState("load");
  await link.click();
  await expect(relationship.locator("blockquote").first()).toBeVisible();
  await expect(relationship).toContainText("independent origin");
  await expect(page).toHaveURL(/\/entities\/.*#relationships-/);
  await page.goBack();
  await expect(relationship).toBeHidden();
  await link.click();
  await expect(relationship).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(relationship).toBeHidden();
  await expect(link).toBeFocused();
  await link.click();
  await page.reload();
  await relationship.locator(".claim-list p a").first().click();
  await expect(claim).toContainText("Stated in");
  await page.goBack();
  await relationship.getByRole("link", { name: "Open page" }).click();
  await expect(page.getByText("Relationship", { exact: true })).toBeVisible();
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Graph" }).click();
  await expect(page.locator("#graph-canvas [role=status]")).toContainText("relationships");
  await page.evaluate("void explorer.cy.edges().first().emit('tap')");
  await expect(relationship.locator("blockquote").first()).toBeVisible();
});

test("two entities are merged by hand, and that is undone", async ({ page }) => {
  await page.goto("/entities?q=Grevald");
  await page.getByRole("link", { name: NAME, exact: true }).first().click();
  await page.getByRole("button", { name: "Merge with another…" }).click();
  await page.getByRole("searchbox", { name: "Search entities" }).fill("Halvek Rail");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.locator(".row", { hasText: "Halvek Rail" }).first().getByRole("link", { name: "Compare and merge…" }).click();
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  await expect(page).toHaveURL(/\/entities\//);
  // The name with the most claims behind it is that of both.
  const names = page.locator("main").filter({ hasText: NAME }).getByText(/Also known as .*(Halvek Rail|Grevald Security)/);
  await expect(names).toBeVisible();
  await expect(page.getByText("The two entities are one now.")).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.goto("/entities?q=Grevald");
  await page.getByRole("link", { name: NAME, exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: NAME })).toBeVisible();
  await expect(names).toHaveCount(0);
});

test("the command palette finds an entity", ONE_SIZE, async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or jump" }).fill(NAME);
  await page.getByRole("option", { name: NAME, exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: NAME })).toBeVisible();
});

test("an assessment is archived, and that is undone", async ({ page }) => {
  await page.goto("/assessments");
  const rows = page.locator(".assessment-row");
  const count = await rows.count();
  await rows.first().getByRole("checkbox").check();
  await page.getByRole("button", { name: "Archive selected" }).click();
  await expect(rows).toHaveCount(count - 1);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.goto("/assessments");
  await expect(rows).toHaveCount(count);
});

test("a pair of duplicates is put off and kept apart by keys, and both are undone", async ({ page }) => {
  const pairs = page.locator("#pairs .pair-link");
  const press = async (...keys: string[]) => {
    await page.waitForLoadState("load");
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.goto("/reviews");
  const count = await pairs.count();
  const first = await pairs.first().textContent();
  await expect(page.locator(".pair")).toHaveCount(1);
  await press("l");
  await expect(page.getByRole("status").filter({ hasText: "Moved to the end" })).toBeVisible();
  await expect(pairs.last()).toHaveText(`${first}`);
  await press("u");
  await expect(page).toHaveURL(/\/reviews\?page=1$/);
  await expect(pairs.first()).toHaveText(`${first}`);
  await press("j");
  await expect(pairs.nth(1)).toHaveAttribute("aria-current", "true");
  await press("x");
  await expect(pairs).toHaveCount(count - 1);
  await press("u");
  await expect(pairs).toHaveCount(count);
});

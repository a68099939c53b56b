// Sessions of an investigation step by step, and storing and removing a key; both also by keyboard.
import { SIGNED_IN, expect, openMenu, pressEnter, test } from "./support";

const KEY = "sk-journey-5c81d0";

test.describe("signed in", () => {
  test.use({ storageState: SIGNED_IN });

  test("reads the sessions of the sample down to a tool result", async ({ page }) => {
    await page.goto("/");
    await page.locator(".assessment-row").filter({ hasText: "Who was behind" }).filter({ hasText: "Recorded with a language model" }).locator(".row-question a").click();
    await page.getByRole("link", { name: "Work", exact: true }).click();
    await page.getByRole("link", { name: "Agent log" }).click();
    await expect(page.getByRole("heading", { name: /\d+ sessions/ })).toBeVisible();
    await expect(page.getByRole("cell", { name: "Completed" }).first()).toBeVisible();

    await page.getByRole("link", { name: /Processor, cycle/ }).first().click();
    await expect(page.locator("h1")).toContainText("Processor");
    await expect(page.getByText("Untrusted text from outside").first(), "folded").toBeAttached();
    const call = page.locator(".calls details").first();
    await expect(call.locator("pre").first(), "folded at first").toBeHidden();
    await pressEnter(call.locator("summary"));
    await expect(call.getByText(/tool \d+ ms/)).toBeVisible();

    const whole = page.locator(".rest a").first();
    const address = await whole.getAttribute("href");
    const answer = await page.request.get(`${address}`);
    expect(answer.headers()["content-type"]).toBe("text/plain; charset=utf-8");
  });

  test("stores a key, never shows it again, removes it, and probes a model", async ({ page }) => {
    await page.goto("/");
    await openMenu(page);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    const provider = page.locator(".setting").filter({ hasText: "api.openai.com" });
    await expect(provider).toContainText("No key");
    await expect(page.getByLabel("Key of openai")).toHaveCount(0);
    await provider.getByRole("link", { name: "openai" }).click();
    const field = page.getByLabel("Key of openai", { exact: true });
    await field.fill(KEY);
    await pressEnter(field);
    await expect(provider).toContainText("Key stored");
    expect(await page.content()).not.toContain(KEY);
    await page.reload();
    await page.locator(".key-forms summary", { hasText: "Remove…" }).click();
    await page.getByRole("button", { name: "Remove the key of openai" }).click();
    await expect(provider).toContainText("No key");

    await page.goto("/settings");
    const model = page.getByRole("region", { name: "Connection tests" }).locator(".setting").filter({ hasText: "extractive" });
    await model.getByRole("button", { name: "Test extractive" }).click();
    await expect(model).toContainText("Usable");
  });
});

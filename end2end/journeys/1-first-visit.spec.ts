// First visit: first account, the sample followed live to its assessment, a citation, exports.
import { readFile } from "node:fs/promises";
import { look } from "./looks";
import { SERVER_LOG } from "../results";
import { ADA, IN_THE_END, REPORT, SIGNED_IN, expect, fillSignIn, signOut, test } from "./support";

test.describe.configure({ mode: "serial" });

/** Pages without content on a first visit. */
const EMPTY = [
  "/assessments", "/documents", "/documents?tab=rejected", "/graph", "/entities", "/reviews", "/reviews/merges", "/reviews/apart",
  "/tensions", "/monitor", "/monitor/schedule", "/notifications", "/watching", "/search?q=nothing",
];

test("creates the first account and signs in again", async ({ page, context }) => {
  await page.goto("/");
  await expect(page).toHaveURL(/\/first-account/);
  await expect(page.getByLabel("Set-up code"), "nobody makes the first account without the printed address").toBeVisible();
  const printed = async () => (await readFile(SERVER_LOG, "utf8")).match(/create the first account: (\S+)\n/)?.[1];
  await expect.poll(printed, "the address of the first account is printed").toBeTruthy();
  await page.goto(`${await printed()}`);
  await page.getByLabel("User name").fill(ADA.name);
  await page.getByLabel("Password", { exact: true }).fill(ADA.password);
  await page.getByLabel("Password again").fill(`${ADA.password}s`);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("alert")).toContainText("do not match");
  await look(page, "first-account");
  await page.getByLabel("Password", { exact: true }).fill(ADA.password);
  await page.getByLabel("Password again").fill(ADA.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Set up in four steps" })).toBeVisible();
  await look(page, "empty");
  // Every empty list offers one thing that its viewer may do.
  for (const address of EMPTY) {
    await page.goto(address);
    await expect.soft(page.locator("main :is(a.button, form[method=post] button):visible").first(), address).toBeVisible();
  }

  await signOut(page);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.goto("/documents");
  await expect(page, "a page asked for without a session leads to the door").toHaveURL(/\/sign-in/);
  await fillSignIn(page);
  await expect(page.getByRole("heading", { name: "Documents" }), "and from there to what was asked for").toBeVisible();
  await context.storageState({ path: SIGNED_IN });
});

test.describe("signed in", () => {
  test.use({ storageState: SIGNED_IN });

  test("follows the sample through a lost connection to its assessment and a quote in a document", async ({ page }) => {
    const events = "**/api/v1/investigations/*/events**";
    await page.route(events, (route) => route.abort());
    await page.goto("/");
    await page.getByRole("button", { name: "Try the sample investigation" }).click();
    await expect(page).toHaveURL(/\/investigations\/[0-9a-f-]{36}$/);
    await expect(page.locator(".connection-state")).toContainText("Connection lost");
    const result = page.getByRole("link", { name: "Read the assessment" });
    await expect(result, "without a connection the page stands still").toBeHidden();
    await look(page, "running");
    await page.unroute(events);
    await expect(page, "what was missed arrives, and the report opens by itself").toHaveURL(REPORT, IN_THE_END);
    await expect(page.locator(".bottom-line").last()).not.toBeEmpty();
    await expect(page.getByText("Sample", { exact: true }).first()).toBeVisible();
    const why = page.locator("#why li, #evidence li").first();
    const marker = why.getByRole("link", { name: /^Citation \d+/ }).first();
    const href = await marker.getAttribute("href");
    await marker.click();
    const panel = page.locator(`[id="${href?.slice(1)}"]`);
    await expect(panel).toBeInViewport();
    const words = (await panel.locator("blockquote").innerText()).trim();
    await page.goBack();
    await expect(panel, "Back closes the panel").toBeHidden();
    await page.goForward();
    await panel.getByRole("link", { name: "Open document" }).click();
    const mark = page.locator("mark").first();
    await expect(mark, "the document opens at the quote").toBeInViewport();
    const marked = (await page.locator("mark").allInnerTexts()).join(" ");
    expect(folded(marked)).toBe(folded(words));
  });

  test("exports the assessment as JSON and Markdown", async ({ page }) => {
    await page.goto("/");
    await page.locator(".row-question a").first().click();
    await page.locator(".report-actions .export summary").click();
    const download = async (name: string) => {
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name, exact: true }).click()]);
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
    };
    const json = await download("JSON");
    const schema = JSON.parse(await readFile("../config/schema/assessment.v1.json", "utf8"));
    const exported = JSON.parse(json.text);
    expect(Object.keys(exported).sort()).toEqual(Object.keys(schema.properties).sort());
    expect(exported.schema).toBe("autosint.assessment.v1");
    expect(exported.citations.length).toBeGreaterThan(0);

    const markdown = await download("Markdown");
    expect(markdown.name).toMatch(/\.md$/);
    expect(markdown.text).toContain(exported.bottom_line);
  });
});

const folded = (text: string) => text.replace(/\s+/g, " ").trim();

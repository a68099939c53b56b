// A report is shared with a stranger by a link: preview, the page on a phone, and the revoked link. Our side has no JavaScript.
import AxeBuilder from "@axe-core/playwright";
import { SIGNED_IN, expect, test } from "./support";

test.use({ storageState: SIGNED_IN, javaScriptEnabled: false });

/** Height at which the finding of a page must have begun on a phone, in pixels. */
const FOLD = 560;

test("a stranger reads a shared report on a phone until its link is revoked", async ({ page, browser }) => {
  await page.goto("/assessments");
  await page.locator(".assessment-row").filter({ hasText: "Recorded with a language model" }).first().locator(".row-question a").click();
  await page.getByRole("link", { name: "Share a link" }).click();
  await expect(page.getByRole("heading", { name: "Share this assessment" })).toBeVisible();
  const preview = page.frameLocator("iframe[name=share-preview-frame]");
  await expect(preview.getByRole("heading", { name: "Sources" })).toBeVisible();
  await expect(preview.locator("blockquote")).toHaveCount(0);
  await page.getByRole("link", { name: "With quotations" }).click();
  await expect(preview.locator("blockquote").first()).toBeVisible();
  await page.getByLabel("References with the quoted sentences").check();
  await expect(page.getByLabel("With quotations, offer the evidence bundle")).toBeChecked();
  await page.getByLabel("Note to the readers").fill("For the meeting on Monday.");
  await page.getByRole("button", { name: "Create link" }).click();
  const address = await page.getByLabel("Copy it now").inputValue();

  // A new context would take over the session of this test. axe needs scripts, of which the page has none.
  const storageState = { cookies: [], origins: [] };
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, storageState, javaScriptEnabled: true });
  const stranger = await context.newPage();
  const answer = await stranger.goto(address);
  expect(answer?.status()).toBe(200);
  expect((await answer?.body())?.length).toBeLessThan(60_000);
  expect(await context.cookies()).toEqual([]);
  await expect(stranger.getByText("For the meeting on Monday.")).toBeVisible();
  await expect(stranger.locator("blockquote").first()).toBeVisible();
  expect((await stranger.locator(".finding").boundingBox())?.y).toBeLessThan(FOLD);
  expect(await stranger.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect((await new AxeBuilder({ page: stranger }).analyze()).violations).toEqual([]);
  await expect(stranger.getByRole("link", { name: "Download the evidence bundle" })).toBeVisible();
  const bundle = await context.request.get(`${address}/bundle.html`);
  expect(bundle.headers()["content-disposition"]).toContain("report.html");
  expect(await bundle.text()).toContain("autosint:part signature");

  await page.goto("/shares");
  await page.getByRole("button", { name: /^Revoke the link to/ }).first().click();
  await expect(page.getByRole("button", { name: /^Revoke the link to/ })).toHaveCount(0);
  expect((await stranger.goto(address))?.status()).toBe(404);
  await expect(stranger.getByRole("heading", { name: "Link does not work" })).toBeVisible();
  await context.close();
});

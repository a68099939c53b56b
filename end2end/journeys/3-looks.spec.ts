// Every page as it looks: wide and narrow, light and dark. axe finds nothing serious, nothing scrolls sideways.
import { copyFile, mkdir } from "node:fs/promises";
import { expectSound, expect, looking, test } from "./support";

const SCREENS = "test-results/screens";

/** Every page by name; the addresses that carry an id are found by following links. */
async function addresses(page: import("@playwright/test").Page): Promise<Record<string, string>> {
  await page.goto("/");
  const sample = page.locator(".card").filter({ hasText: "Sample" }).first().locator("h3 a");
  const assessment = (await sample.getAttribute("href")) ?? "";
  await page.goto(assessment);
  const quoted = (await page.locator(".citation blockquote a").first().getAttribute("href")) ?? "";
  const exported = await (await page.request.get(`${assessment}/export.json`)).json();
  return {
    dashboard: "/",
    assessment,
    investigation: `/investigations/${exported.investigation_id}`,
    document: quoted,
    documents: "/documents",
    "new-investigation": "/investigations/new",
    refused: "/investigations/new?error=no_documents",
    "not-found": "/no-such-page",
  };
}

for (const colours of ["light", "dark"] as const) {
  for (const width of [1440, 390]) {
    test(`every page, ${colours}, ${width} pixels wide`, async ({ browser }) => {
      await mkdir(SCREENS, { recursive: true });
      const inside = await looking(browser, { width, colours });
      const page = await inside.newPage();
      for (const [name, address] of Object.entries(await addresses(page))) {
        await page.goto(address);
        await page.evaluate(() => document.fonts.ready);
        await expectSound(page, `${name}, ${colours}, ${width}`);
        await page.screenshot({ path: `${SCREENS}/${name}-${width}-${colours}.png`, fullPage: name !== "document" });
        if (name === "assessment" && width === 1440 && colours === "light") {
          const top = `${SCREENS}/readme.png`;
          await page.screenshot({ path: top, clip: { x: 0, y: 0, width: 1440, height: 1000 }, fullPage: true });
          if (process.env.UPDATE_SCREENSHOT === "1") await copyFile(top, "../docs/assessment.png");
        }
      }
      await inside.close();

      const outside = await looking(browser, { width, colours, visitor: true });
      const door = await outside.newPage();
      await door.goto("/sign-in?error=wrong_password");
      await expect(door.getByRole("alert")).toBeVisible();
      await expectSound(door, `sign-in, ${colours}, ${width}`);
      await door.screenshot({ path: `${SCREENS}/sign-in-${width}-${colours}.png`, fullPage: true });
      await outside.close();
    });
  }
}

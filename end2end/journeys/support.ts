// What every journey shares: who signs in, a page that must stay free of errors.
import { type BrowserContext, type Locator, type Page, expect, test as base } from "@playwright/test";
import { RESULTS } from "../results";

/** How long an investigation may take, behind others, on a machine that is busy. */
export const IN_THE_END = { timeout: 240_000 };
export const ADA = { name: "ada", password: "a lantern by the lock" };
/** Where the first journey leaves its cookie for the others. */
export const SIGNED_IN = `${RESULTS}/.signed-in.json`;

/** What the browser says of a connection that a journey cuts, of the app's code without JavaScript, of a page that is not there. */
const EXPECTED = [/net::ERR_FAILED.*\/events\?/, /preloaded using link preload but not used/, /404.*\/no-such-page/];

export const test = base.extend<{ context: BrowserContext }>({
  context: async ({ context }, use) => {
    const complaints = listen(context);
    await use(context);
    expect(complaints, "the console stays empty").toEqual([]);
  },
});
export { expect };

/** Collects errors and warnings of all pages; a violation of the content policy is one of them. */
function listen(context: BrowserContext): string[] {
  const complaints: string[] = [];
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("console", (message) => {
    const complaint = `${message.type()}: ${message.text()} (${message.location().url})`;
    const isComplaint = ["error", "warning"].includes(message.type());
    if (isComplaint && !EXPECTED.some((pattern) => pattern.test(complaint))) complaints.push(complaint);
  });
  return complaints;
}

/** Presses Enter where somebody works. A browser that follows the `#…` of an address takes the focus away while the page still comes. */
export async function pressEnter(where: Locator): Promise<void> {
  await where.page().waitForLoadState("load");
  await where.press("Enter");
}

export async function fillSignIn(page: Page): Promise<void> {
  await page.getByLabel("User name").fill(ADA.name);
  await page.getByLabel("Password", { exact: true }).fill(ADA.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

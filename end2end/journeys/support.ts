// What every journey shares: who signs in, a page that must stay free of errors, and the checks of one page.
import AxeBuilder from "@axe-core/playwright";
import { type Browser, type BrowserContext, type Page, expect, test as base } from "@playwright/test";

export const ADA = { name: "ada", password: "a lantern by the lock" };
/** Where the first journey leaves its cookie for the others. */
export const SIGNED_IN = "test-results/.signed-in.json";

/** Complaints of the browser that a journey provokes on purpose. */
const EXPECTED = [/ERR_INTERNET_DISCONNECTED/];

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
    const isComplaint = ["error", "warning"].includes(message.type());
    if (isComplaint && !EXPECTED.some((pattern) => pattern.test(message.text()))) {
      complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  return complaints;
}

export async function fillSignIn(page: Page): Promise<void> {
  await page.getByLabel("User name").fill(ADA.name);
  await page.getByLabel("Password", { exact: true }).fill(ADA.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}


/** A context of its own for one look, signed in or not. */
export async function looking(
  browser: Browser,
  look: { width: number; colours: "light" | "dark"; visitor?: boolean },
): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: look.width, height: look.width < 600 ? 844 : 900 },
    colorScheme: look.colours,
    reducedMotion: "reduce",
    storageState: look.visitor ? undefined : SIGNED_IN,
  });
}

/** axe finds nothing serious, and nothing runs out of the page to the right. */
export async function expectSound(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 5).map((node) => node.html.slice(0, 160)).join(" | ")}`);
  expect.soft(grave, `axe on ${where}`).toEqual([]);
  const surplus = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(surplus, `the page scrolls sideways on ${where}`).toBeLessThanOrEqual(0);
}

// Shared helpers of the journeys: sign-in, and a check that the console stays free of errors.
import { type BrowserContext, type Locator, type Page, expect, test as base } from "@playwright/test";
import { RESULTS } from "../results";

/** Timeout for an investigation on a busy machine, queued behind others. */
export const IN_THE_END = { timeout: 240_000 };
/** Address of a report, which opens by itself when it is written. */
export const REPORT = /\/assessments\/[0-9a-f-]{36}$/;
export const ADA = { name: "ada", password: "a lantern by the lock" };
/** A journey about looks, keys or pages in the browser: it does not depend on the stores, and runs on one folder alone. */
export const ONE_SIZE = { tag: "@one-size" };
/** Cookie file that the first journey writes for the others. */
export const SIGNED_IN = `${RESULTS}/.signed-in.json`;

/** Sizes of type, in pixels. */
export const SIZES = [12, 13, 15, 18, 22, 30];
/** Home beneath the steps of the first start. */
export const MOST_HOME_PIXELS = 1_000;

/** Expected console messages: cut connections, preloads without JavaScript, missing pages. */
const EXPECTED = [/net::ERR_FAILED.*\/events\?/, /preloaded using link preload but not used/, /404.*\/no-such-page/];

export const test = base.extend<{ context: BrowserContext }>({
  context: async ({ context }, use) => {
    const messages = listen(context);
    await use(context);
    expect(messages, "the console stays empty").toEqual([]);
  },
});
export { expect };

/** Collects console errors and warnings of all pages, including content policy violations. */
function listen(context: BrowserContext): string[] {
  const messages: string[] = [];
  context.on("weberror", (error) => messages.push(String(error.error())));
  context.on("console", (message) => {
    const line = `${message.type()}: ${message.text()} (${message.location().url})`;
    const isRelevant = ["error", "warning"].includes(message.type());
    if (isRelevant && !EXPECTED.some((pattern) => pattern.test(line))) messages.push(line);
  });
  return messages;
}

/** Returns the addresses of the reports of the sample that a language model wrote, those whose question begins with `first` before the others. */
export async function reports(page: Page, first = ""): Promise<string[]> {
  await page.goto("/assessments");
  const rows = page.locator(".assessment-row").filter({ hasText: "Recorded with a language model" });
  const links = await rows.locator(".row-question a").evaluateAll((all) =>
    all.map((link) => ({ question: `${link.textContent}`, address: (link as HTMLAnchorElement).pathname })),
  );
  const sorted = links.sort((one, other) => Number(other.question.startsWith(first)) - Number(one.question.startsWith(first)));
  return sorted.map(({ address }) => address);
}

/** Presses Enter on an element once the page has loaded, because navigation to a `#…` target moves the focus. */
export async function pressEnter(where: Locator): Promise<void> {
  await where.page().waitForLoadState("load");
  await where.press("Enter");
}

/** Opens the menu at the end of the bar. */
export async function openMenu(page: Page): Promise<void> {
  await page.locator(".bar-menu summary").click();
}

export async function signOut(page: Page): Promise<void> {
  await openMenu(page);
  await page.getByRole("button", { name: "Sign out" }).click();
}

export async function fillSignIn(page: Page): Promise<void> {
  await page.getByLabel("User name").fill(ADA.name);
  await page.getByLabel("Password", { exact: true }).fill(ADA.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

// Sources: adding a feed by its site, importing a list, testing and enabling a source, storing and removing a key.
import { type Server, createServer } from "node:http";
import { SIGNED_IN, expect, pressEnter, test } from "./support";

const PORT = Number(process.env.E2E_FEED_PORT ?? "3211");
const SITE = `http://127.0.0.1:${PORT}`;
const KEY = "bsa-journey-77aa10";
const FEED = `<rss version="2.0"><channel><title>Harbour Gazette</title><item><title>The news of the world</title>
  <link>${SITE}/one</link></item></channel></rss>`;
const LIST = `<opml version="2.0"><body><outline text="africa"><outline type="rss" text="Inland Post" xmlUrl="${SITE}/inland.xml"/></outline></body></opml>`;

let site: Server;

test.describe("signed in", () => {
  test.use({ storageState: SIGNED_IN });

  test.beforeAll(async () => {
    site = createServer((request, response) => {
      const isFeed = request.url?.endsWith(".xml");
      response.setHeader("content-type", isFeed ? "application/rss+xml" : "text/html");
      const home = `<html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head><body><p>The Gazette.</p></body></html>`;
      response.end(isFeed ? FEED : home);
    });
    await new Promise<void>((listening) => site.listen(PORT, "127.0.0.1", listening));
  });
  test.afterAll(() => {
    site.close();
  });

  test("finds a feed, tests and enables sources, stores and removes a key", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Library" }).click();
    await page.getByRole("link", { name: "Sources", exact: true }).click();
    await expect(page.getByText("All sources are off")).toBeVisible();

    const address = page.getByLabel("Address of a feed or of a site");
    await address.fill(`${SITE}/`);
    await pressEnter(address);
    const feeds = page.locator("#feed-list");
    await expect(feeds).toContainText("Harbour Gazette");
    await feeds.getByLabel("OPML file of a feed reader").setInputFiles({ name: "list.opml", mimeType: "text/xml", buffer: Buffer.from(LIST) });
    await feeds.getByRole("button", { name: "Import" }).click();
    await expect(feeds).toContainText("1 feed added.");
    await expect(feeds).toContainText("Inland Post");
    const list = await page.request.get("/sources/feeds.opml");
    expect(await list.text()).toContain(`${SITE}/feed.xml`);

    const source = page.locator("li.source").filter({ hasText: "Latest items of the configured feeds" });
    await pressEnter(source.getByRole("button", { name: "Test Feeds" }));
    await expect(source).toContainText("Last answered");
    await source.getByRole("switch", { name: "Feeds" }).click();
    await expect(source.getByRole("switch", { name: "Feeds" })).toHaveAttribute("aria-checked", "true");
    await expect(page.getByText("are sent to the sources that are on")).toBeVisible();
    await source.getByRole("switch", { name: "Feeds" }).click();
    await expect(source.getByRole("switch", { name: "Feeds" })).toHaveAttribute("aria-checked", "false");

    await page.goto("/investigations/new");
    const question = page.getByRole("textbox", { name: "Question" });
    await question.fill("What happened at the harbour?");
    const searched = page.locator("#sources-on");
    await page.locator(".ask-choices > summary").click();
    await expect(searched).toContainText("All sources are off");
    await page.getByText("Turn sources on or off").click();
    const feedSwitch = page.getByRole("switch", { name: "Feeds", exact: true });
    await feedSwitch.click();
    await expect(searched).toHaveText("Searched on the web: Feeds.");
    await feedSwitch.click();
    await expect(searched).toContainText("All sources are off");
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await feedSwitch.click();
    await expect(page.locator("#sources-error")).toHaveText("You are signed out.");
    await page.context().addCookies(cookies);
    await expect(searched).toContainText("All sources are off");
    await expect(question, "what is filled in stays").toHaveValue("What happened at the harbour?");
    await page.goto("/sources");

    const brave = page.locator("li.source").filter({ hasText: "Brave Search" });
    await expect(brave.locator(".badge")).toHaveText("Needs a key");
    await page.locator(".source-group > summary").click();
    await brave.getByText("Key and details").click();
    const field = brave.getByLabel("Key of Brave Search", { exact: true });
    await field.fill(KEY);
    await pressEnter(field);
    await expect(brave).toContainText("A key is stored");
    expect(await page.content()).not.toContain(KEY);
    await brave.getByText("Key and details").click();
    await brave.locator("summary", { hasText: "Remove key…" }).click();
    await brave.getByRole("button", { name: "Remove the key of Brave Search" }).click();
    await expect(brave.locator(".badge")).toHaveText("Needs a key");

    await feeds.locator("li", { hasText: "Inland Post" }).locator("summary").click();
    await feeds.getByRole("button", { name: "Remove Inland Post" }).click();
    await expect(feeds).not.toContainText("Inland Post");
  });
});

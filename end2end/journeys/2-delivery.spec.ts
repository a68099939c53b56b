// Mail and feeds: the mail server, an address that is confirmed by the link in a mail, and a feed at a secret address.
import { type AddressInfo, type Server, createServer } from "node:net";
import { SIGNED_IN, expect, test } from "./support";

test.use({ storageState: SIGNED_IN, javaScriptEnabled: false });

/** Starts a server on this machine that takes mail, and returns it with the mails. */
async function startMailServer(): Promise<{ server: Server; port: number; mails: string[] }> {
  const mails: string[] = [];
  const server = createServer((socket) => {
    let text = "";
    let isMail = false;
    socket.on("error", () => socket.destroy());
    socket.write("220 mail.example\r\n");
    socket.on("data", (bytes) => {
      text += bytes.toString("utf8");
      for (;;) {
        const end = text.indexOf(isMail ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const part = text.slice(0, end);
        text = text.slice(end + (isMail ? 5 : 2));
        if (isMail) mails.push(part);
        const asksForData = !isMail && part.toUpperCase() === "DATA";
        isMail = asksForData;
        socket.write(asksForData ? "354 go ahead\r\n" : "250 ok\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port, mails };
}

/** Decodes quoted-printable text. */
const decoded = (mail: string) =>
  mail.replace(/=\r\n/g, "").replace(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));

test("orders mail, confirms the address without signing in, and reads the feed", async ({ page, browser }) => {
  const { server, port, mails } = await startMailServer();
  try {
    await page.goto("/delivery/server");
    await page.getByLabel("Public address of this site").fill(new URL(page.url()).origin);
    await page.getByLabel("Host").fill("127.0.0.1");
    await page.getByLabel("Port").fill(`${port}`);
    await page.getByLabel("Encryption").selectOption({ label: "None" });
    await page.getByLabel("Address of the sender").fill("osint@mail.example");
    await page.getByRole("button", { name: "Save" }).click();

    await page.getByLabel("E-mail address").fill("ada");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("alert")).toContainText("not an e-mail address");
    await page.getByLabel("E-mail address").fill("ada@mail.example");
    await page.getByLabel("Time zone").fill("Europe/Berlin");
    await page.getByLabel("How often").selectOption({ label: "Weekly" });
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("No news are mailed before.")).toBeVisible();

    await expect.poll(() => mails.length, { timeout: 30_000 }).toBe(1);
    const link = /https?:\S+\/mail\/confirm\S+/.exec(decoded(mails[0] ?? ""))?.[0] ?? "";
    const stranger = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const mailed = await stranger.newPage();
    await mailed.goto(link);
    await mailed.getByRole("button", { name: "Confirm" }).click();
    await expect(mailed.getByRole("heading", { name: "Done" })).toBeVisible();
    await page.reload();
    await expect(page.getByText("every Monday at 07:00 (Europe/Berlin)")).toBeVisible();

    await page.getByRole("button", { name: "Create a feed" }).click();
    const feed = await page.getByRole("link", { name: /feed\.json/ }).getAttribute("href");
    const read = await stranger.request.get(`${feed}`);
    expect(((await read.json()) as { version: string }).version).toBe("https://jsonfeed.org/version/1.1");
    await page.getByRole("button", { name: "End the feed" }).click();
    expect((await stranger.request.get(`${feed}`)).status()).toBe(404);
    await stranger.close();

    // Later journeys find no mail server that is gone.
    await page.goto("/delivery/server");
    await page.getByLabel("Host").fill("");
    await page.getByRole("button", { name: "Save" }).click();
  } finally {
    server.close();
  }
});

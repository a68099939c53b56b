// Screenshots and accessibility checks of every page with data.
import { look, lookAtMail, pictureForReadme } from "./looks";
import { ONE_SIZE, SIGNED_IN, expect, test } from "./support";

test("pages before sign-in", ONE_SIZE, async ({ page }) => {
  await page.goto("/sign-in?error=wrong_password");
  await expect(page.getByRole("alert")).toBeVisible();
  await look(page, "sign-in");
});

test.describe("signed in", () => {
  test.use({ storageState: SIGNED_IN });

  test("the mail of a week", ONE_SIZE, async ({ page }) => {
    await lookAtMail(page, "/delivery/preview/mail");
  });

  test("every page", ONE_SIZE, async ({ page }) => {
    await page.goto("/");
    await look(page, "dashboard");
    await page.locator(".assessment-row").filter({ hasText: "Who was behind" }).filter({ hasText: "Recorded with a language model" }).locator(".row-question a").click();
    await expect(page.locator(".bottom-line").last()).toBeVisible();
    await look(page, "assessment");
    await pictureForReadme(page);
    const brief = page.url();
    const { investigation_id } = await (await page.request.get(`${brief}/export.json`)).json();
    await page.goto(`${brief}#c1`);
    await look(page, "assessment-panel");
    await page.goto(`${brief}/work`);
    await look(page, "assessment-work");
    await page.goto(`${brief}/analysis`);
    await look(page, "assessment-analysis");
    await page.goto(`${brief}/evidence`);
    await look(page, "assessment-evidence");
    const quoted = await page.locator('.cite-panel a[href^="/documents/"]').first().getAttribute("href");

    await page.goto(`/investigations/${investigation_id}/sessions`);
    const session = await page.getByRole("link", { name: /Processor, cycle/ }).first().getAttribute("href");
    await page.goto(`${session}`);
    await page.locator(".calls summary").evaluateAll((all) => all.slice(0, 3).forEach((one) => (one as HTMLElement).click()));
    await look(page, "session");

    await page.goto("/tensions/responses");
    const tension = await page.getByRole("link", { name: "Shortage in Mali" }).first().getAttribute("href");
    await page.goto("/tensions?view=map");
    await expect(page.locator(".heat-map path").first()).toBeAttached();
    await look(page, "tensions-map");

    await page.goto("/entities?q=Grevald");
    const entity = await page.getByRole("link", { name: "Grevald Security", exact: true }).first().getAttribute("href");
    const seed = `${entity}`.split("/").pop();
    await page.goto(`/graph?seed=${seed}`);
    await expect(page.locator("#graph-canvas [role=status]")).toContainText("relationships");
    await look(page, "graph");

    const relationship = await page.locator(".graph-edges td a").first().getAttribute("href");
    await page.goto(`${entity}/claims`);
    const claim = await page.locator('main a[href^="/claims/"]').first().getAttribute("href");
    const rest = {
      relationship: `${relationship}`,
      entities: "/entities",
      entity: `${entity}`,
      "entity-claims": `${entity}/claims`,
      "entity-claims-filtered": `${entity}/claims?mode=denied`,
      claim: `${claim}`,
      "entity-split": `${entity}/split`,
      "entity-panel": `${entity}#${`${relationship}`.slice(1).replace("/", "-")}`,
      reviews: "/reviews",
      merges: "/reviews/merges",
      delete: `/investigations/delete?id=${investigation_id}`,
      clarify: "/investigations/clarify?draft=What+happened",
      document: `${quoted}`,
      investigation: `/investigations/${investigation_id}`,
      sessions: `/investigations/${investigation_id}/sessions`,
      contest: `${new URL(brief).pathname}/contest?item=c1`,
      tensions: "/tensions",
      tension: `${tension}`,
      responses: "/tensions/responses",
      monitor: "/monitor",
      interests: "/monitor/interests",
      "new-interest": "/monitor/interests/new?error=bad_interest",
      "interest-preview": "/monitor/interests/new?preview=1&sentence=Who+was+behind+the+charge+at+the+Varrow+Lock&regions=Africa",
      schedule: "/monitor/schedule",
      "new-schedule": "/monitor/schedule/new",
      watching: "/watching",
      interview: "/interview?error=bad_interview_answer",
      "interview-form": "/interview/form?set=watch",
      notifications: "/notifications",
      settings: "/settings?error=bad_key",
      sources: "/sources?error=no_opml",
      tools: "/tools",
      assessments: "/assessments?sample=hidden",
      search: "/search?q=lock",
      "search-claims": "/search?q=lock&kind=claims&mode=asserted",
      documents: "/documents",
      people: "/people?error=last_admin",
      teams: "/teams?error=team_name_taken",
      "audit-log": "/people/log",
      "failed-orders": "/work-orders/failed",
      account: "/account?error=wrong_old_password",
      confirm: "/account/confirm?next=/people",
      "new-investigation": "/investigations/new?error=no_documents",
      "not-found": "/no-such-page",
    };
    for (const [name, address] of Object.entries(rest)) {
      await page.goto(address);
      await look(page, name);
    }
  });
});

// Runs the journeys one after another in Chromium against a dev build on an empty data directory. With E2E_SQL_URL, E2E_NEO4J_URL and
// E2E_REDIS_URL set, runs against these services with a separate worker.
import { defineConfig } from "@playwright/test";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { RESULTS, SERVER_LOG, isScaledOut } from "./results";

const port = process.env.E2E_PORT ?? "3210";
const target = resolve(process.env.CARGO_TARGET_DIR ?? "../target");
const binary = process.env.E2E_BINARY ?? join(target, "debug/autosint");
const site = process.env.E2E_SITE ?? join(target, "site-test");
const dataDir = process.env.E2E_DATA_DIR ?? join(tmpdir(), "autosint-end2end");
const serverLog = SERVER_LOG;
const workerPort = process.env.E2E_WORKER_PORT ?? "3212";
// The only feeds of the journeys are on loopback.
const feedPort = process.env.E2E_FEED_PORT ?? "3211";
const exceptions = ["feeds", "web"].map((source) => `{source="${source}",host="127.0.0.1",port=${feedPort}}`).join(",");
const baseURL = `http://127.0.0.1:${port}`;

const chromium = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => path !== "" && existsSync(path),
);

const started = {
  cwd: "..",
  timeout: 300_000,
  reuseExistingServer: false,
  gracefulShutdown: { signal: "SIGTERM" as const, timeout: 10_000 },
};
const sources = {
  AUTOSINT__FETCH__SOURCES__FEEDS: "[]",
  AUTOSINT__FETCH__HTTP__EXCEPTIONS: `[${exceptions}]`,
  // Journeys may run as root, in a container of their own.
  AUTOSINT__FETCH__BROWSER__ALLOW_ROOT: "true",
};
const services: Record<string, string> = isScaledOut
  ? {
      AUTOSINT__SQL__URL: process.env.E2E_SQL_URL ?? "",
      AUTOSINT__REDIS__URL: process.env.E2E_REDIS_URL ?? "",
      AUTOSINT__REDIS__PREFIX: `e2e.${port}:`,
      AUTOSINT__GRAPH__NEO4J__URL: process.env.E2E_NEO4J_URL ?? "",
      AUTOSINT_SECRET_KEY: "5".repeat(64),
      AUTOSINT__ENGINE__WORKERS: "0",
    }
  : {};
const web = {
  ...started,
  command: `exec "${binary}" serve --listen 127.0.0.1:${port} --data-dir "${dataDir}" >"${serverLog}" 2>&1`,
  url: `${baseURL}/healthz`,
  // The journeys share one session, however long they take.
  env: {
    AUTOSINT__SERVER__SITE_ROOT: site,
    AUTOSINT__AUTH__CONFIRM_MINUTES: "600",
    // The tensions of the sample are there soon.
    AUTOSINT__FEATURES__TENSIONS__CHECK_MS: "1000",
    ...sources,
    ...services,
  },
};
const worker = {
  ...started,
  command: `exec "${binary}" worker --workers 2 --data-dir "${dataDir}-worker" >"${serverLog}.worker" 2>&1`,
  url: `http://127.0.0.1:${workerPort}/healthz`,
  env: { ...sources, ...services, AUTOSINT__METRICS__LISTEN: `127.0.0.1:${workerPort}` },
};

export default defineConfig({
  testDir: "journeys",
  grepInvert: isScaledOut ? /@one-size/ : [],
  outputDir: RESULTS,
  workers: 1,
  retries: 0,
  // Generous timeouts, which only end hanging tests.
  timeout: 900_000,
  expect: { timeout: 30_000 },
  forbidOnly: !!process.env.CI,
  reporter: [["list"], ["json", { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? `${RESULTS}/results.json` }]],
  use: {
    baseURL,
    // A click on something that never comes does not use up the time of its test.
    actionTimeout: 120_000,
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: chromium,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: isScaledOut ? [web, worker] : web,
});

// The journeys run one after another in Chromium against one dev build, which is started here on an empty data directory.
import { defineConfig } from "@playwright/test";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const port = process.env.E2E_PORT ?? "3210";
const target = resolve(process.env.CARGO_TARGET_DIR ?? "../target");
const binary = process.env.E2E_BINARY ?? join(target, "debug/autosint");
const site = process.env.E2E_SITE ?? join(target, "site-test");
const dataDir = process.env.E2E_DATA_DIR ?? join(tmpdir(), "autosint-end2end");
const serverLog = process.env.E2E_SERVER_LOG ?? join(tmpdir(), "autosint-end2end.log");
const baseURL = `http://127.0.0.1:${port}`;

const chromium = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => path !== "" && existsSync(path),
);

export default defineConfig({
  testDir: "journeys",
  outputDir: "test-results",
  workers: 1,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: !!process.env.CI,
  reporter: [["list"], ["json", { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? "test-results/results.json" }]],
  use: {
    baseURL,
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
  webServer: {
    command: `exec "${binary}" serve --listen 127.0.0.1:${port} --data-dir "${dataDir}" >"${serverLog}" 2>&1`,
    cwd: "..",
    url: `${baseURL}/healthz`,
    timeout: 300_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
    env: { AUTOSINT__SERVER__SITE_ROOT: site },
  },
});

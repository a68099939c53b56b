// Files of a run.
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Output of the web server, which names the address of the first account. */
export const SERVER_LOG = process.env.E2E_SERVER_LOG ?? join(tmpdir(), "autosint-end2end.log");

// Folder of the data, screenshots and traces. Each size has its own, because Playwright empties the folder at the start.
export const isScaledOut = process.env.E2E_SQL_URL !== undefined;
export const RESULTS = isScaledOut ? "test-results/scaled-out" : "test-results/one-folder";

// Folder of the data, screenshots and traces of a run. Each size has its own, because Playwright empties the folder at the start.
export const isScaledOut = process.env.E2E_SQL_URL !== undefined;
export const RESULTS = isScaledOut ? "test-results/scaled-out" : "test-results/one-folder";

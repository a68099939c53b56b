// Where a run leaves its screenshots and traces. Each size has a folder of its own: Playwright empties the folder of a run when it begins.
export const RESULTS = process.env.E2E_SQL_URL === undefined ? "test-results/one-folder" : "test-results/scaled-out";

// Where the data of a run is, and where it leaves its screenshots and traces. Each size has a folder of its own: Playwright empties the
// folder of a run when it begins.
export const isScaledOut = process.env.E2E_SQL_URL !== undefined;
export const RESULTS = isScaledOut ? "test-results/scaled-out" : "test-results/one-folder";

// journey-failures.mjs RESULTS: the first failed journeys of a Playwright report in JSON, each with its error.
import { readFileSync } from "node:fs";

// The first failure is often the cause of the others.
const MOST = 3;

const journeys = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(journeys)];
const { errors, ...report } = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const { message } of errors.slice(0, MOST)) console.log(message);
for (const { file, line, title, tests } of journeys(report).filter(({ ok }) => !ok).slice(0, MOST)) {
  console.log(`${file}:${line} ${title}`);
  for (const { message } of tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))) {
    console.log(message.replaceAll(/\u001b\[\d+m/g, "").split("\n").slice(0, 12).join("\n"));
  }
}

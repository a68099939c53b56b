// run-tests.mjs MESSAGES LOGS [AT-ONCE]: runs the test binaries that `cargo build --message-format=json` listed, several side by side,
// each in the folder of its crate, for at most TEST_BINARY_MINUTES (30). Prints one line for each binary, the whole output of those that fail,
// and last "N passed, N failed". A test that fails is run once more, alone; one that passes then is reported as flaky, to be repaired.
import { spawn } from "node:child_process";
import { createWriteStream, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const [messages, logs, atOnce = "2"] = process.argv.slice(2);
// A binary that hangs is killed: its log ends with the test that did not return.
const LIMIT_MS = Number(process.env.TEST_BINARY_MINUTES ?? 30) * 60_000;
// More failures than these have a cause.
const MOST_REPEATED = 5;

const binaries = readFileSync(messages, "utf8")
  .split("\n")
  .filter((line) => line.startsWith('{"reason":"compiler-artifact"'))
  .map((line) => JSON.parse(line))
  .filter(({ executable, profile, target }) => executable && profile.test && !target.kind.includes("bench"))
  .map(({ executable, manifest_path, target }) => {
    const folder = dirname(manifest_path);
    const crate = folder.split("/").pop();
    const name = target.kind.includes("test") ? `${crate}/tests/${target.name}` : crate;
    return { executable, folder, name, bytes: statSync(executable).size };
  })
  // The largest take longest: they begin first, so that none is left running alone at the end.
  .sort((a, b) => b.bytes - a.bytes);

// Only tests on the reference data are ignored without it.
const chosen = process.env.AUTOSINT_TESTDATA ? ["--include-ignored"] : [];

let passed = 0;
let failed = 0;
let ignored = 0;
const flaky = [];

/** Runs a binary with `args`; its output goes to `log`. */
function execute({ executable, folder }, args, log) {
  return new Promise((resolve) => {
    const file = createWriteStream(log);
    const env = { ...process.env, CARGO_MANIFEST_DIR: folder };
    const stdio = ["ignore", "pipe", "pipe"];
    const child = spawn(executable, args, { cwd: folder, env, stdio, timeout: LIMIT_MS, killSignal: "SIGKILL" });
    child.stdout.pipe(file, { end: false });
    child.stderr.pipe(file, { end: false });
    child.on("close", (code, signal) => file.end(() => resolve({ code, signal, output: readFileSync(log, "utf8") })));
  });
}

/** The tests of `failures` that pass when they are run alone. */
async function passAlone(binary, failures, log) {
  const passing = [];
  for (const test of failures.length > MOST_REPEATED ? [] : failures) {
    const { code } = await execute(binary, ["--exact", test, ...chosen], `${log}.repeated`);
    if (code === 0) passing.push(test);
  }
  return passing;
}

async function run(binary) {
  const { name } = binary;
  const log = join(logs, `test-${name.replaceAll("/", "-")}.log`);
  const began = Date.now();
  const { code, signal, output } = await execute(binary, chosen, log);
  const [, ok, bad, left] = (output.match(/^test result: .* (\d+) passed; (\d+) failed; (\d+) ignored;/m) ?? [0, 0, 0, 0]).map(Number);
  const failures = [...output.matchAll(/^test (\S+) \.\.\. FAILED$/gm)].map(([, test]) => test);
  const again = code === 0 ? [] : await passAlone(binary, failures, log);
  const isFlaky = again.length > 0 && again.length === bad;
  flaky.push(...again.map((test) => `${name}: ${test}`));
  passed += ok + again.length;
  ignored += left;
  // A binary that crashes reports no failed test of its own.
  failed += code === 0 || isFlaky ? 0 : Math.max(1, bad - again.length);
  const seconds = Math.round((Date.now() - began) / 1000);
  if (code !== 0) console.log(output);
  const result = code === 0 ? "ok" : isFlaky ? `flaky, log in ${log}` : `FAILED (${signal ?? `exit code ${code}`}, log in ${log})`;
  console.log(`  ${name}: ${result}, ${ok} passed, ${bad} failed, ${left} ignored, ${seconds} s`);
}

const waiting = binaries.values();
const worker = async () => {
  for (const binary of waiting) await run(binary);
};
await Promise.all(Array.from({ length: Number(atOnce) }, worker));
if (ignored > 0) console.log(`${ignored} ignored: they need the reference data of AUTOSINT_TESTDATA (docs/benchmarks.md)`);
for (const test of flaky) console.log(`flaky, passed when run alone: ${test}`);
console.log(`${passed} passed, ${failed} failed`);
// Not process.exit(), which would cut what a pipe has not taken yet.
process.exitCode = failed > 0 || binaries.length === 0 ? 1 : 0;

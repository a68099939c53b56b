// run-tests.mjs MESSAGES LOGS [AT-ONCE]: runs the test binaries that `cargo build --message-format=json` listed, several side by side,
// each in the folder of its crate, for at most TEST_BINARY_MINUTES (30). Prints one line for each binary, the whole output of those that fail,
// and last "N passed, N failed".
import { spawn } from "node:child_process";
import { createWriteStream, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const [messages, logs, atOnce = "2"] = process.argv.slice(2);
// A binary that hangs is killed: its log ends with the test that did not return.
const LIMIT_MS = Number(process.env.TEST_BINARY_MINUTES ?? 30) * 60_000;

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

function run({ executable, folder, name }) {
  return new Promise((resolve) => {
    const log = join(logs, `test-${name.replaceAll("/", "-")}.log`);
    const file = createWriteStream(log);
    const began = Date.now();
    const child = spawn(executable, chosen, { cwd: folder, env: { ...process.env, CARGO_MANIFEST_DIR: folder }, stdio: ["ignore", "pipe", "pipe"], timeout: LIMIT_MS, killSignal: "SIGKILL" });
    child.stdout.pipe(file, { end: false });
    child.stderr.pipe(file, { end: false });
    child.on("close", (code, signal) =>
      file.end(() => {
        const output = readFileSync(log, "utf8");
        const [, ok, bad, left] = output.match(/^test result: .* (\d+) passed; (\d+) failed; (\d+) ignored;/m) ?? [0, 0, 0, 0];
        passed += Number(ok);
        ignored += Number(left);
        // A binary that crashes reports no failed test of its own.
        failed += code === 0 ? 0 : Math.max(1, Number(bad));
        const seconds = Math.round((Date.now() - began) / 1000);
        if (code !== 0) console.log(output);
        console.log(`  ${name}: ${code === 0 ? "ok" : `FAILED (${signal ?? `exit code ${code}`}, log in ${log})`}, ${ok} passed, ${bad} failed, ${left} ignored, ${seconds} s`);
        resolve();
      }),
    );
  });
}

const waiting = binaries.values();
const worker = async () => {
  for (const binary of waiting) await run(binary);
};
await Promise.all(Array.from({ length: Number(atOnce) }, worker));
if (ignored > 0) console.log(`${ignored} ignored: they need the reference data of AUTOSINT_TESTDATA (docs/benchmarks.md)`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || binaries.length === 0 ? 1 : 0);

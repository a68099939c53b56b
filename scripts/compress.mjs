// compress.mjs FOLDER: writes a .br and a .gz beside every text and wasm file, to be served as they are.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const worthwhile = /\.(js|css|wasm|svg|json|html|txt|webmanifest)$/;
const smallestBytes = 1024;

const folder = process.argv[2];
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !worthwhile.test(entry.name)) continue;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const bytes = readFileSync(path);
  if (bytes.length < smallestBytes) continue;
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  const gzip = gzipSync(bytes, { level: 9 });
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, gzip);
  console.log(`${path}: ${bytes.length} bytes, br ${brotli.length}, gz ${gzip.length}`);
}

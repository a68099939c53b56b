// fonts.mjs FOLDER: writes the fonts that style/fonts.css names. "basic" ones are cut from the Latin fonts to the characters of their
// unicode-range, without hints for screens of few pixels, so that a page in plain Latin loads a third to a half; the others are copied whole.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const subsetFont = createRequire(join(root, "frontend/package.json"))("subset-font");

/** Kerning, marks and ligatures, and figures of one width, which tables use. */
const keepFeatures = ["calt", "ccmp", "kern", "liga", "lnum", "locl", "mark", "mkmk", "tnum"];
const FACE = /url\("\/fonts\/([a-z0-9-]+)\.woff2"\)[^}]*unicode-range: ([^;]+);/g;

/** The characters of a unicode-range. */
function characters(ranges) {
  const points = ranges.split(",").flatMap((range) => {
    const [first, last = first] = range.trim().slice(2).split("-").map((point) => parseInt(point, 16));
    return Array.from({ length: last - first + 1 }, (_, place) => first + place);
  });
  return String.fromCodePoint(...points);
}

/** The font of the package: `source-serif-4-latin-400-normal` is one of `source-serif-4`. */
function original(name) {
  const family = name.replace(/-[a-z]+(-ext)?-\d+-normal$/, "");
  return join(root, "frontend/node_modules/@fontsource", family, "files", `${name}.woff2`);
}

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
for (const [, name, ranges] of readFileSync(join(root, "style/fonts.css"), "utf8").matchAll(FACE)) {
  const path = join(folder, `${name}.woff2`);
  if (!name.includes("-basic-")) {
    copyFileSync(original(name), path);
    continue;
  }
  const whole = readFileSync(original(name.replace("-basic-", "-latin-")));
  writeFileSync(path, await subsetFont(whole, characters(ranges), { targetFormat: "woff2", keepFeatures, noHinting: true }));
}

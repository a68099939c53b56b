// fonts.mjs FOLDER: writes the fonts that style/fonts.css names. "basic" ones and those of variable width are cut to the characters of their
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
  const family = name.replace(/-[a-z]+(-ext)?-(\d+|wdth)-normal$/, "");
  const packages = isVariable(name) ? "@fontsource-variable" : "@fontsource";
  return join(root, "frontend/node_modules", packages, family, "files", `${name}.woff2`);
}

const isVariable = (name) => name.includes("-wdth-");
const isBasic = (name) => name.includes("-basic-");

/** The weights and widths that the style sheet uses. */
const variationAxes = { wght: { min: 400, max: 600 }, wdth: { min: 85, max: 100 } };
/**
 * Tables that plain Latin does without. Without GDEF, which varies the kerning, all weights and widths have that of the regular face: a sixth
 * less of a variable font, and nothing that an eye sees.
 */
const dropTables = ["GDEF", "MVAR", "STAT"];

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
for (const [, name, ranges] of readFileSync(join(root, "style/fonts.css"), "utf8").matchAll(FACE)) {
  const path = join(folder, `${name}.woff2`);
  if (!isBasic(name) && !isVariable(name)) {
    copyFileSync(original(name), path);
    continue;
  }
  const whole = readFileSync(original(name.replace("-basic-", "-latin-")));
  const options = { targetFormat: "woff2", keepFeatures, noHinting: true };
  if (isBasic(name)) options.dropTables = dropTables;
  if (isVariable(name)) options.variationAxes = variationAxes;
  writeFileSync(path, await subsetFont(whole, characters(ranges), options));
}

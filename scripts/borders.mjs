// borders.mjs FILE: writes the countries of world-atlas, without Antarctica, as SVG paths in the Equal Earth projection, which keeps
// areas comparable. Bounds are those of the largest piece of a country: its islands and areas overseas would leave the rest too small.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const load = createRequire(fileURLToPath(new URL("../frontend/package.json", import.meta.url)));
const { feature } = load("topojson-client");
const { geoEqualEarth, geoPath } = await import(load.resolve("d3-geo"));

const ANTARCTICA = "010";
const topology = JSON.parse(readFileSync(load.resolve("world-atlas/countries-110m.json"), "utf8"));
// The world is about a thousand units wide. A piece that crosses the antimeridian becomes one on each side.
const path = geoPath(geoEqualEarth().scale(185).translate([0, 0])).digits(1);

/** The points of a piece, "M1,2L3,4" without its "Z". */
const points = (piece) => piece.slice(1).split("L").map((point) => point.split(",").map(Number));

function area(ring) {
  const doubled = ring.map(([x, y], at) => x * ring.at(at - 1)[1] - ring.at(at - 1)[0] * y);
  return Math.abs(doubled.reduce((one, other) => one + other)) / 2;
}

function shape(country) {
  const drawn = path(country);
  const pieces = drawn.split("Z").filter(Boolean).map(points);
  const largest = pieces.reduce((one, other) => (area(other) > area(one) ? other : one));
  const edge = (choose) => [0, 1].map((axis) => choose(...largest.map((point) => point[axis])));
  return { code: country.id ?? "", path: drawn, low: edge(Math.min), high: edge(Math.max) };
}

const { features } = feature(topology, topology.objects.countries);
writeFileSync(process.argv[2], JSON.stringify(features.filter(({ id }) => id !== ANTARCTICA).map(shape)));

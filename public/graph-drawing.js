// Looks of the explorer's picture: colours, shapes, elements and layout. The state is in graph.js.

/** Hues of the communities or kinds, in degrees. */
export const HUES = [205, 28, 140, 330, 265, 50, 180, 0, 95, 230];

/** Size of the letters of a name, its widest line, and its distance from the node, in pixels on the screen. */
const LABEL = { size: 13, width: 120, gap: 4 };

const isDark = () =>
  document.documentElement.dataset.theme === "dark" ||
  (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A colour of a community or kind that has enough contrast on the canvas. */
export const colour = (place) => `hsl(${HUES[place % HUES.length]}, 55%, ${isDark() ? 62 : 40}%)`;

/** Colours of the system in place of our own, where a person has forced them. */
const FORCED = { "--ink": "CanvasText", "--muted": "CanvasText", "--note": "Highlight", "--sheet": "Canvas" };

/** Resolves `light-dark()` and variables to a colour that a canvas knows. */
export function resolved(name) {
  const probe = document.createElement("span");
  const isForced = matchMedia("(forced-colors: active)").matches;
  // Forced colours would give letters and their background the same colour.
  probe.style.forcedColorAdjust = "none";
  probe.style.color = isForced ? (FORCED[name] ?? "CanvasText") : `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

export function styles() {
  const [ink, muted, note, sheet] = ["--ink", "--muted", "--note", "--sheet"].map(resolved);
  return [
    {
      selector: "node",
      style: {
        label: "data(name)",
        "background-color": (node) => colour(node.data("place")),
        color: ink,
        "font-family": token("--sans"),
        "font-size": LABEL.size,
        "text-valign": "bottom",
        "text-margin-y": LABEL.gap,
        "text-wrap": "wrap",
        "text-max-width": LABEL.width,
        "text-background-color": sheet,
        "text-background-opacity": 0.85,
        "text-background-padding": 1,
        "text-background-shape": "roundrectangle",
        width: (node) => 14 + 4 * Math.sqrt(node.degree(false)),
        height: (node) => 14 + 4 * Math.sqrt(node.degree(false)),
      },
    },
    { selector: "node[?added]", style: { shape: "rectangle", "background-color": sheet, "border-width": 3, "border-color": note } },
    { selector: "node[?is_on_path]", style: { "border-width": 3, "border-color": note, "font-weight": "bold" } },
    { selector: "node[?seed]", style: { "border-width": 3, "border-color": ink } },
    { selector: "node.unlabelled", style: { label: "" } },
    { selector: "node.hovered", style: { label: "data(name)", "z-index": 2 } },
    { selector: "node:locked", style: { shape: "round-diamond" } },
    { selector: "node:selected", style: { "border-width": 4, "border-color": note } },
    {
      selector: "edge",
      style: {
        width: (edge) => 1 + 4 * (edge.data("weight") ?? 0.2),
        "line-color": muted,
        "target-arrow-color": muted,
        "source-arrow-color": muted,
        "target-arrow-shape": "triangle",
        "source-arrow-shape": (edge) => (edge.data("bidirectional") ? "triangle" : "none"),
        "curve-style": "bezier",
        "arrow-scale": 0.8,
        opacity: 0.75,
      },
    },
    { selector: "edge[?added]", style: { "line-style": "dotted", "target-arrow-shape": "none" } },
    { selector: "edge[asserted = 0]", style: { "line-style": "dashed" } },
    {
      selector: "edge[?is_on_path]",
      style: { "line-color": note, "target-arrow-color": note, "source-arrow-color": note, opacity: 1, "z-index": 1 },
    },
    {
      selector: "edge:selected",
      style: {
        label: "data(description)",
        "line-color": note,
        "target-arrow-color": note,
        "source-arrow-color": note,
        color: ink,
        "font-size": 12,
        "text-background-color": sheet,
        "text-background-opacity": 0.9,
        "text-background-padding": 3,
        "text-wrap": "wrap",
        "text-max-width": 220,
        opacity: 1,
      },
    },
  ];
}

/** The box of a node's label in the picture, from the mean width of a letter. `scale` turns pixels into lengths of the picture. */
function labelBox(node, scale) {
  const letters = (node.data("name").length * LABEL.size * 0.5) / LABEL.width;
  const [lines, width] = [Math.ceil(letters), Math.min(1, letters) * LABEL.width * scale];
  const top = node.position("y") + node.height() / 2 + LABEL.gap * scale;
  const left = node.position("x") - width / 2;
  return { left, right: left + width, top, bottom: top + lines * LABEL.size * 1.2 * scale };
}

/** The middle of a node without its label, which no label of a minor entity may cover. */
function nodeBox(node) {
  const [{ x, y }, half] = [node.position(), node.height() / 3];
  return { left: x - half, right: x + half, top: y - half, bottom: y + half };
}

/** Relationships from which an entity is named even if its label covers another entity. */
const MINOR_BELOW = 4;

const overlap = (a, b) => a.left <= b.right && a.right >= b.left && a.top <= b.bottom && a.bottom >= b.top;

/**
 * Keeps labels at one size on the screen, and leaves out those that would cover another or an entity: the chosen and the best linked
 * entities are named first. Zooming in makes room for more. Returns the number of entities without a label.
 */
function placeLabels(cy) {
  const scale = 1 / cy.zoom();
  const isChosen = (node) => node.selected() || node.data("seed") || node.data("is_on_path");
  const isMinor = (node) => !isChosen(node) && node.degree(false) < MINOR_BELOW;
  const rank = (node) => (isChosen(node) ? 1e6 : 0) + node.degree(false);
  const nodes = cy.nodes(":visible").sort((a, b) => rank(b) - rank(a) || a.data("name").localeCompare(b.data("name")));
  const [drawn, labels] = [nodes.map(nodeBox), []];
  const covers = (box, at) => drawn.some((other, place) => place !== at && overlap(box, other));
  cy.batch(() => {
    nodes.forEach((node, at) => {
      const box = labelBox(node, scale);
      const isFree = !labels.some((other) => overlap(box, other)) && !(isMinor(node) && covers(box, at));
      const isNamed = node.selected() || isFree;
      if (isNamed) labels.push(box);
      node.toggleClass("unlabelled", !isNamed);
    });
    nodes.style({ "font-size": LABEL.size * scale, "text-max-width": LABEL.width * scale, "text-margin-y": LABEL.gap * scale });
  });
  return nodes.filter(".unlabelled").length;
}

/** Returns the function that places the labels anew once the picture rests. `onPlaced` gets the number of entities without one. */
export function labelsOf(cy, onPlaced) {
  let waiting;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => cy.destroyed() || onPlaced(placeLabels(cy)), 80);
  };
}

/** The server sends both ends of every relationship, and at most as many of each as can be drawn. */
export const elements = ({ nodes, edges, added = [] }, seeds, legend) => [
  ...nodes.map((node) => ({
    group: "nodes",
    data: { ...node, seed: seeds.has(node.id), place: legend.placeOf(node), position: node.position ?? null },
  })),
  ...addedNodes(added, nodes),
  ...edges.map((edge) => ({ group: "edges", data: edge })),
  ...added.flatMap(({ id, links }) =>
    links.map(({ to, text }) => ({ group: "edges", data: { id: `${id} ${to}`, source: id, target: to, description: text, added: true } })),
  ),
];

/** What features lay over the graph. Where the server has placed the entities, it stands beside the first of its links. */
function addedNodes(added, nodes) {
  const places = new Map(nodes.map(({ id, position }) => [id, position]));
  return added.map(({ id, name, kind, href, links }) => {
    const beside = places.get(links[0].to);
    const unplaced = nodes[0]?.position ? { x: 0, y: 0 } : null;
    const position = beside ? { x: beside.x + 40, y: beside.y - 40 } : unplaced;
    places.set(id, position);
    return { group: "nodes", data: { id, name, kind, href, added: true, seed: false, place: 0, position } };
  });
}

/** Entries of the legend for what features lay over the graph, one for each kind. */
export function addedLegendOf(added) {
  const kinds = [...new Set(added.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const swatch = Object.assign(document.createElement("span"), { className: "graph-swatch graph-swatch-added", ariaHidden: "true" });
    const item = document.createElement("li");
    item.append(swatch, ` ${kind} (${added.filter((node) => node.kind === kind).length})`);
    return item;
  });
}

/** Returns whether a point lies in a polygon, by the number of its sides to the right of the point. */
export const isInside = ({ x, y }, corners) =>
  corners.reduce((inside, a, at) => {
    const b = corners[(at + corners.length - 1) % corners.length];
    const crosses = a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x;
    return crosses ? !inside : inside;
  }, false);

/** The colours: those of the kinds, the most frequent first, or those of the communities, the largest first. */
export function legendOf(nodes, byKind) {
  const nameOf = byKind ? ({ kind }) => kind : ({ community }) => `Group ${community + 1}`;
  const counts = new Map();
  nodes.forEach((node) => counts.set(nameOf(node), (counts.get(nameOf(node)) ?? 0) + 1));
  const names = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || a.localeCompare(b));
  const placeOf = byKind ? ({ kind }) => names.indexOf(kind) : ({ community }) => community;
  const places = new Map(nodes.map((node) => [nameOf(node), placeOf(node)]));
  return { placeOf, entries: names.map((name) => ({ name, count: counts.get(name), place: places.get(name) })) };
}

/** The server sends positions with graphs that are too large to be laid out here. */
export const layoutOf = (cy) =>
  cy.nodes().every((node) => node.data("position"))
    ? { name: "preset", animate: false, positions: (node) => node.data("position") }
    : { name: "fcose", animate: false, randomize: cy.nodes().every((node) => node.position("x") === 0), quality: "default", nodeSeparation: 150, idealEdgeLength: 150 };

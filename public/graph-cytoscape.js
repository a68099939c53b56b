// Picture of the explorer: the only script that touches Cytoscape.js. The island in app/explorer decides what is drawn,
// calls `mount`, `update` and `destroy`, and gets what happens in the picture by one callback.

import { openEvidence } from "./panel.js";

/**
 * @typedef {{ event: string, [field: string]: unknown }} PictureEvent
 * @typedef {{ elements: { group: string, data: { id: string } }[], hidden: string[], pinned: string[], layout: object | null }} Scene
 * @typedef {{ style: object, unlabelled: string[] }} Labels
 * @typedef {{ name: string, background: string, svg: string | null }} Save
 * @typedef {{ style?: object[], scene?: Scene, hidden?: string[], labels?: Labels, select?: string[], centre?: { id: string, duration: number },
 *   zoom_by?: number, fit?: boolean, measure?: string, save?: Save }} Change
 */

/** Pause after which the picture rests. */
const REST_MS = 80;
const { cytoscape } = /** @type {any} */ (globalThis);
/** @type {any} */ let cy;
/** @type {(event: string) => void} */ let callback = () => {};
/** @type {number | undefined} */ let resting;
let isSelectionQueued = false;
const themes = new MutationObserver(reportColours);
const scheme = matchMedia("(prefers-color-scheme: dark)");

/** @param {() => PictureEvent} event reported once the running call has ended */
function report(event) {
  queueMicrotask(() => cy && callback(JSON.stringify(event())));
}

/** Reports the selection, once for all changes of it. */
function reportSelection() {
  if (isSelectionQueued) return;
  isSelectionQueued = true;
  report(() => {
    isSelectionQueued = false;
    return { event: "selected", ids: cy.$(":selected").map((/** @type {any} */ element) => element.id()) };
  });
}

function reportColours() { report(() => ({ event: "recoloured" })); }
/** @param {string} purpose for which the positions of what is visible are reported */
function measure(purpose) {
  report(() => {
    const shown = cy.elements(":visible");
    const nodes = shown.nodes().map((/** @type {any} */ node) => ({ id: node.id(), ...node.position(), width: node.width(), height: node.height() }));
    const bend = (/** @type {any} */ edge) => edge.controlPoints()?.[0] ?? edge.midpoint();
    const bends = purpose === "svg" ? shown.edges().map((/** @type {any} */ edge) => ({ id: edge.id(), ...bend(edge) })) : [];
    const { x1: x, y1: y, w: width, h: height } = purpose === "svg" ? shown.boundingBox() : { x1: 0, y1: 0, w: 0, h: 0 };
    return { event: "placed", purpose, zoom: cy.zoom(), pan: { ...cy.pan() }, area: { x, y, width, height }, nodes, bends };
  });
}

/** Reports the positions for the labels, once the picture rests. */
function rest() {
  clearTimeout(resting);
  resting = setTimeout(() => cy && measure("labels"), REST_MS);
}

/** @param {string[]} hidden */
function hide(hidden) {
  const left = new Set(hidden);
  cy.batch(() => cy.elements().forEach((/** @type {any} */ element) => element.style("display", left.has(element.id()) ? "none" : "element")));
  rest();
}

/** @param {Scene} scene drawn in place of the last one; nodes that stay keep their position */
function draw({ elements, hidden, pinned, layout }) {
  const ids = new Set(elements.map(({ data }) => data.id));
  cy.nodes().unlock();
  cy.batch(() => {
    cy.elements().filter((/** @type {any} */ element) => !ids.has(element.id())).remove();
    for (const element of elements) {
      const known = cy.getElementById(element.data.id);
      if (known.nonempty()) known.data(element.data);
      else cy.add(element);
    }
  });
  hide(hidden);
  // Pinned nodes stay where they are, unless this is the first layout.
  const pins = cy.nodes().filter((/** @type {any} */ node) => pinned.includes(node.id()));
  pins.filter((/** @type {any} */ node) => node.position("x") !== 0).lock();
  if (layout) cy.elements(":visible").layout(layout).run();
  pins.lock();
  reportSelection();
}

/** @param {Labels} labels */
function label({ style, unlabelled }) {
  const without = new Set(unlabelled);
  cy.batch(() => {
    const nodes = cy.nodes(":visible");
    nodes.forEach((/** @type {any} */ node) => node.toggleClass("unlabelled", without.has(node.id())));
    nodes.style(style);
  });
}

/** @param {string[]} ids */
function select(ids) {
  cy.elements().unselect();
  for (const id of ids) cy.getElementById(id).select();
}

/** @param {Save} file saved with the drawing that the island made, or the pixels */
function save({ name, background, svg }) {
  const href = svg === null ? cy.png({ full: true, scale: 2, bg: background }) : URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  Object.assign(document.createElement("a"), { download: name, href }).click();
  if (svg !== null) setTimeout(() => URL.revokeObjectURL(href));
}

/** @type {(container: Element, onEvent: (event: string) => void) => void} */
function mount(container, onEvent) {
  callback = onEvent;
  cy = cytoscape({ container, style: [], boxSelectionEnabled: true, maxZoom: 2 });
  cy.on("select unselect", reportSelection);
  cy.on("zoom layoutstop dragfree select unselect", rest);
  cy.on("mouseover mouseout", "node", (/** @type {any} */ event) => event.target.toggleClass("hovered", event.type === "mouseover"));
  cy.on("dbltap", "node", (/** @type {any} */ event) => report(() => ({ event: "opened", id: event.target.id() })));
  cy.on("tap", "edge[!added]", (/** @type {any} */ event) => openEvidence(`/relationships/${event.target.id()}`));
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  scheme.addEventListener("change", reportColours);
  Object.assign(globalThis, { explorer: { cy } });
}

/** @param {string} text change of the picture, as JSON */
function update(text) {
  /** @type {Change} */
  const { style, scene, hidden, labels, select: ids, centre, zoom_by: factor, fit, measure: purpose, save: file } = JSON.parse(text);
  if (style) cy.style(style);
  if (scene) draw(scene);
  if (hidden) hide(hidden);
  if (labels) label(labels);
  if (ids) select(ids);
  if (centre) cy.animate({ center: { eles: cy.getElementById(centre.id) }, duration: centre.duration });
  if (factor) cy.zoom(cy.zoom() * factor);
  if (fit) cy.animate({ fit: { padding: 30 }, duration: 0 });
  if (purpose) measure(purpose);
  if (file) save(file);
}

function destroy() {
  clearTimeout(resting);
  isSelectionQueued = false;
  themes.disconnect();
  scheme.removeEventListener("change", reportColours);
  cy?.destroy();
  cy = undefined;
}

Object.assign(globalThis, { graphPicture: { mount, update, destroy } });

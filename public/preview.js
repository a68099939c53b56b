// Context of citations, read from the page of the document when it is wanted: about two lines around the quote, in the open panel and in
// the preview that a marker shows to a mouse or the focus. Without this script a marker opens its panel.

/** Characters on each side of a quote: two lines of a panel. */
const CONTEXT_CHARS = 110;
/** Time on a marker before its preview. */
const PAUSE_MS = 300;
const MARKERS = 'main a.cite[href^="#c"]';

/** @typedef {{ before: string, after: string }} Context */

/** @type {Context} */
const NO_CONTEXT = { before: "", after: "" };

/**
 * Context by the address of the quote.
 * @type {Map<string, Promise<Context>>}
 */
const contexts = new Map();

/** @param {Range} range */
function plain(range) {
  const part = range.cloneContents();
  for (const paragraph of part.querySelectorAll("p")) paragraph.append(" ");
  return (part.textContent ?? "").replace(/\s+/g, " ").trim();
}

/**
 * @param {string} address
 * @returns {Promise<Context>}
 */
async function fetchContext(address) {
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const text = page.querySelector(".document-text");
  const marks = [...(text?.querySelectorAll("mark") ?? [])];
  if (!answer.ok || text === null || marks.length === 0) return NO_CONTEXT;
  const [before, after] = [page.createRange(), page.createRange()];
  before.setStart(text, 0);
  before.setEndBefore(marks[0]);
  after.setStartAfter(marks[marks.length - 1]);
  after.setEnd(text, text.childNodes.length);
  const [head, tail] = [plain(before), plain(after)];
  return {
    before: head.length <= CONTEXT_CHARS ? head : `… ${head.slice(-CONTEXT_CHARS).replace(/^\S*\s/, "")}`,
    after: tail.length <= CONTEXT_CHARS ? tail : `${tail.slice(0, CONTEXT_CHARS).replace(/\s\S*$/, "")} …`,
  };
}

/**
 * Puts the context around the quote of a citation, as soon as it is known.
 * @param {Element} quote
 * @param {string | null | undefined} address
 */
async function addContext(quote, address) {
  if (!address) return;
  const context = contexts.get(address) ?? fetchContext(address).catch(() => (contexts.delete(address), NO_CONTEXT));
  contexts.set(address, context);
  const { before, after } = await context;
  if (quote.parentElement?.querySelector(".quote-context")) return;
  /** @param {string} textContent */
  const line = (textContent) => Object.assign(document.createElement("p"), { className: "quote-context", textContent });
  if (before) quote.before(line(before));
  if (after) quote.after(line(after));
}

/**
 * The address of the quote in its document; none where the reader may not open it.
 * @param {Element} citation
 */
const addressOf = (citation) => citation.querySelector('a[href^="/documents/"][href*="quote="]')?.getAttribute("href");

/** Adds the context of the panel that the address names. */
function fillPanel() {
  const panel = document.querySelector(".cite-panel:not(.evidence-panel):target");
  const quote = panel?.querySelector("blockquote");
  if (panel && quote) addContext(quote, addressOf(panel));
}

/** @type {{ marker: Element, box: HTMLElement } | undefined} */
let preview;
/** @type {number | undefined} */
let timer;

function hide() {
  clearTimeout(timer);
  preview?.marker.removeAttribute("aria-describedby");
  preview?.box.remove();
  preview = undefined;
}

/** Places the preview beneath its marker, above it where there is no room. They touch, so that the pointer can reach it. */
function place() {
  if (preview === undefined) return;
  const { marker, box } = preview;
  const [at, size] = [marker.getBoundingClientRect(), box.getBoundingClientRect()];
  const fits = at.bottom + size.height <= window.innerHeight;
  box.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - size.width - 8))}px`;
  box.style.top = `${fits ? at.bottom : Math.max(0, at.top - size.height)}px`;
}

/** @param {Element} marker */
async function show(marker) {
  const citation = document.getElementById((marker.getAttribute("href") ?? "").slice(1));
  const quote = citation?.querySelector("blockquote");
  if (!citation || !quote || citation.matches(":target")) return;
  const box = Object.assign(document.createElement("div"), { id: "cite-preview", className: "cite-preview" });
  box.setAttribute("role", "tooltip");
  const copy = Object.assign(document.createElement("blockquote"), { textContent: quote.textContent });
  const source = Object.assign(document.createElement("p"), { className: "citation-source" });
  source.append(...[...citation.querySelectorAll(".citation-outlet, .citation-source time")].map((part) => part.cloneNode(true)));
  box.append(copy, source);
  document.querySelector("main")?.append(box);
  preview = { marker, box };
  marker.setAttribute("aria-describedby", box.id);
  place();
  await addContext(copy, addressOf(citation));
  if (preview?.box === box) place();
}

/**
 * Shows the preview of a marker after a pause; of anything else but the preview itself, hides it.
 * @param {EventTarget | null} target
 */
function follow(target) {
  if (!(target instanceof Element) || preview?.box.contains(target)) return;
  const marker = target.closest(MARKERS);
  if (marker !== null && preview?.marker === marker) return;
  hide();
  if (marker !== null) timer = setTimeout(() => show(marker), PAUSE_MS);
}

export function followCitations() {
  if (document.querySelector(MARKERS) === null) return;
  document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && follow(event.target));
  document.addEventListener("focusin", (event) => {
    // A marker that gets the focus back from its panel was read already.
    const isBack = event.relatedTarget instanceof Element && event.relatedTarget.closest(".cite-panel") !== null;
    if (!isBack && event.target instanceof Element && event.target.matches(":focus-visible")) follow(event.target);
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("click", hide);
  document.addEventListener("scroll", hide);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    // A preview that would come is not wanted any more.
    if (preview !== undefined) event.stopPropagation();
    hide();
  }, true);
  window.addEventListener("hashchange", fillPanel);
  fillPanel();
}

// Panels beside the text: the citations of a report, which its page holds or fetches from its Evidence tab, and claims and relationships,
// which are fetched from their pages. The address names the open panel and the style sheet shows it. Keys: j and k next and previous,
// o opens the document, Esc returns to the link in the text. Without this script the links lead to the pages.

/** @returns {HTMLElement | null} */
const open = () => document.querySelector(".cite-panel:target");

/** Addresses of what opens in a panel, and links to it on pages that have such panels. */
const EVIDENCE = /^\/(claims|relationships)\/[0-9a-f-]{36}$/;
const LINKS = '[data-panels] :is(a[href^="/claims/"], a[href^="/relationships/"])';

/** @type {Record<string, number>} */
const STEPS = { j: 1, k: -1 };

/** @param {Element} link */
const hrefOf = (link) => link.getAttribute("href") ?? "";
/** @param {string} path */
const idOf = (path) => path.slice(1).replace("/", "-");
/** @param {string} id */
const pathOf = (id) => `/${id.replace("-", "/")}`;
/**
 * The link that a click or key opens, unless it is the panel's own link to its page.
 * @param {Element} link
 */
const isOpener = (link) => EVIDENCE.test(hrefOf(link)) && link.closest(".panel-head") === null;

/** The links in the text to claims and relationships, the first to each. */
function evidenceLinks() {
  /** @type {NodeListOf<HTMLElement>} */
  const found = document.querySelectorAll(LINKS);
  const links = [...found].filter((link) => isOpener(link) && link.closest(".panels") === null);
  /** @type {Map<string, HTMLElement>} */
  const firsts = new Map();
  for (const link of links.reverse()) firsts.set(hrefOf(link), link);
  return [...firsts.values()].reverse();
}

/**
 * The link that opened the panel.
 * @type {HTMLElement | undefined}
 */
let opener;

/**
 * The link in the text that leads to a panel: the one that opened it, else the first.
 * @param {Element} panel
 */
function chipOf(panel) {
  const addresses = [`#${panel.id}`, pathOf(panel.id)];
  if (opener !== undefined && addresses.includes(hrefOf(opener))) return opener;
  /** @type {NodeListOf<HTMLElement>} */
  const citations = document.querySelectorAll(`main a.cite[href="${addresses[0]}"]`);
  // A link in a closed fold takes no focus.
  const citation = [...citations].find((link) => link.checkVisibility()) ?? citations[0];
  return citation ?? evidenceLinks().find((link) => hrefOf(link) === addresses[1]);
}

/**
 * Closes a panel; the focus returns to the link in the text, and the page stays where it is.
 * @param {Element} panel
 */
function close(panel) {
  const { scrollX, scrollY } = window;
  const chip = chipOf(panel);
  location.replace("#closed");
  window.scrollTo(scrollX, scrollY);
  chip?.focus({ preventScroll: true });
}

/**
 * Shows a panel in place of the open one, so that Back still closes it.
 * @param {Element} panel
 */
function show(panel) {
  location.replace(`#${panel.id}`);
}

/**
 * Shows the panel after or before the open one.
 * @param {Element} panel
 * @param {number} by
 */
function step(panel, by) {
  if (panel.matches(".evidence-panel")) {
    const links = evidenceLinks();
    const next = links[links.findIndex((link) => hrefOf(link) === pathOf(panel.id)) + by];
    if (next) openEvidence(hrefOf(next), true);
    return;
  }
  const panels = [...document.querySelectorAll(".cite-panel:not(.evidence-panel)")];
  const next = panels[panels.indexOf(panel) + by];
  if (next) show(next);
}

/**
 * Carries out a key in a panel; false where it means nothing.
 * @param {Element} panel
 * @param {string} key
 */
function press(panel, key) {
  const by = STEPS[key];
  if (by) {
    step(panel, by);
    return true;
  }
  if (key === "o") {
    /** @type {HTMLElement | null} */
    const link = panel.querySelector('a[href^="/documents/"]');
    link?.click();
    return link !== null;
  }
  if (key === "Escape") {
    close(panel);
    return true;
  }
  return false;
}

/**
 * Carries out a key while a panel is open; false where none is, or the key means nothing. Escape is no single key: it works always.
 * @param {string} key
 */
export function pressInPanel(key) {
  const panel = open();
  return panel !== null && press(panel, key);
}

/**
 * Builds the panel of a claim or relationship from its page.
 * @param {string} path
 */
async function fetchPanel(path) {
  const answer = await fetch(path);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [title, body] = [page.querySelector("main h1"), page.querySelector("main .with-margin")];
  const kind = page.querySelector("main .overline")?.textContent ?? "";
  if (!answer.ok || title === null || body === null || kind === "") throw new Error(`no evidence at ${path}`);
  const panel = Object.assign(document.createElement("aside"), { id: idOf(path), className: "cite-panel evidence-panel", tabIndex: -1 });
  panel.setAttribute("aria-label", kind);
  /**
   * @param {string} href
   * @param {string} textContent
   * @param {string} className
   */
  const link = (href, textContent, className) => Object.assign(document.createElement("a"), { href, textContent, className });
  const head = Object.assign(document.createElement("p"), { className: "panel-head" });
  head.append(Object.assign(document.createElement("span"), { className: "overline", textContent: kind }), link(path, "Open page", ""), link("#closed", "Close", "panel-close"));
  const heading = Object.assign(document.createElement("h2"), { className: "claim-title" });
  heading.append(...title.childNodes);
  panel.append(head, heading, ...body.querySelectorAll("section"));
  // The page that shows the panel may use the same ids, and its landmarks have the same names.
  for (const element of panel.querySelectorAll("[id]")) element.removeAttribute("id");
  for (const section of panel.querySelectorAll("section")) section.removeAttribute("aria-labelledby");
  return panel;
}

/** The place of the fetched panels, at the end of the page. */
function place() {
  const known = document.querySelector(".panels[data-panels]");
  if (known) return known;
  const section = Object.assign(document.createElement("section"), { className: "panels" });
  section.setAttribute("aria-label", "Evidence");
  section.dataset.panels = "";
  document.querySelector("main")?.append(section);
  return section;
}

/**
 * The panel that was asked for last: a slower answer to an earlier click does not take its place.
 * @type {string | undefined}
 */
let wanted;

/**
 * Opens a claim or relationship in a panel; where that fails, its page. Back closes it, unless it takes the place of another.
 * @param {string} path
 */
export async function openEvidence(path, isReplaced = false) {
  const id = idOf(path);
  wanted = id;
  if (document.getElementById(id) === null) {
    try {
      const panel = await fetchPanel(path);
      if (document.getElementById(id) === null) place().append(panel);
    } catch {
      if (isReplaced) location.replace(path);
      else location.assign(path);
      return;
    }
  }
  if (wanted !== id) return;
  if (isReplaced || location.hash === `#${id}`) location.replace(`#${id}`);
  else location.hash = id;
}

/** Opens the panel that the address names. */
function openAddressed() {
  const id = location.hash.slice(1);
  if (EVIDENCE.test(pathOf(id)) && document.getElementById(id) === null) openEvidence(pathOf(id), true);
}

/** Links to citations that only folds of a Brief use. */
const ELSEWHERE = 'main a.cite[href*="/evidence#c"]';

/**
 * Brings the panels of all citations onto the page, so that the links of its folds open beside the text. Where that fails, they lead to the
 * Evidence tab.
 */
async function fetchCitations() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(ELSEWHERE);
  const section = document.querySelector(".panels:not([data-panels])");
  if (links.length === 0 || section === null) return;
  const answer = await fetch(links[0].pathname);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  /** @type {Element | null} */
  let last = null;
  for (const panel of page.querySelectorAll(".cite-panel")) {
    const known = document.getElementById(panel.id);
    if (known === null) {
      panel.classList.add("only-on-screen");
      if (last === null) section.prepend(panel);
      else last.after(panel);
    }
    last = known ?? panel;
  }
  for (const link of links) if (document.getElementById(link.hash.slice(1)) !== null) link.setAttribute("href", link.hash);
}

/** Fetches the panels of all citations once a fold has been opened that needs them, or the address names one of them. */
export function followFolds() {
  // A toggle does not bubble.
  document.addEventListener("toggle", (event) => {
    const fold = event.target;
    if (fold instanceof HTMLDetailsElement && fold.open && fold.querySelector(ELSEWHERE)) fetchCitations().catch(() => {});
  }, true);
  const { hash } = location;
  const isHere = () => document.getElementById(hash.slice(1)) !== null;
  if (!/^#c\d+$/.test(hash) || isHere()) return;
  // The style sheet shows what the address names when it is loaded.
  fetchCitations().then(() => { if (isHere()) location.replace(hash); }).catch(() => {});
}

/** Remembers the link that opens a panel, and gives the focus back to it when the panel is closed: by its link, or by Back. */
export function followPanels() {
  let shown = open();
  document.addEventListener("click", (event) => {
    /** @type {HTMLElement | null} */
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    const panel = open();
    if (link?.matches(".panel-close") && panel !== null) {
      event.preventDefault();
      close(panel);
    } else if (link !== null && link.closest(".cite-panel") === null && (link.matches(LINKS) || link.matches('main a.cite[href^="#"]'))) {
      opener = link;
    }
  });
  window.addEventListener("hashchange", () => {
    const closed = open() === null && ["", "#closed"].includes(location.hash) ? shown : null;
    const focus = document.activeElement;
    if (closed !== null && (focus === document.body || focus?.closest(".cite-panel"))) chipOf(closed)?.focus({ preventScroll: true });
    shown = open();
  });
}

/** Opens links to claims and relationships in a panel, on pages that have such panels. */
export function followEvidence() {
  if (document.querySelector("[data-panels]") === null) return;
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest(LINKS) : null;
    if (!isPlain || event.defaultPrevented || link === null || !isOpener(link)) return;
    event.preventDefault();
    openEvidence(hrefOf(link));
  });
  window.addEventListener("hashchange", openAddressed);
  openAddressed();
}

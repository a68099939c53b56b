// Single keys of a report, and of the rows of a list. Each presses what the page offers; where it offers nothing, the key means nothing.

// Anchors of judgements, answers and indicators stand on the Analysis tab. Older addresses have them on the Evidence tab.
if (/^\/assessments\/[0-9a-f-]{36}\/evidence$/.test(location.pathname) && /^#[jhiq]\d+$/.test(location.hash)) {
  location.replace(location.pathname.replace(/evidence$/, "analysis") + location.hash);
}

/** Opens the judgement or answer that the address names: its line stands on the page, its reasons are folded. */
function openEntry() {
  const named = document.getElementById(location.hash.slice(1));
  if (named?.matches("li")) named.querySelector("details.entry")?.setAttribute("open", "");
}

openEntry();
addEventListener("hashchange", openEntry);

/**
 * Presses what a selector finds first; returns whether there is one.
 * @param {string} selector
 */
export function click(selector) {
  /** @type {HTMLElement | null} */
  const found = document.querySelector(selector);
  found?.click();
  return found !== null;
}

/**
 * Moves the focus to a field or button, unfolded and into view.
 * @param {HTMLElement | null} element
 */
function go(element) {
  element?.closest("details")?.setAttribute("open", "");
  element?.scrollIntoView({ block: "center" });
  element?.focus({ preventScroll: true });
  return Boolean(element);
}

/** Opens the choice of the readers. */
function share() {
  const readers = document.querySelector("main details.readers:has(form[action$='/visibility'])");
  if (readers === null) return false;
  return go(readers.querySelector("select") ?? readers.querySelector("summary"));
}

/** Opens the PDF of the brief; without one on this server the browser prints the page. */
function print() {
  if (document.querySelector("main article.product") === null) return false;
  if (!click('main a[href$="/brief.pdf"]')) window.print();
  return true;
}

/** Leads to the matrix, which the Evidence tab has. */
function matrix() {
  const evidence = document.querySelector('.report-tabs a[href^="/assessments/"][href$="/evidence"]');
  if (evidence === null) return false;
  location.assign(`${evidence.getAttribute("href")}?view=matrix`);
  return true;
}

/**
 * Leads to the version before or after this one.
 * @param {number} by
 */
function version(by) {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const found = document.querySelectorAll(".versions li a");
  const versions = [...found];
  const here = versions.findIndex((link) => link.getAttribute("aria-current") === "page");
  const next = here < 0 ? undefined : versions[here + by];
  next?.click();
  return next !== undefined;
}

/** Archives the report or document of the page, or the row that has the focus. The next page offers to undo it. */
function archive() {
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector('form#tidy[action$="/archive"]');
  if (form === null) return click('main form.manage[action$="/archive"] button');
  const box = document.activeElement?.closest("li, tr")?.querySelector('input[form="tidy"]');
  if (!box) return false;
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = document.querySelectorAll('input[form="tidy"]');
  for (const other of boxes) other.checked = other === box;
  form.requestSubmit();
  return true;
}

/**
 * Carries out a key; false where it means nothing on this page.
 * @param {string} key
 */
export function pressInReport(key) {
  switch (key) {
    case "f":
      return go(document.getElementById("ask-next"));
    case "s":
      return share();
    case "p":
      return print();
    case "m":
      return matrix();
    case "[":
      return version(-1);
    case "]":
      return version(1);
    case "e":
      return archive();
    default:
      // A feature names its key on the button or link itself.
      return click(`main [data-key="${CSS.escape(key)}"]`);
  }
}

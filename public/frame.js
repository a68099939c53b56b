// Keyboard of every signed-in page: single keys (which a person can switch off), and the command palette.
import { openPalette, forgetRecent } from "./palette.js";
import { checkAddresses, switchSources } from "./ask.js";
import { followNotices, forgetNotices } from "./notify.js";
import { followRunning } from "./running.js";
import { followTheme } from "./theme.js";
import { copyCitations, copyLink } from "./copy.js";
import { selectAll } from "./select-all.js";
import { followEvidence, followFolds, followPanels, pressInPanel } from "./panel.js";
import { followCitations } from "./preview.js";
import { click, pressInReport } from "./report.js";

/** @type {HTMLElement | null} */
const bar = document.querySelector("header.bar[data-shortcuts]");
const ROWS = ".row-question a, .row-title, .hits li a, .library tbody th a";
const HELP = [
  ["Ctrl+K or ⌘K", "Search or jump"],
  ["/", "Search or jump"],
  ["Tab", "In the search: one kind of results"],
  ["c", "Ask a question"],
  ["g then a first letter", "Home, assessments, explore, library and the other areas of the bar"],
  ["j, k", "Next, previous row"],
  ["Enter", "Open the row"],
  ["j, k, o", "In a panel: next, previous, open its document"],
  ["1 to 4", "Tabs of a report"],
  ["[, ]", "In a report: version before, after"],
  ["f", "In a report: ask a follow-up question"],
  ["s", "In a report: who can read it"],
  ["p", "In a report: print the brief"],
  ["m", "In a report: matrix of the evidence"],
  ["e", "Archive the report, the document or the row"],
  ["?", "This list"],
  ["Esc", "Close"],
];
/** Time for the second key after g. */
const SECOND_KEY_MS = 1500;
let waitsSince = -Infinity;

/**
 * Moves the focus to the next or previous row of the lists on the page.
 * @param {number} by
 */
function step(by) {
  /** @type {NodeListOf<HTMLElement>} */
  const found = document.querySelectorAll(`main :is(${ROWS})`);
  const rows = [...found].filter((row) => row.checkVisibility());
  const here = rows.findIndex((row) => row === document.activeElement || row.closest("li, tr")?.contains(document.activeElement));
  const next = here < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(here + by, 0), rows.length - 1);
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: "nearest" });
  return rows.length > 0;
}

/** Keys of what the page offers beyond those of every page, each once. */
function keysOfPage() {
  /** @type {NodeListOf<HTMLElement>} */
  const keyed = document.querySelectorAll("main [data-key][data-key-help]");
  /** @type {Map<string, string>} */
  const keys = new Map();
  for (const { dataset } of keyed) keys.set(dataset.key ?? "", `On this page: ${dataset.keyHelp}`);
  return [...keys];
}

export function openHelp() {
  const dialog = document.createElement("dialog");
  dialog.className = "palette palette-help";
  dialog.setAttribute("aria-labelledby", "shortcuts-title");
  const title = Object.assign(document.createElement("h2"), { id: "shortcuts-title", textContent: "Keyboard shortcuts" });
  const list = document.createElement("dl");
  for (const [keys, does] of [...HELP, ...keysOfPage()]) {
    const line = document.createElement("div");
    line.append(
      Object.assign(document.createElement("dt"), { textContent: keys }),
      Object.assign(document.createElement("dd"), { textContent: does }),
    );
    list.append(line);
  }
  const hint = Object.assign(document.createElement("p"), { className: "hint" });
  hint.append("Single keys can be switched off in ", Object.assign(document.createElement("a"), { href: "/account", textContent: "your account" }), ".");
  const close = Object.assign(document.createElement("button"), { type: "button", className: "outline", textContent: "Close" });
  close.addEventListener("click", () => dialog.close());
  dialog.append(title, list, hint, close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Carries out a single key; false where it means nothing on this page.
 * @param {string} key
 */
function single(key) {
  const isSecond = performance.now() - waitsSince < SECOND_KEY_MS;
  waitsSince = -Infinity;
  if (isSecond) {
    /** @type {NodeListOf<HTMLAnchorElement>} */
    const areas = document.querySelectorAll(".bar-nav a");
    const area = [...areas].find((link) => (link.textContent ?? "").trim().toLowerCase().startsWith(key));
    area?.click();
    return area !== undefined;
  }
  switch (key) {
    case "/":
      openPalette(openHelp);
      return true;
    case "?":
      openHelp();
      return true;
    case "c":
      return click(".bar-ask");
    case "g":
      waitsSince = performance.now();
      return true;
    // Pairs of probable duplicates have keys of their own (reviews.js).
    case "j":
      return document.getElementById("pairs") === null && step(1);
    case "k":
      return document.getElementById("pairs") === null && step(-1);
    case "1":
    case "2":
    case "3":
    case "4":
      return click(`.report-tabs li:nth-child(${key}) a`);
    // Pairs of probable duplicates and the explorer have keys of their own.
    default:
      return document.getElementById("pairs") === null && pressInReport(key);
  }
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable], dialog") !== null;
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.defaultPrevented || event.isComposing) return;
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
  if (isCommand && document.querySelector("dialog[open]") === null) {
    event.preventDefault();
    openPalette(openHelp);
    return;
  }
  if (event.key === "Escape" && document.querySelector("dialog[open]") === null && pressInPanel(event.key)) {
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || bar?.dataset.shortcuts === "off" || isTyping(event.target)) return;
  if (pressInPanel(event.key) || single(event.key)) event.preventDefault();
}

/**
 * Unfolds a refused field, so that the browser can show what is wrong with it.
 * @param {Event} event
 */
function unfold({ target }) {
  if (target instanceof Element) target.closest("details")?.setAttribute("open", "");
}

followTheme();
if (bar) {
  document.addEventListener("keydown", press);
  document.addEventListener("invalid", unfold, true);
  for (const form of document.querySelectorAll('form[action="/sign-out"]')) form.addEventListener("submit", forgetRecent);
  followRunning();
  copyCitations();
  copyLink();
  selectAll();
  followPanels();
  followFolds();
  followEvidence();
  followCitations();
  followNotices();
  checkAddresses();
  switchSources();
} else {
  // Nobody is signed in: the next person at this browser sees nothing of the last one.
  forgetRecent();
  forgetNotices();
}

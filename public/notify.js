// Browser notification when an investigation ends, on request. Any open page of the app asks about those that were marked; nothing but
// their ids is kept, in this browser.

const STORE = "autosint.notify";
const INTERVAL_MS = 10_000;
/** @type {Record<string, string>} */
const ENDED = { completed: "Done", failed: "Failed" };

/**
 * Ids of the marked investigations.
 * @returns {string[]}
 */
function marked() {
  try {
    const ids = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/**
 * Stores the marked investigations; false where the browser keeps nothing.
 * @param {string[]} ids
 */
function mark(ids) {
  try {
    localStorage.setItem(STORE, JSON.stringify(ids));
    return true;
  } catch {
    return false;
  }
}

/**
 * Announces the end of an investigation.
 * @param {string} id
 * @param {{ status: string, question: string, assessment_id?: string | null }} ended
 */
function announce(id, { status, question, assessment_id }) {
  // The tag keeps it one notification when several pages are open.
  const shown = new Notification(`${ENDED[status]}: ${question}`, { tag: id });
  shown.addEventListener("click", () => {
    window.focus();
    location.assign(assessment_id ? `/assessments/${assessment_id}` : `/investigations/${id}`);
  });
}

/** Asks about each marked investigation and announces those that have ended. */
async function look() {
  for (const id of marked()) {
    try {
      const answer = await fetch(`/api/v1/investigations/${encodeURIComponent(id)}`);
      // Signed out, or no longer visible: nothing will come.
      if ([401, 403, 404].includes(answer.status)) mark(marked().filter((other) => other !== id));
      if (!answer.ok) continue;
      const found = await answer.json();
      if (!(found.status in ENDED) || !marked().includes(id)) continue;
      mark(marked().filter((other) => other !== id));
      announce(id, found);
    } catch {
      // The server cannot be reached: the next round tries again.
    }
  }
}

/** @param {HTMLButtonElement} button */
function showState(button) {
  const isMarked = marked().includes(button.dataset.notify ?? "");
  button.setAttribute("aria-pressed", String(isMarked));
  button.textContent = isMarked ? "You will be notified" : "Notify me when it is done";
}

/** @param {HTMLButtonElement} button */
async function toggle(button) {
  const id = button.dataset.notify ?? "";
  const note = /** @type {Element} */ (button.nextElementSibling);
  note.textContent = "";
  if (marked().includes(id)) {
    mark(marked().filter((other) => other !== id));
  } else if ((await Notification.requestPermission()) !== "granted") {
    note.textContent = "Notifications are blocked. Allow them for this site in the browser's settings, then try again.";
  } else if (!mark([...new Set([...marked(), id])])) {
    note.textContent = "This browser keeps no data for the site, so it cannot notify you.";
  } else {
    note.textContent = "Keep a page of AutOSINT open.";
  }
  showState(button);
}

/** Nothing of one person is announced to the next. */
export function forgetNotices() {
  try {
    localStorage.removeItem(STORE);
  } catch {
    // Nothing is kept without storage.
  }
}

export function followNotices() {
  if (!("Notification" in window)) return;
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = document.querySelectorAll("button[data-notify]");
  for (const button of buttons) {
    showState(button);
    button.hidden = false;
    button.addEventListener("click", () => toggle(button));
  }
  if (Notification.permission === "granted") look();
  setInterval(() => {
    if (Notification.permission === "granted" && marked().length > 0) look();
  }, INTERVAL_MS);
}

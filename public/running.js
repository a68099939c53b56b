// Home while investigations run, and other pages that wait: their live regions are read again from the server, at the address of the
// page with its filter, so that phases move and finished rows change place. The filters are no such region, so that what is chosen in
// them stays: they are only shown with the first assessment.

const INTERVAL_MS = 5000;

/**
 * Whether a person is in a region: it has the focus, or something in it is unfolded. It stays as it is.
 * @param {Element} region
 */
const isInUse = (region) => region.contains(document.activeElement) || region.querySelector("details[open]") !== null;

/**
 * Replaces the regions that have changed; returns whether all are as on the page that was read.
 * @param {Document} page
 */
function replaceRegions(page) {
  /** @type {NodeListOf<HTMLElement>} */
  const parts = document.querySelectorAll("[data-live-hidden]");
  for (const part of parts) {
    const next = page.getElementById(part.id);
    if (next !== null) part.hidden = next.hidden;
  }
  let isCurrent = true;
  /** @type {NodeListOf<HTMLElement>} */
  const regions = document.querySelectorAll("[data-live]");
  for (const region of regions) {
    const next = page.querySelector(`[data-live="${region.dataset.live}"]`);
    if (next === null || next.innerHTML === region.innerHTML) continue;
    if (isInUse(region)) isCurrent = false;
    else region.replaceWith(document.adoptNode(next));
  }
  return isCurrent;
}

/** Follows a page with running work: in an interval, and sooner where the page names an address of events (`data-events`). */
export function followRunning() {
  /** @type {HTMLElement | null} */
  const running = document.querySelector("[data-running]");
  if (running === null) return;
  /** @type {EventSource | null} */
  let events = null;
  const readAgain = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!answer.ok || answer.redirected) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const isCurrent = replaceRegions(page);
      if (isCurrent && page.querySelector("[data-running]") === null) {
        clearInterval(timer);
        events?.close();
      }
    } catch {
      // The server cannot be reached: the next round tries again.
    }
  };
  const timer = setInterval(readAgain, INTERVAL_MS);
  if (running.dataset.events !== undefined) {
    events = new EventSource(running.dataset.events);
    events.onmessage = readAgain;
    // A text as it is written, before the region that will hold it has changed.
    events.addEventListener("draft", ({ data }) => {
      const draft = document.querySelector("[data-draft]");
      if (draft !== null) draft.textContent = data;
    });
  }
}

// "Copy citation": opening it selects the text and copies it where the browser allows that. "Copy link" copies the address of the page.

const SAID_MS = 2000;

/**
 * Says beside what was pressed that it is copied.
 * @param {Element} place
 */
function confirm(place) {
  const said = Object.assign(document.createElement("span"), { role: "status", textContent: " Copied" });
  place.append(said);
  setTimeout(() => said.remove(), SAID_MS);
}

/**
 * Copies the address of the page, without its fragment, and with its query only where the button says so. Where the browser forbids that,
 * it is shown selected.
 */
export function copyLink() {
  document.addEventListener("click", async (event) => {
    const button = event.target instanceof Element ? event.target.closest("button[data-copy-link]") : null;
    if (button === null) return;
    const search = button.getAttribute("data-copy-link") === "query" ? location.search : "";
    const link = location.origin + location.pathname + search;
    try {
      await navigator.clipboard.writeText(link);
      confirm(button);
    } catch {
      const field = Object.assign(document.createElement("input"), { value: link, readOnly: true });
      field.setAttribute("aria-label", "Link to this page");
      button.replaceWith(field);
      field.select();
    }
  });
}

export function copyCitations() {
  // A toggle does not bubble.
  document.addEventListener("toggle", async (event) => {
    const details = event.target;
    if (!(details instanceof HTMLDetailsElement) || !details.open || !details.matches(".copy-citation")) return;
    const text = details.querySelector("textarea");
    if (text === null) return;
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      confirm(details.querySelector("summary") ?? details);
    } catch {
      // The text is selected: the reader copies it.
    }
  }, true);
}

// Question form: lists the files that were put into each input. Without this script the inputs say how many there are.

/** How many of the chosen files are named. */
const NAMED_FILES = 6;

/**
 * `840 bytes`, `12 KB`, `3.4 MB`, as the server writes them.
 * @param {number} bytes
 */
function size(bytes) {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} KB`;
  return `${Math.floor(bytes / 100_000) / 10} MB`;
}

/**
 * Names the files of an input.
 * @param {HTMLInputElement} input
 * @param {Element} place
 */
function list(input, place) {
  const files = [...(input.files ?? [])];
  if (files.length === 0) return place.replaceChildren();
  const sum = document.createElement("p");
  sum.textContent = `${size(files.reduce((total, file) => total + file.size, 0))} in all`;
  const names = files.slice(0, NAMED_FILES).map((file) => file.name);
  if (files.length > NAMED_FILES) names.push(`… and ${files.length - NAMED_FILES} more`);
  const items = document.createElement("ul");
  items.append(...names.map((textContent) => Object.assign(document.createElement("li"), { textContent })));
  place.replaceChildren(sum, items);
}

/** @type {NodeListOf<HTMLElement>} */
const places = document.querySelectorAll("[data-files-of]");
for (const place of places) {
  const input = /** @type {HTMLInputElement} */ (document.getElementById(place.dataset.filesOf ?? ""));
  input.addEventListener("change", () => list(input, place));
  // Files chosen before this script ran, or kept by the browser after navigating back.
  window.addEventListener("pageshow", () => list(input, place));
  list(input, place);
}

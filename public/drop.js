// Library: files that are dropped anywhere on the page are added, and chosen ones are sent at once. Without this script the form has a
// button.

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-drop]"));
const input = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]"));

/** @param {DragEvent} event */
const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
/** @param {boolean} isOver */
const show = (isOver) => form.classList.toggle("is-over", isOver);

document.addEventListener("dragover", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  show(true);
});
document.addEventListener("dragleave", (event) => event.relatedTarget === null && show(false));
document.addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  show(false);
  input.files = event.dataTransfer?.files ?? null;
  form.requestSubmit();
});
input.addEventListener("change", () => form.requestSubmit());

// Library: files that are dropped anywhere on the page are added, and chosen ones are sent at once. Without this script the form has a
// button.

const form = document.querySelector("form[data-drop]");
const input = form.querySelector("input[type=file]");

const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
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
  input.files = event.dataTransfer.files;
  form.requestSubmit();
});
input.addEventListener("change", () => form.requestSubmit());

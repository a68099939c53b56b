// Keys of the reviews: m merge, x keep apart, l decide later the open pair, u undo the last decision, j and k next and previous pair.
// "Select all" of a group of pairs.
import { click } from "./report.js";

/** @type {Record<string, number>} */
const STEPS = { j: 1, k: -1 };
/** @type {Record<string, string>} */
const ACTS = { m: "merge", x: "apart", l: "later" };

/** @type {NodeListOf<HTMLElement>} */
const found = document.querySelectorAll("#pairs .pair-link");
const links = [...found];
/** @param {EventTarget | null} target */
const isTyping = (target) => target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const [step, act] = [STEPS[event.key], ACTS[event.key]];
  if (event.key === "u") {
    if (!click("[data-act=undo]")) location.assign("/reviews/merges");
  } else if (step) links[links.findIndex((link) => link.getAttribute("aria-current") === "true") + step]?.click();
  else if (act) click(`.pair [data-act=${act}]`);
  else return;
  event.preventDefault();
});

/** @type {NodeListOf<HTMLButtonElement>} */
const choices = document.querySelectorAll("[data-act=all]");
for (const button of choices) {
  const fields = [...(button.form?.elements ?? [])];
  const boxes = fields.flatMap((field) => (field instanceof HTMLInputElement && field.type === "checkbox" ? [field] : []));
  button.hidden = false;
  button.addEventListener("click", () => {
    const isAll = boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = !isAll;
  });
}

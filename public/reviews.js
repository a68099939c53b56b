// Keys of the reviews: m merge, x keep apart, l decide later the open pair, u undo the last decision, j and k next and previous pair.
// "Select all" of a group of pairs.

const links = [...document.querySelectorAll("#pairs .pair-link")];
const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const step = { j: 1, k: -1 }[event.key];
  const act = { m: "merge", x: "apart", l: "later" }[event.key];
  const undo = document.querySelector("[data-act=undo]");
  if (event.key === "u") undo ? undo.click() : location.assign("/reviews/merges");
  else if (step) links[links.findIndex((link) => link.getAttribute("aria-current") === "true") + step]?.click();
  else if (act) document.querySelector(`.pair [data-act=${act}]`)?.click();
  else return;
  event.preventDefault();
});

for (const button of document.querySelectorAll("[data-act=all]")) {
  const boxes = [...button.form.elements].filter((field) => field.type === "checkbox");
  button.hidden = false;
  button.addEventListener("click", () => {
    const isAll = boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = !isAll;
  });
}

// Keys of the reviews: j and k next and previous pair, m merge, x keep apart, l decide later, u undo the last decision.

// "Select all" of a group of pairs.

const pairs = [...document.querySelectorAll("#pairs li.pair")];
const here = () => pairs.findIndex((pair) => pair.contains(document.activeElement));
const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const place = here();
  const step = { j: 1, k: -1 }[event.key];
  const act = { m: "merge", x: "apart", l: "later" }[event.key];
  const undo = document.querySelector("[data-act=undo]");
  if (event.key === "u") undo ? undo.click() : location.assign("/reviews/merges");
  else if (step && pairs.length > 0) pairs[Math.min(Math.max(place + step, 0), pairs.length - 1)].focus();
  else if (act && place >= 0) pairs[place].querySelector(`[data-act=${act}]`)?.click();
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

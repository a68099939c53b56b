// "Select all" above the check boxes of a form, which needs no script to send them one by one.

export function selectAll() {
  for (const all of document.querySelectorAll("input[data-select]")) {
    const boxes = () => [...all.form.elements].filter((box) => box.type === "checkbox" && box.name === all.dataset.select);
    const count = () => {
      const chosen = boxes().filter((box) => box.checked).length;
      all.checked = chosen > 0 && chosen === boxes().length;
      all.indeterminate = chosen > 0 && !all.checked;
    };
    all.closest("[hidden]")?.removeAttribute("hidden");
    all.addEventListener("change", () => boxes().forEach((box) => (box.checked = all.checked)));
    // Boxes may stand outside their form.
    document.addEventListener("change", (event) => event.target.form === all.form && event.target !== all && count());
    count();
  }
}

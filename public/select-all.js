// "Select all" above the check boxes of a form, which needs no script to send them one by one.

export function selectAll() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const found = document.querySelectorAll("input[data-select]");
  for (const all of found) {
    /** @param {Element} field */
    const isChosen = (field) => field instanceof HTMLInputElement && field.type === "checkbox" && field.name === all.dataset.select;
    const boxes = () => /** @type {HTMLInputElement[]} */ ([...(all.form?.elements ?? [])].filter(isChosen));
    const count = () => {
      const chosen = boxes().filter((box) => box.checked).length;
      all.checked = chosen > 0 && chosen === boxes().length;
      all.indeterminate = chosen > 0 && !all.checked;
    };
    all.closest("[hidden]")?.removeAttribute("hidden");
    all.addEventListener("change", () => boxes().forEach((box) => (box.checked = all.checked)));
    // Boxes may stand outside their form.
    document.addEventListener("change", ({ target }) => target instanceof HTMLInputElement && target.form === all.form && target !== all && count());
    count();
  }
}

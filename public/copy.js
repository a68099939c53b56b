// "Copy citation": opening it selects the text and copies it where the browser allows that.

const SAID_MS = 2000;

export function copyCitations() {
  // A toggle does not bubble.
  document.addEventListener("toggle", async (event) => {
    const details = event.target;
    if (!(details instanceof HTMLDetailsElement) || !details.open || !details.matches(".copy-citation")) return;
    const text = details.querySelector("textarea");
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      const said = Object.assign(document.createElement("span"), { role: "status", textContent: " Copied" });
      details.querySelector("summary").append(said);
      setTimeout(() => said.remove(), SAID_MS);
    } catch {
      // The text is selected: the reader copies it.
    }
  }, true);
}

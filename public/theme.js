// Colours: each press of the button goes from those of the system to light, to dark, and back. The choice is kept in this browser; the
// head of the page applies it before the first paint.

/** @type {Record<string, string>} */
const NAMES = { light: "Light", dark: "Dark" };
/** @type {Record<string, string | undefined>} */
const NEXT = { light: "dark", dark: undefined };
const root = document.documentElement;

/** @param {string | undefined} theme */
function keep(theme) {
  try {
    if (theme === undefined) localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // Storage is switched off: the choice holds for this page.
  }
}

export function followTheme() {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = document.querySelectorAll("button.theme");
  const show = () => {
    for (const button of buttons) button.querySelector(".theme-name")?.replaceChildren(NAMES[root.dataset.theme ?? ""] ?? "Auto");
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const chosen = root.dataset.theme ?? "";
      const next = chosen in NAMES ? NEXT[chosen] : "light";
      if (next === undefined) delete root.dataset.theme;
      else root.dataset.theme = next;
      keep(next);
      show();
    });
  }
  show();
}

// Keys of the citation panel: j and k next and previous citation, o opens the document, Esc returns to the number in the text.

const open = () => document.querySelector(".cite-panel:target");

/** The number in the text that leads to a panel. */
const chipOf = (panel) => document.querySelector(`main a.cite[href="#${panel.id}"]`);

/** Shows a panel in place of the open one, so that Back still closes it. */
function show(panel) {
  location.replace(`#${panel.id}`);
}

function press(panel, key) {
  const panels = [...document.querySelectorAll(".cite-panel")];
  const step = { j: 1, k: -1 }[key];
  if (step) {
    const next = panels[panels.indexOf(panel) + step];
    if (next) show(next);
    return true;
  }
  if (key === "o") {
    const link = panel.querySelector('a[href^="/documents/"]');
    link?.click();
    return link !== null;
  }
  if (key === "Escape") {
    const { scrollX, scrollY } = window;
    const chip = chipOf(panel);
    location.replace("#closed");
    window.scrollTo(scrollX, scrollY);
    chip?.focus({ preventScroll: true });
    return true;
  }
  return false;
}

/** Carries out a key while a panel is open; false where none is, or the key means nothing. Escape is no single key: it works always. */
export function pressInPanel(key) {
  const panel = open();
  return panel !== null && press(panel, key);
}

// Command palette and single-key shortcuts. Everything that they reach has a link or a form on the pages as well.

const KEYS = "keys";
const RECENT = "recent";
const MAX_RECENT = 10;
const MAX_HITS = 5;
/** Silence after which typed words are searched for, in milliseconds. */
const PAUSE = 180;

const stored = (name, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
};
const store = (name, value) => {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage nothing is remembered.
  }
};
const areKeysOn = () => stored(KEYS, true);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Places that the viewer may open, as the navigation of the page lists them. */
function places() {
  const links = [...document.querySelectorAll(".bar-nav a, .subnav a, .bar-menu a, .bar-ask")];
  const found = new Map(links.map((link) => [link.getAttribute("href"), link.getAttribute("aria-label") ?? link.textContent.trim()]));
  return [...found].map(([href, text]) => ({ group: "Go to", href, text }));
}

const mayAsk = () => document.querySelector(".bar-ask") !== null;

/** Hits of a page with lists of links, by the heading above them. */
async function hits(address, selector, groupOf, signal) {
  const answer = await fetch(address, { signal });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const counts = {};
  return [...page.querySelectorAll(selector)]
    .map((link) => ({ group: groupOf(link), href: link.getAttribute("href"), text: link.textContent.trim() }))
    .filter(({ group }) => (counts[group] = (counts[group] ?? 0) + 1) <= MAX_HITS);
}

const search = (words, signal) =>
  Promise.all([
    hits(`/search?q=${encodeURIComponent(words)}`, ".hits .row-title", (link) => link.closest(".hits").querySelector("h2").textContent, signal),
    hits(`/entities?q=${encodeURIComponent(words)}`, "main .rows .row-title", () => "Entities", signal),
  ]).then((found) => found.flat());

class Palette {
  constructor() {
    this.input = element("input", {
      type: "text",
      role: "combobox",
      "aria-label": "Search or jump to",
      "aria-expanded": "true",
      "aria-controls": "palette-list",
      "aria-autocomplete": "list",
      autocomplete: "off",
      placeholder: "Search or jump to …",
      maxlength: "300",
    });
    this.list = element("ul", { id: "palette-list", role: "listbox", "aria-label": "Results" });
    this.status = element("p", { role: "status", class: "muted" });
    this.dialog = element("dialog", { class: "palette", "aria-label": "Command palette" }, this.input, this.status, this.list);
    document.body.append(this.dialog);
    this.input.addEventListener("input", () => this.type());
    this.dialog.addEventListener("keydown", (event) => this.key(event));
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("close", () => this.request?.abort());
  }

  open() {
    if (this.dialog.open) return;
    this.input.value = "";
    this.dialog.showModal();
    this.type();
  }

  /** Shows what is known at once, then what the server finds. */
  type() {
    const words = this.input.value.trim();
    this.request?.abort();
    clearTimeout(this.timer);
    const fits = ({ text }) => text.toLowerCase().includes(words.toLowerCase());
    const ask = words && mayAsk() ? [{ group: "Ask", href: `/investigations/new?draft=${encodeURIComponent(words)}`, text: `Ask “${words}”` }] : [];
    const recent = stored(RECENT, []).filter(fits).map((entry) => ({ ...entry, group: "Recent" }));
    const known = [...(words ? [] : recent), ...places().filter(fits)];
    this.show([...known, ...ask]);
    this.status.textContent = "";
    if (words.length < 2) return;
    this.status.textContent = "Searching …";
    this.timer = setTimeout(async () => {
      const request = (this.request = new AbortController());
      try {
        const found = await search(words, request.signal);
        this.show([...found, ...known, ...ask]);
        this.status.textContent = found.length ? "" : `Nothing contains “${words}”.`;
      } catch (error) {
        if (error.name !== "AbortError") this.status.textContent = "Search failed. Press Enter to open the search page.";
      }
    }, PAUSE);
  }

  show(entries) {
    this.entries = entries;
    const groups = Map.groupBy ? Map.groupBy(entries, ({ group }) => group) : entries.reduce((all, entry) => all.set(entry.group, [...(all.get(entry.group) ?? []), entry]), new Map());
    this.entries = [...groups.values()].flat();
    let place = 0;
    const items = [...groups].map(([group, inside]) => {
      const options = inside.map((entry) => {
        const option = element("li", { role: "option", id: `palette-${place++}` }, element("a", { href: entry.href, tabindex: "-1" }, entry.text));
        option.addEventListener("click", (event) => {
          event.preventDefault();
          this.go(entry);
        });
        return option;
      });
      return element("li", { role: "presentation" }, element("p", { class: "palette-group", role: "presentation" }, group), element("ul", { role: "group", "aria-label": group }, ...options));
    });
    this.list.replaceChildren(...items);
    this.select(0);
  }

  select(place) {
    const options = this.list.querySelectorAll("[role=option]");
    this.place = options.length ? (place + options.length) % options.length : -1;
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === this.place)));
    const chosen = options[this.place];
    chosen?.scrollIntoView({ block: "nearest" });
    if (chosen) this.input.setAttribute("aria-activedescendant", chosen.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.select(this.place + step);
    else if (event.key === "Enter") {
      const words = this.input.value.trim();
      if (this.entries[this.place]) this.go(this.entries[this.place]);
      else if (words) location.assign(`/search?q=${encodeURIComponent(words)}`);
    } else return;
    event.preventDefault();
  }

  go({ href, text, group }) {
    if (group !== "Ask") {
      const others = stored(RECENT, []).filter((entry) => entry.href !== href);
      store(RECENT, [{ href, text }, ...others].slice(0, MAX_RECENT));
    }
    this.dialog.close();
    location.assign(href);
  }
}

/** Shortcuts as the help lists them. */
const SHORTCUTS = [
  ["Ctrl K or /", "search or jump"],
  ["c", "ask a question"],
  ["g then h a r l", "home, assessments, graph, library"],
  ["j k", "next and previous row"],
  ["1 2 3", "brief, evidence, work of a report"],
  ["?", "this list"],
];

class Help {
  constructor() {
    const rows = SHORTCUTS.map(([keys, what]) => element("div", {}, element("dt", {}, element("kbd", {}, keys)), element("dd", {}, what)));
    this.toggle = element("input", { type: "checkbox" });
    this.toggle.addEventListener("change", () => store(KEYS, this.toggle.checked));
    const close = element("button", { type: "button" }, "Close");
    this.dialog = element(
      "dialog",
      { class: "palette", "aria-labelledby": "keys-title" },
      element("h2", { id: "keys-title" }, "Keyboard shortcuts"),
      element("dl", { class: "keys" }, ...rows),
      element("p", {}, element("label", {}, this.toggle, " Single-key shortcuts")),
      element("p", { class: "hint" }, "Ctrl K or Cmd K always works. The choice is kept in this browser."),
      close,
    );
    document.body.append(this.dialog);
    close.addEventListener("click", () => this.dialog.close());
  }

  open() {
    this.toggle.checked = areKeysOn();
    if (!this.dialog.open) this.dialog.showModal();
  }
}

/** Focuses the next or previous row of the page's list. */
function moveInList(step) {
  const links = [...document.querySelectorAll("main .row-question a, main .row-title")];
  const here = links.indexOf(document.activeElement);
  const next = links[here < 0 ? (step > 0 ? 0 : links.length - 1) : here + step];
  next?.focus();
  return links.length > 0;
}

function start() {
  const [palette, help] = [new Palette(), new Help()];
  const go = (href) => document.querySelector(`a[href="${href}"]`) !== null && location.assign(href);
  const leaps = { h: "/", a: "/assessments", r: "/graph", l: "/documents" };
  let isLeaping = false;

  document.querySelectorAll("[data-keys]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => help.open());
  });

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      return palette.open();
    }
    const isTyping = event.target.closest?.("input, textarea, select, [contenteditable], dialog, [role=application], #pairs");
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping || event.defaultPrevented || !areKeysOn()) return;
    const leap = isLeaping && leaps[event.key];
    isLeaping = false;
    const tab = document.querySelectorAll(".report-tabs a")[Number(event.key) - 1];
    if (leap) go(leap);
    else if (event.key === "/") palette.open();
    else if (event.key === "?") help.open();
    else if (event.key === "c") go("/investigations/new");
    else if (event.key === "g") isLeaping = true;
    else if (event.key === "j" || event.key === "k") {
      if (!moveInList(event.key === "j" ? 1 : -1)) return;
    } else if (tab) tab.click();
    else return;
    event.preventDefault();
  });
}

start();

// Command palette: one field that jumps to a page or acts. Without JavaScript the field of the bar leads to /search.

/**
 * @typedef {{ title: string, run: () => void }} Entry
 * @typedef {{ title: string, items: Entry[] }} Group
 * @typedef {{ title: string, href?: string }} RecentEntry
 * @typedef {{ title: string, href: string }} Hit
 */

const RECENT = "recent";
const MOST_RECENT = 10;
const MOST_OF_A_GROUP = 5;
/** Pause in typing before a search. */
const PAUSE_MS = 200;
const FEWEST_CHARS = 2;
/** @type {Record<string, string>} */
const TITLES = {
  assessments: "Assessments", investigations: "Investigations", entities: "Entities", claims: "Claims", relationships: "Relationships",
  documents: "Documents",
};

export function forgetRecent() {
  try {
    localStorage.removeItem(RECENT);
  } catch {
    // Storage is switched off.
  }
}

function recent() {
  try {
    /** @type {RecentEntry[]} */
    const stored = JSON.parse(localStorage.getItem(RECENT) ?? "[]");
    /** @param {unknown} href */
    const isOfHere = (href) => typeof href === "string" && /^\/(?!\/)/.test(href);
    return stored.filter((one) => typeof one?.title === "string" && (one.href === undefined || isOfHere(one.href)));
  } catch {
    return [];
  }
}

/**
 * Remembers a page by its address, an action by its title.
 * @param {string} title
 * @param {string} [href]
 */
function remember(title, href) {
  try {
    const others = recent().filter((one) => one.href !== href || (href === undefined && one.title !== title));
    localStorage.setItem(RECENT, JSON.stringify([{ title, href }, ...others].slice(0, MOST_RECENT)));
  } catch {
    // Storage is switched off.
  }
}

/**
 * @param {string} title
 * @param {() => void} run
 * @returns {Entry}
 */
function act(title, run) {
  return { title, run: () => (remember(title), run()) };
}

/**
 * @param {string} title
 * @param {string} href
 * @returns {Entry}
 */
function jump(title, href) {
  return { title, run: () => (remember(title, href), location.assign(href)) };
}

/**
 * Entries of the bar and of the account menu, which show only what the viewer's role may do.
 * @param {() => void} openHelp
 */
function actions(openHelp) {
  /** @type {Map<string, string>} */
  const byAddress = new Map();
  for (const link of document.querySelectorAll("header .bar-nav a, header .bar-menu li a")) {
    byAddress.set(link.getAttribute("href") ?? "", (link.textContent ?? "").trim());
  }
  const links = [...byAddress].map(([href, text]) => act(text, () => location.assign(href)));
  /** @type {HTMLElement | null} */
  const theme = document.querySelector("header .bar-menu .theme");
  /** @type {NodeListOf<HTMLFormElement>} */
  const found = document.querySelectorAll("header .bar-menu form");
  const forms = [...found].map((form) => act((form.querySelector("button")?.textContent ?? "").trim(), () => form.requestSubmit()));
  return [
    ...links,
    ...(theme ? [act("Change colours", () => theme.click())] : []),
    act("Keyboard shortcuts", openHelp),
    ...forms,
  ];
}

/**
 * @param {string} words
 * @returns {Entry[]}
 */
function asking(words) {
  const ask = document.querySelector("header .bar-ask");
  if (!ask || words === "") return [];
  return [{ title: `Ask “${words}”`, run: () => location.assign(`${ask.getAttribute("href")}?draft=${encodeURIComponent(words)}`) }];
}

/**
 * @param {string} words
 * @param {AbortSignal} signal
 * @returns {Promise<Group[]>}
 */
async function search(words, signal) {
  const answer = await fetch(`/api/v1/search?words_only=true&q=${encodeURIComponent(words)}`, { signal, headers: { accept: "application/json" } });
  if (answer.status === 401) throw new Error("You are signed out. Sign in again.");
  if (!answer.ok) throw new Error("The search failed. Try again.");
  /** @type {{ groups: { kind: string, hits: Hit[] }[], added: { title: string, hits: Hit[] }[] }} */
  const { groups, added } = await answer.json();
  const titled = [...groups.map(({ kind, hits }) => ({ title: TITLES[kind] ?? kind, hits })), ...added];
  return titled.map(({ title, hits }) => ({
    title,
    items: hits.slice(0, MOST_OF_A_GROUP).map((hit) => jump(hit.title, hit.href)),
  }));
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} [attributes]
 * @param {string} [text]
 */
function make(name, attributes = {}, text = "") {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

/** @param {() => void} openHelp */
export function openPalette(openHelp) {
  const dialog = make("dialog", { class: "palette", "aria-label": "Search or jump" });
  const field = make("input", {
    type: "search", role: "combobox", "aria-label": "Search or jump", "aria-expanded": "true", "aria-controls": "palette-list",
    "aria-autocomplete": "list", autocomplete: "off", maxlength: "300", placeholder: "Search or jump to…",
  });
  const list = make("div", { id: "palette-list", role: "listbox", "aria-label": "Results" });
  const status = make("p", { role: "status", class: "palette-status" });
  dialog.append(field, list, status);
  let chosen = 0;
  /** @type {(Entry & { option: HTMLElement })[]} */
  let items = [];
  /**
   * Everything that was found.
   * @type {Group[]}
   */
  let found = [];
  let message = "";
  /**
   * The kind that alone is shown; none: all.
   * @type {string | null}
   */
  let kind = null;
  let running = new AbortController();
  /** @type {number | undefined} */
  let timer;

  /** @param {number} place */
  function choose(place) {
    if (items.length === 0) return field.removeAttribute("aria-activedescendant");
    chosen = (place + items.length) % items.length;
    items.forEach(({ option }, at) => option.setAttribute("aria-selected", String(at === chosen)));
    field.setAttribute("aria-activedescendant", items[chosen].option.id);
    items[chosen].option.scrollIntoView({ block: "nearest" });
  }

  /** @param {Entry} item */
  function take(item) {
    dialog.close();
    item.run();
  }

  /**
   * @param {Group[]} groups
   * @param {string} text
   */
  function show(groups, text) {
    found = groups.filter((group) => group.items.length > 0);
    message = text;
    draw();
  }

  /**
   * Shows the next or previous kind alone, after the last all.
   * @param {number} by
   */
  function cycle(by) {
    const kinds = [null, ...found.map((group) => group.title)];
    kind = kinds.at((kinds.indexOf(kind) + by + kinds.length) % kinds.length) ?? null;
    draw();
  }

  function draw() {
    if (!found.some((group) => group.title === kind)) kind = null;
    items = [];
    list.replaceChildren();
    for (const { title, items: entries } of found.filter((group) => kind === null || group.title === kind)) {
      const group = make("div", { role: "group", "aria-label": title });
      group.append(make("p", { class: "palette-group", "aria-hidden": "true" }, title));
      for (const entry of entries) {
        const option = make("div", { role: "option", id: `palette-${items.length}`, "aria-selected": "false" }, entry.title);
        option.addEventListener("click", () => take(entry));
        group.append(option);
        items.push({ ...entry, option });
      }
      list.append(group);
    }
    status.textContent = kind === null ? message : `Only ${kind.toLowerCase()}. Tab: next kind.`;
    field.setAttribute("aria-expanded", String(items.length > 0));
    choose(0);
  }

  /**
   * Entries without a server: actions, and the pages and actions that were chosen last. An action that is not offered here is left out.
   * @param {string} words
   */
  function own(words) {
    const lower = words.toLowerCase();
    const all = actions(openHelp);
    /** @param {RecentEntry} entry */
    const again = ({ title, href }) => (href === undefined ? all.find((entry) => entry.title === title) : jump(title, href));
    const last = recent().flatMap((entry) => again(entry) ?? []).filter((entry) => entry.title.toLowerCase().includes(lower));
    const acts = all.filter((entry) => entry.title.toLowerCase().includes(lower) && !last.includes(entry));
    return { acts: { title: "Actions", items: [...asking(words), ...acts] }, last: { title: "Recent", items: last } };
  }

  function refresh() {
    const words = field.value.trim();
    running.abort();
    clearTimeout(timer);
    const { acts, last } = own(words);
    if (words.length < FEWEST_CHARS) return show([last, acts], "");
    show([last, acts], "Searching…");
    running = new AbortController();
    const { signal } = running;
    timer = setTimeout(async () => {
      try {
        const results = await search(words, signal);
        if (signal.aborted) return;
        const everything = { title: "Search", items: [{ title: `All results for “${words}”`, run: () => location.assign(`/search?q=${encodeURIComponent(words)}`) }] };
        const hits = results.reduce((sum, group) => sum + group.items.length, 0);
        show([...results, last, acts, everything], hits === 0 ? "No page found." : `${hits} ${hits === 1 ? "page" : "pages"} found.`);
      } catch (error) {
        const message = error instanceof TypeError ? "The server cannot be reached." : String(error instanceof Error ? error.message : error);
        if (!signal.aborted) show([last, acts], message);
      }
    }, PAUSE_MS);
  }

  field.addEventListener("input", refresh);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter" && items.length > 0) take(items[chosen]);
    else if (event.key === "Tab" && found.length > 1) cycle(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") dialog.close();
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  // Removed when closed; the browser gives the focus back.
  dialog.addEventListener("close", () => {
    running.abort();
    clearTimeout(timer);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  refresh();
  field.focus();
}

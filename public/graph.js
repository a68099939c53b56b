// Picture of the explorer: draws the subgraph of the page with Cytoscape.js and keeps it, the tables and the address together.
// Without it the page is complete: tables, filters, paths and exports need no script.

import { openEvidence } from "/panel.js";
import { HUES, addedLegendOf, colour, elements, isInside, labelsOf, layoutOf, legendOf, resolved, styles } from "./graph-drawing.js";

const canvas = document.getElementById("graph-canvas");
const twin = document.getElementById("graph-twin");

/** Month of a moment, as a number that grows by one from month to month. */
const monthOf = (moment) => Number(moment.slice(0, 4)) * 12 + Number(moment.slice(5, 7)) - 1;
const monthText = (month) => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;

/** Inputs of the filter form that a person sees no field for: what is expanded, hidden, pinned and sought. */
const KEPT = ["seed", "hide", "pin", "to"];

/** Whether a person has changed a field since it was shown. */
function isEdited(field) {
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.tagName === "SELECT") return field.value !== (field.querySelector("option[selected]") ?? field.options[0]).value;
  return field.value !== field.defaultValue;
}

/** Takes over the fields of a fresh form. The form and its button stay, so that a click that has begun counts. */
function refill(form, fresh) {
  for (const field of fresh.querySelectorAll("[name]:not([type=hidden])")) {
    const shown = form.elements.namedItem(field.name);
    if (shown !== null && shown !== document.activeElement && !isEdited(shown)) shown.replaceWith(field);
  }
}

/** A number with its noun. */
const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;

class Explorer {
  constructor() {
    this.address = new URLSearchParams(location.search);
    this.seeds = [];
    this.undone = [];
    this.done = [];
    this.cy = cytoscape({
      container: canvas.querySelector(".graph-picture"),
      style: styles(),
      boxSelectionEnabled: true,
      maxZoom: 2,
    });
    this.labels = labelsOf(this.cy, (left) => this.sayNameless(left));
    this.cy.on("select unselect", () => this.showSelection());
    this.cy.on("zoom layoutstop dragfree select unselect", () => this.labels());
    this.cy.on("mouseover mouseout", "node", ({ target, type }) => target.toggleClass("hovered", type === "mouseover"));
    this.cy.on("dbltap", "node[!added]", (event) => this.expand(event.target.id()));
    this.cy.on("dbltap", "node[?added]", (event) => location.assign(event.target.data("href")));
    this.cy.on("tap", "edge[!added]", (event) => openEvidence(`/relationships/${event.target.id()}`));
    this.recolour = () => {
      this.cy.style(styles());
      this.showLegend();
    };
    this.colours = new MutationObserver(this.recolour);
    this.colours.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", this.recolour);
    // Back from a panel leads to an entry with the query of then.
    window.addEventListener("hashchange", () => history.replaceState(null, "", `?${this.address}${location.hash}`));
  }

  /** Fetches the subgraph of the address and draws it; nodes that stay keep their place. */
  async update() {
    const asked = this.address.toString();
    const answer = await fetch(`/graph/picture.json?${asked}`);
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    const graph = await answer.json();
    if (asked !== this.address.toString()) return;
    this.seeds = graph.seeds;
    this.added = graph.added ?? [];
    this.legend = legendOf(graph.nodes, this.address.get("colour") === "kind");
    const wanted = elements(graph, new Set(this.seeds), this.legend);
    const ids = new Set(wanted.map((element) => element.data.id));
    const hasNew = [...graph.nodes, ...this.added].some((node) => this.cy.getElementById(node.id).empty());
    this.cy.nodes().unlock();
    this.cy.batch(() => {
      this.cy.elements().filter((element) => !ids.has(element.id())).remove();
      for (const element of wanted) {
        const known = this.cy.getElementById(element.data.id);
        if (known.nonempty()) known.data(element.data);
        else this.cy.add(element);
      }
    });
    this.months();
    this.show();
    // Pinned nodes stay where they are, unless this is the first layout.
    const pins = this.address.getAll("pin").reduce((pins, id) => pins.union(this.cy.getElementById(id)), this.cy.collection());
    pins.filter((node) => node.position("x") !== 0).lock();
    if (hasNew) this.cy.elements(":visible").layout(layoutOf(this.cy)).run();
    pins.lock();
    this.showLegend();
    this.markRows();
    const shown = `${count(graph.nodes.length, "entity", "entities")}, ${count(graph.edges.length, "relationship", "relationships")}.`;
    this.say([shown, ...graph.notices].join(" "));
  }

  /** What the colours mean, the most frequent first. */
  showLegend() {
    const items = (this.legend?.entries ?? []).slice(0, HUES.length).map(({ name, count, place }) => {
      const swatch = Object.assign(document.createElement("span"), { className: "graph-swatch", ariaHidden: "true" });
      swatch.style.backgroundColor = colour(place);
      const item = document.createElement("li");
      item.append(swatch, ` ${name} (${count})`);
      return item;
    });
    canvas.querySelector(".graph-legend").replaceChildren(...items, ...addedLegendOf(this.added ?? []));
  }

  /** Says how many entities have no name in the picture. */
  sayNameless(left) {
    const line = canvas.querySelector(".graph-nameless");
    line.hidden = left === 0;
    line.textContent = `${count(left, "entity has", "entities have")} no name in the picture for lack of room. Point at one, zoom in, or see the table below.`;
  }

  /** Sets the ends of the time slider to the first and the last month in which a relationship was first stated. */
  months() {
    const slider = canvas.querySelector("[name=month]");
    const months = this.cy.edges().map((edge) => edge.data("first_published")).filter(Boolean).map(monthOf);
    const until = this.address.get("until");
    const known = [...months, ...(this.range ?? []), ...(until?.length >= 7 ? [monthOf(until)] : [])];
    this.range = known.length > 0 ? [Math.min(...known), Math.max(...known)] : undefined;
    const [first, last] = this.range ?? [0, 0];
    slider.parentElement.hidden = first === last;
    [slider.min, slider.max] = [first, last];
    slider.value = until?.length >= 7 ? monthOf(until) : last;
  }

  /** Shows what was stated by the month of the slider. Seeds stay. */
  show() {
    const slider = canvas.querySelector("[name=month]");
    const until = slider.parentElement.hidden || slider.value === slider.max ? Infinity : Number(slider.value);
    canvas.querySelector("output").textContent = until === Infinity ? "all" : monthText(until);
    this.cy.batch(() => {
      this.cy.edges().forEach((edge) => {
        const stated = edge.data("first_published");
        edge.style("display", until === Infinity || (stated && monthOf(stated) <= until) ? "element" : "none");
      });
      this.cy.nodes().forEach((node) => {
        const isLinked = node.data("seed") || until === Infinity || node.connectedEdges().some((edge) => edge.style("display") !== "none");
        node.style("display", isLinked ? "element" : "none");
      });
    });
    this.labels();
  }

  /** Changes the address, draws it, and replaces the tables by those of the new address. */
  async go(change, remember = true) {
    const before = this.address.toString();
    change(this.address);
    if (this.address.toString() === before) return;
    if (remember) {
      this.done.push(before);
      this.undone = [];
    }
    history.replaceState(null, "", `?${this.address}${location.hash}`);
    this.buttons();
    try {
      await Promise.all([this.update(), this.replaceTables()]);
    } catch (error) {
      this.say(`Not loaded: ${error.message} Reload the page.`);
    }
  }

  async replaceTables() {
    const asked = this.address.toString();
    const answer = await fetch(`/graph?${asked}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (asked !== this.address.toString()) return;
    const fresh = page.getElementById("graph-twin");
    if (fresh) twin.replaceChildren(...fresh.childNodes);
    const [form, filters] = [document.getElementById("graph-filters"), page.getElementById("graph-filters")];
    if (form && filters) refill(form, filters);
    const saved = document.querySelector("#save-view [name=query]");
    if (saved) saved.value = this.address.toString();
    const exports = page.querySelector(".exports");
    if (exports) document.querySelector(".exports")?.replaceWith(exports);
    this.markRows();
  }

  /** Brings what a filter form sends up to date: its hidden inputs are those of the page as it was loaded. */
  complete(data) {
    const kept = (key) => (key === "seed" && !this.address.has("seed") ? this.seeds : this.address.getAll(key));
    for (const key of KEPT) {
      if (key === "seed" && kept(key).length === 0) continue;
      data.delete(key);
      kept(key).forEach((value) => data.append(key, value));
    }
    // An empty name would end the paths that the picture has asked for meanwhile.
    if (this.address.has("to") && !isEdited(document.querySelector("#graph-filters [name=target]"))) data.delete("target");
  }

  /** Writes the expanded entities into an address, in place of the search that led to them. */
  setSeeds(address, seeds) {
    ["seed", "search", "assessment", "investigation"].forEach((key) => address.delete(key));
    seeds.forEach((seed) => address.append("seed", seed));
  }

  expand(id) {
    if (this.cy.getElementById(id).data("added")) return this.say("Only entities can be expanded.");
    const isSeed = this.seeds.includes(id);
    if (isSeed && this.seeds.length === 1) return this.say("This is the only expanded entity.");
    return this.go((address) => this.setSeeds(address, isSeed ? this.seeds.filter((seed) => seed !== id) : [...this.seeds, id]));
  }

  selected() {
    return this.cy.nodes(":selected[!added]").map((node) => node.id());
  }

  hide() {
    const chosen = this.selected();
    return this.go((address) => chosen.forEach((id) => address.append("hide", id)));
  }

  /** Asks for the paths between the two selected entities; what is shown and filtered stays. */
  path() {
    const [from, to] = this.selected();
    if (!to) return this.say("Select two entities to find the paths between them.");
    return this.go((address) => {
      this.setSeeds(address, [from, ...this.seeds.filter((seed) => seed !== from)]);
      address.delete("target");
      address.set("to", to);
    });
  }

  pin() {
    const chosen = this.selected();
    return this.go((address) => {
      const pinned = address.getAll("pin");
      const others = pinned.filter((id) => !chosen.includes(id));
      address.delete("pin");
      const isEach = chosen.every((id) => pinned.includes(id));
      [...others, ...(isEach ? [] : chosen)].forEach((id) => address.append("pin", id));
    });
  }

  undo() {
    const last = this.done.pop();
    if (last === undefined) return;
    this.undone.push(this.address.toString());
    return this.replace(last);
  }

  redo() {
    const next = this.undone.pop();
    if (next === undefined) return;
    this.done.push(this.address.toString());
    return this.replace(next);
  }

  replace(query) {
    return this.go((address) => {
      [...new Set(address.keys())].forEach((key) => address.delete(key));
      new URLSearchParams(query).forEach((value, key) => address.append(key, value));
    }, false);
  }

  png() {
    const link = document.createElement("a");
    link.download = "graph.png";
    link.href = this.cy.png({ full: true, scale: 2, bg: resolved("--sheet") });
    link.click();
  }

  /** Draws what is visible as SVG, in the places and colours of the picture. */
  svg() {
    const shown = this.cy.elements(":visible");
    const box = shown.boundingBox();
    const root = document.implementation.createDocument("http://www.w3.org/2000/svg", "svg");
    const put = (name, attributes, text = "") => {
      const element = root.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      element.textContent = text;
      root.documentElement.append(element);
    };
    root.documentElement.setAttribute("viewBox", [box.x1 - 20, box.y1 - 20, box.w + 40, box.h + 40].join(" "));
    shown.edges().forEach((edge) => {
      const [a, b] = [edge.source().position(), edge.target().position()];
      // Several relationships of two entities are bent apart.
      const bend = edge.controlPoints()?.[0] ?? edge.midpoint();
      const dashes = edge.data("asserted") === 0 ? { "stroke-dasharray": "6 4" } : {};
      const d = `M ${a.x} ${a.y} Q ${bend.x} ${bend.y} ${b.x} ${b.y}`;
      put("path", { d, fill: "none", stroke: "#777", "stroke-width": edge.width(), ...dashes });
    });
    shown.nodes().forEach((node) => {
      const { x, y } = node.position();
      put("circle", { cx: x, cy: y, r: node.width() / 2, fill: node.style("background-color") });
      put("text", { x, y: y + node.height() / 2 + 14, "text-anchor": "middle", "font-family": "sans-serif", "font-size": 13 }, node.data("name"));
    });
    const link = document.createElement("a");
    link.download = "graph.svg";
    link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href));
  }

  /** Lets the next drag draw a line around the entities to select. */
  lasso() {
    this.say("Draw a line around the entities to select.");
    const picture = canvas.querySelector(".graph-picture");
    const overlay = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
    overlay.setAttribute("class", "graph-lasso");
    overlay.append(line);
    picture.append(overlay);
    const corners = [];
    const add = (event) => {
      const { left, top } = overlay.getBoundingClientRect();
      corners.push({ x: event.clientX - left, y: event.clientY - top });
      line.setAttribute("points", corners.map(({ x, y }) => `${x},${y}`).join(" "));
    };
    overlay.addEventListener("pointerdown", (event) => (overlay.setPointerCapture(event.pointerId), add(event)));
    overlay.addEventListener("pointermove", (event) => corners.length > 0 && add(event));
    overlay.addEventListener("pointerup", () => {
      overlay.remove();
      const inside = this.cy.nodes(":visible").filter((node) => isInside(node.renderedPosition(), corners));
      this.cy.elements().unselect();
      inside.select();
      this.say(`${inside.length} selected.`);
    });
  }

  say(text) {
    canvas.querySelector("[role=status]").textContent = text;
  }

  /** What is selected, with links to its pages; its rows are marked. */
  showSelection() {
    const [nodes, edges] = [this.cy.nodes(":selected"), this.cy.edges(":selected")];
    const panel = canvas.querySelector(".graph-selection");
    const lines = [];
    const link = (href, text) => Object.assign(document.createElement("a"), { href, textContent: text });
    const line = (...parts) => {
      const item = document.createElement("li");
      item.append(...parts);
      lines.push(item);
    };
    nodes.slice(0, 12).forEach((node) => line(link(node.data("href") ?? `/entities/${node.id()}`, node.data("name")), ` ${node.data("kind")}`));
    edges.slice(0, 12).forEach((edge) => {
      const { description, claims, asserted } = edge.data();
      const [from, to] = [edge.source().data("name"), edge.target().data("name")];
      if (edge.data("added")) return line(`${from}: ${description} → ${to}`);
      line(`${from}: `, link(`/relationships/${edge.id()}`, description), ` → ${to} (${count(claims, "claim", "claims")}, ${asserted} asserted)`);
    });
    panel.replaceChildren(...lines);
    this.markRows();
  }

  /** Marks the rows of what is selected. One row of each table is in the tab order: the arrow keys lead to the others. */
  markRows() {
    twin.querySelectorAll("table").forEach((table) => {
      table.setAttribute("role", "grid");
      table.setAttribute("aria-multiselectable", "true");
      const rows = [...table.querySelectorAll("[data-node], [data-edge]")];
      rows.forEach((row) => {
        const element = this.cy.getElementById(row.dataset.node ?? row.dataset.edge);
        const isSelected = element.nonempty() && element.selected();
        row.toggleAttribute("data-selected", isSelected);
        row.setAttribute("aria-selected", isSelected);
        row.tabIndex = -1;
      });
      const reached = rows.find((row) => row === document.activeElement) ?? rows.find((row) => row.dataset.selected !== undefined);
      if (rows.length > 0) (reached ?? rows[0]).tabIndex = 0;
    });
  }

  /** Keys of a row: arrows lead to the next, space and enter select it, and with Ctrl or Cmd add it to the selection. */
  rowKey(event) {
    const row = event.target;
    if (!row.matches("[data-node], [data-edge]")) return;
    const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
    if (next) {
      [row.tabIndex, next.tabIndex] = [-1, 0];
      next.focus();
    } else if (event.key === " " || event.key === "Enter") this.selectRow(row, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  }

  selectRow(row, isAdded) {
    const element = this.cy.getElementById(row.dataset.node ?? row.dataset.edge);
    if (element.empty()) return;
    if (isAdded && element.selected()) return element.unselect();
    if (!isAdded) this.cy.elements().unselect();
    element.select();
    this.cy.animate({ center: { eles: element }, duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 200 });
  }

  buttons() {
    const set = (name, isOff) => (canvas.querySelector(`[data-act=${name}]`).disabled = isOff);
    set("undo", this.done.length === 0);
    set("redo", this.undone.length === 0);
  }

  destroy() {
    this.colours.disconnect();
    this.scheme.removeEventListener("change", this.recolour);
    this.cy.destroy();
  }
}

/** Buttons of the picture: name, label, key. */
const ACTS = [
  ["expand", "Expand or collapse", "e"],
  ["hide", "Hide", "h"],
  ["pin", "Pin", "p"],
  ["path", "Paths between two", "b"],
  ["undo", "Undo", "z"],
  ["redo", "Redo", "y"],
  ["lasso", "Lasso", "l"],
  ["fit", "Fit", "0"],
  ["png", "Save as PNG", null],
  ["svg", "Save as SVG", null],
];

function mount() {
  const bar = document.createElement("div");
  bar.className = "graph-bar";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "Picture");
  for (const [act, label, key] of ACTS) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.dataset.act = act;
    button.textContent = label;
    if (key) button.title = `Key ${key}`;
    bar.append(button);
  }
  const picture = Object.assign(document.createElement("div"), { className: "graph-picture", tabIndex: 0 });
  picture.setAttribute("role", "application");
  picture.setAttribute("aria-label", "Picture of the relationships; the tables below say the same. Arrow keys move the selection.");
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  status.className = "muted";
  const selection = Object.assign(document.createElement("ul"), { className: "graph-selection" });
  const time = document.createElement("label");
  time.className = "graph-time";
  time.hidden = true;
  time.append("Stated until ", Object.assign(document.createElement("input"), { type: "range", name: "month" }), " ", document.createElement("output"));
  const legend = Object.assign(document.createElement("ul"), { className: "graph-legend" });
  legend.setAttribute("aria-label", "Colours");
  const nameless = Object.assign(document.createElement("p"), { className: "hint graph-nameless", hidden: true });
  canvas.append(bar, time, picture, nameless, legend, status, selection);
  canvas.hidden = false;

  const explorer = new Explorer();
  const act = (name) => {
    const first = explorer.cy.nodes(":selected").first();
    if (name === "expand") return first.nonempty() ? explorer.expand(first.id()) : explorer.say("Select an entity to expand.");
    if (name === "fit") return explorer.cy.animate({ fit: { padding: 30 }, duration: 0 });
    return explorer[name]();
  };
  time.addEventListener("input", () => explorer.show());
  time.addEventListener("change", ({ target }) =>
    explorer.go((address) => (target.value === target.max ? address.delete("until") : address.set("until", monthText(Number(target.value))))),
  );
  bar.addEventListener("click", (event) => event.target.dataset.act && act(event.target.dataset.act));
  picture.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const found = ACTS.find(([, , key]) => key === event.key);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (found) act(found[0]);
    else if (step) moveSelection(explorer.cy, step);
    else if (event.key === "+" || event.key === "-") explorer.cy.zoom(explorer.cy.zoom() * (event.key === "+" ? 1.2 : 1 / 1.2));
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  twin.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (row && !event.target.closest("a")) explorer.selectRow(row, event.ctrlKey || event.metaKey);
  });
  twin.addEventListener("keydown", (event) => explorer.rowKey(event));
  document.getElementById("graph-filters")?.addEventListener("formdata", (event) => explorer.complete(event.formData));
  explorer.buttons();
  explorer.update().catch((error) => explorer.say(`Not drawn: ${error.message} The tables below are complete.`));
  return explorer;
}

/** Selects the next visible entity by name. */
function moveSelection(cy, step) {
  const nodes = cy.nodes(":visible").sort((a, b) => a.data("name").localeCompare(b.data("name")));
  if (nodes.empty()) return;
  const here = nodes.toArray().findIndex((node) => node.selected());
  const start = here < 0 && step < 0 ? 0 : here;
  const next = nodes[(start + step + nodes.length) % nodes.length];
  cy.elements().unselect();
  next.select();
}

if (canvas && twin && typeof cytoscape === "function") window.explorer = mount();

// Picture of the explorer: draws the subgraph of the page with Cytoscape.js and keeps it, the tables and the address together.
// Without it the page is complete: tables, filters, paths and exports need no script.

const canvas = document.getElementById("graph-canvas");
const twin = document.getElementById("graph-twin");

/** Most nodes for which the browser computes the layout; above it, a ring around each seed is drawn. */
const FCOSE_NODES = 300;
/** Most nodes that are drawn. */
const MAX_NODES = 1500;
/** Hues of the communities, in degrees. */
const HUES = [205, 28, 140, 330, 265, 50, 180, 0, 95, 230];

const isDark = () =>
  document.documentElement.dataset.theme === "dark" ||
  (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A colour of a community that has enough contrast on the canvas. */
const colour = (community) => `hsl(${HUES[community % HUES.length]}, 55%, ${isDark() ? 62 : 40}%)`;

/** Resolves `light-dark()` and variables to a colour that a canvas knows. */
function resolved(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function styles() {
  const [ink, muted, note, sheet] = ["--ink", "--muted", "--note", "--sheet"].map(resolved);
  return [
    {
      selector: "node",
      style: {
        label: "data(name)",
        "background-color": (node) => colour(node.data("community")),
        color: ink,
        "font-family": token("--sans"),
        "font-size": 13,
        "min-zoomed-font-size": 9,
        "text-valign": "bottom",
        "text-margin-y": 4,
        "text-wrap": "ellipsis",
        "text-max-width": 140,
        width: (node) => 14 + 4 * Math.sqrt(node.degree(false)),
        height: (node) => 14 + 4 * Math.sqrt(node.degree(false)),
      },
    },
    { selector: "node[?seed]", style: { "border-width": 3, "border-color": ink } },
    { selector: "node:locked", style: { shape: "round-diamond" } },
    { selector: "node:selected", style: { "border-width": 4, "border-color": note } },
    {
      selector: "edge",
      style: {
        width: (edge) => 1 + 4 * (edge.data("weight") ?? 0.2),
        "line-color": muted,
        "target-arrow-color": muted,
        "source-arrow-color": muted,
        "target-arrow-shape": "triangle",
        "source-arrow-shape": (edge) => (edge.data("bidirectional") ? "triangle" : "none"),
        "curve-style": "bezier",
        "arrow-scale": 0.8,
        opacity: 0.75,
      },
    },
    { selector: "edge[asserted = 0]", style: { "line-style": "dashed" } },
    {
      selector: "edge:selected",
      style: {
        label: "data(description)",
        "line-color": note,
        "target-arrow-color": note,
        "source-arrow-color": note,
        color: ink,
        "font-size": 12,
        "text-background-color": sheet,
        "text-background-opacity": 0.9,
        "text-background-padding": 3,
        "text-wrap": "wrap",
        "text-max-width": 220,
        opacity: 1,
      },
    },
  ];
}

const elements = ({ nodes, edges }, seeds) => [
  ...nodes.slice(0, MAX_NODES).map((node) => ({ group: "nodes", data: { ...node, seed: seeds.has(node.id) } })),
  ...edges.map(({ source, target, ...edge }) => ({ group: "edges", data: { ...edge, source, target } })),
];

/** Layout without computation: seeds in the middle, the others in rings by their number of relationships. */
const rings = { name: "concentric", animate: false, minNodeSpacing: 18, concentric: (node) => (node.data("seed") ? 1e6 : node.degree(false)), levelWidth: () => 4 };
const layoutOf = (cy) =>
  cy.nodes().length <= FCOSE_NODES
    ? { name: "fcose", animate: false, randomize: cy.nodes().every((node) => node.position("x") === 0), quality: "default", nodeSeparation: 110, idealEdgeLength: 110 }
    : rings;

class Explorer {
  constructor() {
    this.address = new URLSearchParams(location.search);
    this.undone = [];
    this.done = [];
    this.cy = cytoscape({ container: canvas.querySelector(".graph-picture"), style: styles(), boxSelectionEnabled: true });
    this.cy.on("select unselect", () => this.showSelection());
    this.cy.on("dbltap", "node", (event) => this.expand(event.target.id()));
    this.colours = new MutationObserver(() => this.cy.style(styles()));
    this.colours.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  }

  seeds() {
    return this.address.getAll("seed");
  }

  hidden() {
    return new Set(this.address.getAll("hide"));
  }

  /** Fetches the subgraph of the address and draws it; nodes that stay keep their place. */
  async update() {
    const query = new URLSearchParams(this.address);
    query.delete("hide");
    const answer = await fetch(`/graph/export.json?${query}`);
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    const graph = await answer.json();
    const wanted = elements(graph, new Set(this.seeds()));
    const ids = new Set(wanted.map((element) => element.data.id));
    const before = this.cy.nodes().length;
    this.cy.batch(() => {
      this.cy.elements().filter((element) => !ids.has(element.id())).remove();
      for (const element of wanted) {
        const known = this.cy.getElementById(element.data.id);
        if (known.nonempty()) known.data(element.data);
        else this.cy.add(element);
      }
      const hidden = this.hidden();
      this.cy.nodes().forEach((node) => node.style("display", hidden.has(node.id()) ? "none" : "element"));
    });
    if (before !== this.cy.nodes().length) this.cy.elements(":visible").layout(layoutOf(this.cy)).run();
    const left = graph.nodes.length - MAX_NODES;
    this.say(
      left > 0
        ? `${MAX_NODES} of ${graph.nodes.length} entities are drawn. Narrow them with the filters.`
        : `${graph.nodes.length} entities, ${graph.edges.length} relationships${graph.is_cut ? ", the strongest" : ""}.`,
    );
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
    history.replaceState(null, "", `?${this.address}`);
    this.buttons();
    try {
      await Promise.all([this.update(), this.replaceTables()]);
    } catch (error) {
      this.say(`Not loaded: ${error.message} Reload the page.`);
    }
  }

  async replaceTables() {
    const answer = await fetch(`/graph?${this.address}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("graph-twin");
    if (fresh) twin.replaceChildren(...fresh.childNodes);
    const filters = page.getElementById("graph-filters");
    if (filters) document.getElementById("graph-filters")?.replaceWith(filters);
    const exports = page.querySelector(".exports");
    if (exports) document.querySelector(".exports")?.replaceWith(exports);
    this.markRows();
  }

  expand(id) {
    return this.go((address) => {
      const seeds = address.getAll("seed");
      if (!seeds.includes(id)) address.append("seed", id);
      else if (seeds.length > 1) {
        address.delete("seed");
        seeds.filter((seed) => seed !== id).forEach((seed) => address.append("seed", seed));
      }
    });
  }

  hide() {
    const chosen = this.cy.nodes(":selected").map((node) => node.id());
    return this.go((address) => chosen.forEach((id) => address.append("hide", id)));
  }

  path() {
    const [from, to] = this.cy.nodes(":selected").map((node) => node.id());
    if (!to) return this.say("Select two entities to find the paths between them.");
    location.assign(`/graph?seed=${from}&to=${to}`);
  }

  pin() {
    const chosen = this.cy.nodes(":selected");
    if (chosen.every((node) => node.locked())) chosen.unlock();
    else chosen.lock();
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
    nodes.slice(0, 12).forEach((node) => line(link(`/entities/${node.id()}`, node.data("name")), ` ${node.data("kind")}`));
    edges.slice(0, 12).forEach((edge) => {
      const { description, claims, asserted } = edge.data();
      line(`${edge.source().data("name")}: ${description} → ${edge.target().data("name")} (${claims} claims, ${asserted} asserted)`);
    });
    panel.replaceChildren(...lines);
    this.markRows();
  }

  markRows() {
    twin.querySelectorAll("[data-node], [data-edge]").forEach((row) => {
      const element = this.cy.getElementById(row.dataset.node ?? row.dataset.edge);
      row.toggleAttribute("data-selected", element.nonempty() && element.selected());
    });
  }

  selectRow(row) {
    const element = this.cy.getElementById(row.dataset.node ?? row.dataset.edge);
    if (element.empty()) return;
    this.cy.elements().unselect();
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
  ["fit", "Fit", "0"],
  ["png", "Save as PNG", null],
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
  canvas.append(bar, picture, status, selection);
  canvas.hidden = false;

  const explorer = new Explorer();
  const act = (name) => {
    const first = explorer.cy.nodes(":selected").first();
    if (name === "expand") return first.nonempty() ? explorer.expand(first.id()) : explorer.say("Select an entity to expand.");
    if (name === "fit") return explorer.cy.animate({ fit: { padding: 30 }, duration: 0 });
    return explorer[name]();
  };
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
    if (row && !event.target.closest("a")) explorer.selectRow(row);
  });
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

// Question form: addresses are checked before the form is sent, so that chosen files are not lost with a refused one.

const DELIMITER = /[\s,]+/;
const NO_ADDRESS = "is not a web address, such as example.org/report";

/**
 * Why a text is no address; none for an address.
 * @param {string} text
 */
function reason(text) {
  try {
    const address = new URL(text.includes("://") ? text : `https://${text}`);
    if (!["http:", "https:"].includes(address.protocol)) return "must begin with http:// or https://";
    if (address.username || address.password) return "contains a user name; leave it out";
    const isHost = address.hostname.includes(".") || address.hostname === "localhost" || address.hostname.startsWith("[");
    return isHost ? null : NO_ADDRESS;
  } catch {
    return NO_ADDRESS;
  }
}

/**
 * A sentence for each word of a line that is no address; one for a line of prose.
 * @param {string} line
 */
function problems(line) {
  const words = line.split(DELIMITER).filter((text) => text !== "");
  const isProse = words.length > 1 && words.every((word) => reason(word) === NO_ADDRESS);
  const wrong = isProse ? [line.trim()] : words.filter((word) => reason(word) !== null);
  return wrong.map((text) => `\u{201c}${text}\u{201d} ${isProse ? NO_ADDRESS : reason(text)}.`);
}

/**
 * Lists what is no address beside the field; returns whether everything is one.
 * @param {HTMLTextAreaElement} field
 * @param {Element} note
 */
function check(field, note) {
  const wrong = field.value.split("\n").flatMap(problems);
  field.toggleAttribute("aria-invalid", wrong.length > 0);
  if (wrong.length > 0) field.setAttribute("aria-invalid", "true");
  const list = document.createElement("ul");
  list.append(...wrong.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  note.replaceChildren(...(wrong.length > 0 ? [list] : []));
  return wrong.length === 0;
}

export function checkAddresses() {
  /** @type {HTMLTextAreaElement | null} */
  const field = document.querySelector("textarea[data-addresses]");
  const note = document.querySelector("#addresses-error");
  if (field === null || note === null) return;
  field.addEventListener("change", () => check(field, note));
  field.form?.addEventListener("submit", (event) => {
    if (check(field, note)) return;
    event.preventDefault();
    field.closest("details")?.setAttribute("open", "");
    field.focus();
  });
}

/**
 * The line that names the sources that are searched.
 * @param {Element} line
 * @param {HTMLButtonElement[]} buttons
 */
function nameSources(line, buttons) {
  const on = buttons.filter((button) => button.getAttribute("aria-checked") === "true").map((button) => button.dataset.source);
  line.textContent = on.length > 0 ? `Searched on the web: ${on.join(", ")}.` : "All sources are off: the web is not searched.";
}

/**
 * Sends the form of a switch; returns why the server did not carry it out, or nothing.
 * @param {HTMLButtonElement} button
 */
async function send(button) {
  const failed = `${button.dataset.source} was not switched. Try again, or switch it on the page Sources.`;
  const { form } = button;
  if (form === null) return failed;
  const fields = new URLSearchParams();
  for (const [key, value] of new FormData(form)) fields.set(key, String(value));
  fields.set("source", button.value);
  try {
    const answer = await fetch(form.action, { method: "POST", body: fields });
    const { pathname } = new URL(answer.url);
    if (pathname === "/sign-in") return "You are signed out.";
    return answer.ok && pathname === location.pathname ? "" : failed;
  } catch {
    return failed;
  }
}

/** Switches a source without leaving the form, so that what is filled in stays. */
export function switchSources() {
  const line = document.getElementById("sources-on");
  const note = document.getElementById("sources-error");
  /** @type {NodeListOf<HTMLButtonElement>} */
  const found = document.querySelectorAll("button[data-source]");
  if (line === null || note === null) return;
  const buttons = [...found];
  for (const button of buttons) {
    button.addEventListener("click", async (event) => {
      event.preventDefault();
      // A second press waits for the answer to the first.
      if (button.ariaBusy === "true") return;
      button.ariaBusy = "true";
      note.textContent = await send(button);
      button.ariaBusy = null;
      if (note.textContent !== "") return;
      const isOn = button.getAttribute("aria-checked") !== "true";
      button.setAttribute("aria-checked", String(isOn));
      button.setAttribute("form", isOn ? "source-off" : "source-on");
      nameSources(line, buttons);
    });
  }
}

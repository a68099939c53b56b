// Writes into a field, on sites that were named only; a line break at the end sends the form.
(asked) => {
  const isNamed = (host) => asked.sites.includes(host.toLowerCase());
  if (!isNamed(location.hostname)) return { refused: `${location.hostname} is not among the sites that the order names` };
  let element;
  try {
    element = document.querySelector(asked.selector);
  } catch {
    return { problem: 'the selector is no CSS selector' };
  }
  if (!element) return { problem: 'nothing on the page fits the selector' };
  const name = element.tagName;
  if (!['INPUT', 'SELECT', 'TEXTAREA'].includes(name)) return { problem: 'what the selector finds is no field' };
  if (['password', 'file', 'hidden'].includes(element.type)) return { refused: 'passwords, files and hidden fields are never filled' };
  if (element.form) {
    const leads = new URL(element.form.getAttribute('action') || '', document.baseURI);
    if (!isNamed(leads.hostname)) return { refused: `the form is sent to ${leads.hostname}, which the order does not name` };
    element.form.removeAttribute('target');
  }
  const sends = asked.value.endsWith('\n');
  const value = sends ? asked.value.slice(0, -1) : asked.value;
  if (name === 'SELECT') {
    const option = [...element.options].find((one) => one.value === value || one.label.trim() === value.trim());
    if (!option) return { problem: 'the list has no such choice' };
    element.value = option.value;
  } else if (['checkbox', 'radio'].includes(element.type)) {
    element.checked = !['', 'false', 'no', 'off', '0'].includes(value.trim().toLowerCase());
  } else {
    const kind = name === 'INPUT' ? HTMLInputElement : HTMLTextAreaElement;
    Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(element, value);
  }
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }));
  if (sends && element.form) element.form.requestSubmit();
  return {};
}

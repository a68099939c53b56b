// What stands on the page now: its HTML, whether it asks for a password, and what can be clicked on or filled.
(limits) => {
  const seen = (element) =>
    element.checkVisibility ? element.checkVisibility({ visibilityProperty: true }) : element.getClientRects().length > 0;
  const only = (selector, element) => {
    try {
      const found = document.querySelectorAll(selector);
      return found.length === 1 && found[0] === element;
    } catch {
      return false;
    }
  };
  const selectorOf = (element) => {
    let path = '';
    for (let at = element; at && at.nodeType === 1; at = at.parentElement) {
      const id = at.id ? `#${CSS.escape(at.id)}` : '';
      if (id && only(id, at)) return id + path;
      const siblings = at.parentElement ? [...at.parentElement.children].filter((other) => other.tagName === at.tagName) : [];
      const place = siblings.length > 1 ? `:nth-of-type(${siblings.indexOf(at) + 1})` : '';
      path = ` > ${at.tagName.toLowerCase()}${place}${path}`;
    }
    return path.slice(3);
  };
  const kindOf = (element) => {
    const name = element.tagName.toLowerCase();
    if (name === 'select') return 'choice';
    if (name === 'textarea') return 'field';
    if (name === 'input') {
      if (['checkbox', 'radio'].includes(element.type)) return 'choice';
      return ['button', 'submit', 'reset', 'image'].includes(element.type) ? 'button' : 'field';
    }
    return name === 'a' || element.getAttribute('role') === 'link' ? 'link' : 'button';
  };
  const labelOf = (element) => {
    const named = element.labels && element.labels[0] && element.labels[0].innerText;
    const isInput = ['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName);
    const words = [
      element.getAttribute('aria-label'),
      named,
      isInput ? '' : element.innerText,
      element.placeholder,
      kindOf(element) === 'button' ? element.value : '',
      element.title,
      element.name,
      element.getAttribute('href'),
    ];
    const found = words.find((text) => typeof text === 'string' && text.trim());
    return (found || '').replace(/\s+/g, ' ').trim().slice(0, 80);
  };
  const controls = [];
  const wanted = 'a[href], button, input, select, textarea, summary, [role=button], [role=link]';
  for (const element of document.querySelectorAll(wanted)) {
    if (controls.length >= limits.controls) break;
    if (element.disabled || ['hidden', 'password', 'file'].includes(element.type) || !seen(element)) continue;
    const label = labelOf(element);
    if (label) controls.push({ selector: selectorOf(element), kind: kindOf(element), label });
  }
  const html = document.documentElement ? document.documentElement.outerHTML : '';
  return {
    url: location.href,
    state: document.readyState,
    length: html.length,
    html: html.length <= limits.html ? html : '',
    asks_login: [...document.querySelectorAll('input[type=password]')].some(seen),
    controls,
  };
}

// Clicks on an element. What would open in a window of its own opens here.
(asked) => {
  let element;
  try {
    element = document.querySelector(asked.selector);
  } catch {
    return { problem: 'the selector is no CSS selector' };
  }
  if (!element) return { problem: 'nothing on the page fits the selector' };
  if (element.disabled) return { problem: 'what the selector finds is switched off' };
  const link = element.closest('a[href], area[href]');
  if (link) {
    if (!['http:', 'https:', 'javascript:'].includes(link.protocol)) return { problem: 'the link leads to no page of the web' };
    link.removeAttribute('target');
    link.removeAttribute('download');
  }
  if (element.form) element.form.removeAttribute('target');
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  element.click();
  return {};
}

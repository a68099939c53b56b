// Whether a selector finds something.
(asked) => {
  try {
    return { found: Boolean(document.querySelector(asked.selector)) };
  } catch {
    return { problem: 'the selector is no CSS selector' };
  }
}

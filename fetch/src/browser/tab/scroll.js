// Scrolls the page by a screen, or to an end of it.
(asked) => {
  const screen = innerHeight * 0.9;
  const height = document.documentElement.scrollHeight;
  const top = { up: scrollY - screen, down: scrollY + screen, top: 0, bottom: height }[asked.direction];
  scrollTo({ top, behavior: 'instant' });
  return {};
}

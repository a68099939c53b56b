// Home while investigations run: its lists are read again from the server, so that phases move and finished rows change place.

const INTERVAL_MS = 5000;

export function followRunning() {
  const region = () => document.querySelector("[data-running]");
  if (region() === null) return;
  const timer = setInterval(async () => {
    const here = region();
    // A row that has the focus stays as it is.
    if (document.hidden || here === null || here.contains(document.activeElement)) return;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!answer.ok || answer.redirected) return;
      const next = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".home-lists");
      if (next === null) return;
      if (next.innerHTML !== here.innerHTML) here.replaceWith(document.adoptNode(next));
      if (!next.hasAttribute("data-running") && next.isConnected) clearInterval(timer);
    } catch {
      // The server cannot be reached: the next round tries again.
    }
  }, INTERVAL_MS);
}

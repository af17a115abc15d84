// Runs before the first paint, so that the dark theme does not flash white.
(() => {
  // A transition skipped by navigation is not an error.
  for (const moment of ["pageswap", "pagereveal"]) {
    addEventListener(moment, ({ viewTransition }) => {
      viewTransition?.ready.catch(() => {});
      viewTransition?.finished.catch(() => {});
    });
  }
  const chosen = localStorage.getItem("substrat.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();

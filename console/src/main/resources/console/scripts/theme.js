// Runs before anything is drawn, so that nobody who chose dark is blinded first.
(() => {
  // A page that is left before it has faded in is nobody's trouble.
  for (const moment of ["pageswap", "pagereveal"]) {
    addEventListener(moment, ({ viewTransition }) => {
      viewTransition?.ready.catch(() => {});
      viewTransition?.finished.catch(() => {});
    });
  }
  const chosen = localStorage.getItem("substrat.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();

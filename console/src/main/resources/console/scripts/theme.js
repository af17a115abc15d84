// Runs before anything is drawn, so that nobody who chose dark is blinded first.
(() => {
  const chosen = localStorage.getItem("substrat.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();

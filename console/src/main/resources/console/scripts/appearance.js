/** Theme button: switches between light and dark; the choice is stored in this browser. */
const root = document.documentElement;

const isDark = () => root.dataset.theme
  ? root.dataset.theme === "dark"
  : matchMedia("(prefers-color-scheme: dark)").matches;

export function toggle() {
  root.dataset.theme = isDark() ? "light" : "dark";
  localStorage.setItem("substrat.theme", root.dataset.theme);
}

document.addEventListener("click", click => {
  if (click.target.closest("[data-toggle-theme]")) toggle();
});

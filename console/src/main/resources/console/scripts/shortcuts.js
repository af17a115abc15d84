/** Keyboard shortcuts: single keys in `aria-keyshortcuts`, sequences such as "g a" in `data-keys`. */
import { openPalette } from "./palette.js";

const SEQUENCE_TIMEOUT = 1200;
let first = "";
let resetTimer;

function press(keys) {
  const target = [...document.querySelectorAll("[aria-keyshortcuts], [data-keys]")]
    .find(one => (one.dataset.keys ?? one.getAttribute("aria-keyshortcuts")) === keys);
  if (!target) return false;
  if (target.matches("input, textarea, select")) target.focus();
  else target.click();
  return true;
}

document.addEventListener("keydown", key => {
  if ((key.ctrlKey || key.metaKey) && key.key.toLowerCase() === "k") {
    key.preventDefault();
    openPalette();
    return;
  }
  if (key.ctrlKey || key.metaKey || key.altKey || document.querySelector("dialog[open]")) return;
  if (key.target.closest("input, textarea, select, [contenteditable]")) {
    if (key.key === "Escape") key.target.blur();
    return;
  }
  const keys = first ? `${first} ${key.key}` : key.key;
  clearTimeout(resetTimer);
  first = !first && key.key === "g" ? "g" : "";
  resetTimer = setTimeout(() => (first = ""), SEQUENCE_TIMEOUT);
  if (press(keys)) key.preventDefault();
});

document.addEventListener("click", click => {
  const opener = click.target.closest("[data-open]");
  if (opener) document.getElementById(opener.dataset.open).showModal();
  if (click.target.closest("[data-close]")) click.target.closest("dialog").close();
});

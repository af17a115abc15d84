/**
 * Keyboard navigation in lists: j and k move between items, and `data-key` is the key of an action of the
 * focused item.
 */
const isBusy = key => key.ctrlKey || key.metaKey || key.altKey
  || key.target.closest("input, textarea, select, dialog[open]") || document.querySelector("dialog[open]");

function move(by) {
  const all = [...document.querySelectorAll("[data-list-keys] > *")];
  const at = all.findIndex(one => one.contains(document.activeElement));
  const next = all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
  return Boolean(next);
}

function act(key) {
  const item = document.activeElement?.closest("[data-list-keys] > *");
  const target = item?.querySelector(`[data-key="${CSS.escape(key)}"]`);
  // A focused control handles Enter itself.
  if (!target || (key === "Enter" && document.activeElement !== item)) return false;
  target.click();
  if (target.matches("summary")) target.parentElement.querySelector("input")?.focus();
  return true;
}

document.addEventListener("keydown", key => {
  if (isBusy(key) || !document.querySelector("[data-list-keys]")) return;
  const by = { j: 1, k: -1 }[key.key];
  if (by ? move(by) : act(key.key)) key.preventDefault();
});

/** After an answer, the next item gets the focus. */
let place;
document.addEventListener("submit", submit => {
  const item = submit.target.closest("[data-list-keys] > *");
  place = item ? [...item.parentElement.children].indexOf(item) : undefined;
}, true);
document.addEventListener("substrat:refreshed", () => {
  if (place === undefined || document.activeElement !== document.body) return;
  const all = document.querySelectorAll("[data-list-keys] > *");
  all[Math.min(place, all.length - 1)]?.focus();
  place = undefined;
});

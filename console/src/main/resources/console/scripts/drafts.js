/**
 * What is being written is there again for whoever comes back: `data-draft` says whose words they are. A tab keeps
 * them until they are sent or somebody logs out.
 */
const OURS = "substrat.draft.";
let isOver = false;

/** Somebody else who logs in here does not find them. */
const key = field => `${OURS}${document.documentElement.dataset.viewer}.${field.dataset.draft}`;

function keep(field) {
  if (isOver) return;
  if (field.value.trim()) sessionStorage.setItem(key(field), field.value);
  else sessionStorage.removeItem(key(field));
}

const fields = () => document.querySelectorAll("textarea[data-draft]");

function bringBack() {
  for (const field of fields()) field.value ||= sessionStorage.getItem(key(field)) ?? "";
}

document.addEventListener("input", ({ target }) => {
  if (target.matches("[data-draft]")) keep(target);
});
document.addEventListener("reset", ({ target }) => {
  for (const field of target.querySelectorAll("[data-draft]")) sessionStorage.removeItem(key(field));
});
document.addEventListener("submit", ({ target }) => {
  if (!target.matches("[action='/logout']")) return;
  isOver = true;
  for (const one of Object.keys(sessionStorage).filter(name => name.startsWith(OURS))) sessionStorage.removeItem(one);
});
// A name that was offered and taken is no input.
addEventListener("pagehide", () => fields().forEach(keep));
document.addEventListener("substrat:swapped", bringBack);
bringBack();

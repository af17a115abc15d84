/**
 * Drafts of messages: restores the text of fields with `data-draft`, which is the key. The tab keeps a draft until it
 * is sent or the user signs out.
 */
const OURS = "substrat.draft.";
let isOver = false;

/** Drafts of another user are not shown. */
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
// Accepting a suggested mention fires no input event.
addEventListener("pagehide", () => fields().forEach(keep));
document.addEventListener("substrat:swapped", bringBack);
bringBack();

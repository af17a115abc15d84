/**
 * Drafts of messages: restores the text of fields with `data-draft`, which is the key. The tab keeps a draft until it
 * is sent or the user signs out.
 */
const PREFIX = "substrat.draft.";
let isSignedOut = false;

/** Drafts of another user are not shown. */
const key = field => `${PREFIX}${document.documentElement.dataset.viewer}.${field.dataset.draft}`;

function saveDraft(field) {
  if (isSignedOut) return;
  if (field.value.trim()) sessionStorage.setItem(key(field), field.value);
  else sessionStorage.removeItem(key(field));
}

const fields = () => document.querySelectorAll("textarea[data-draft]");

function restoreDrafts() {
  for (const field of fields()) field.value ||= sessionStorage.getItem(key(field)) ?? "";
}

document.addEventListener("input", ({ target }) => {
  if (target.matches("[data-draft]")) saveDraft(target);
});
document.addEventListener("reset", ({ target }) => {
  for (const field of target.querySelectorAll("[data-draft]")) sessionStorage.removeItem(key(field));
});
document.addEventListener("submit", ({ target }) => {
  if (!target.matches("[action='/logout']")) return;
  isSignedOut = true;
  for (const one of Object.keys(sessionStorage).filter(name => name.startsWith(PREFIX))) sessionStorage.removeItem(one);
});
// Accepting a suggested mention fires no input event.
addEventListener("pagehide", () => fields().forEach(saveDraft));
document.addEventListener("substrat:swapped", restoreDrafts);
restoreDrafts();

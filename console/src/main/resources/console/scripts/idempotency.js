/** Idempotency key of a message: kept while the same text is resent, renewed for another text. */
const sent = new WeakMap();

document.addEventListener("submit", submit => {
  const form = submit.target;
  const key = form.elements?.namedItem("key");
  if (key?.type !== "hidden") return;
  key.value = "";
  const words = new URLSearchParams(new FormData(form)).toString();
  if (sent.get(form)?.words !== words) {
    sent.set(form, { words, key: `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}` });
  }
  key.value = sent.get(form).key;
}, true);
document.addEventListener("reset", reset => sent.delete(reset.target));

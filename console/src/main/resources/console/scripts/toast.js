/** A sentence about what was just done, or could not be. */
const LONG = 8000;
const SHORT = 3500;
let timer;

export function toast(text, isBad = false) {
  const place = document.getElementById("toast");
  place.className = isBad ? "toast bad" : "toast";
  place.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => (place.textContent = ""), isBad ? LONG : SHORT);
}

/** What is wrong with a form in a dialog stands there: behind it nobody would see it. */
export function complainAt(form, text) {
  if (!form.closest("dialog[open]")) return toast(text, true);
  forget(form);
  const place = document.createElement("p");
  Object.assign(place, { className: "problem said-wrong wrap", role: "alert" });
  const acts = form.querySelector(":scope > .acts");
  if (acts) acts.before(place);
  else form.append(place);
  place.textContent = text;
}

const forget = form => form.querySelector(".said-wrong")?.remove();

document.addEventListener("submit", submit => forget(submit.target), true);
document.addEventListener("close", close => close.target.querySelectorAll("form").forEach(forget), true);

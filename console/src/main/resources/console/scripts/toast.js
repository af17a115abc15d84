/** Short notice about a finished or failed action. */
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

/** Errors of a form in a dialog are shown inside the dialog. */
export function showError(form, text) {
  if (!form.closest("dialog[open]")) return toast(text, true);
  clearError(form);
  const place = document.createElement("p");
  Object.assign(place, { className: "problem form-error wrap", role: "alert" });
  const acts = form.querySelector(":scope > .acts");
  if (acts) acts.before(place);
  else form.append(place);
  place.textContent = text;
}

const clearError = form => form.querySelector(".form-error")?.remove();

document.addEventListener("submit", submit => clearError(submit.target), true);
document.addEventListener("close", close => close.target.querySelectorAll("form").forEach(clearError), true);

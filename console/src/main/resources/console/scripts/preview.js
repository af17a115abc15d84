/** Live preview of the builder form. The daemon renders it and stores nothing. */
import { press } from "./forms.js";
import { morph } from "./morph.js";

const PAUSE = 180;
let waiting;
let asked = 0;

/** The current form: a response with field errors replaces it. */
const form = () => document.querySelector("form[data-preview]");

async function preview() {
  const mine = ++asked;
  const filled = form();
  if (!filled) return;
  try {
    const answer = await fetch(filled.dataset.preview, {
      method: "POST",
      body: new URLSearchParams(new FormData(filled)),
      headers: { Accept: "text/html" },
    });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("preview");
    // A later request may have been answered first.
    if (fresh && mine === asked) show(fresh);
  } catch {
    // The daemon is unreachable; the page shows that.
  }
}

/** Keeps the selected tab. */
function show(fresh) {
  const chosen = document.querySelector("#preview [aria-selected=true]")?.id;
  for (const tab of fresh.querySelectorAll("[role=tab]")) {
    const isChosen = tab.id === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.toggleAttribute("tabindex", !isChosen);
    if (!isChosen) tab.tabIndex = -1;
    fresh.querySelector(`#${tab.getAttribute("aria-controls")}`).hidden = !isChosen;
  }
  morph(document.getElementById("preview"), fresh);
}

/** Same estimate as `NumberFormatter.tokens` in the daemon. */
function count(text) {
  const signs = [...text].filter(sign => sign.codePointAt(0) >= 0x2e80).length;
  return Math.floor(([...text].length - signs + 3) / 4) + signs;
}

document.addEventListener("input", input => {
  if (!input.target.closest("form[data-preview]")) return;
  clearTimeout(waiting);
  waiting = setTimeout(preview, PAUSE);
  const place = document.querySelector(`[data-tokens="${input.target.id}"]`);
  if (place) place.textContent = `≈ ${count(input.target.value)} tokens`;
});

document.addEventListener("keydown", key => {
  if (form() && key.key === "s" && (key.ctrlKey || key.metaKey)) {
    key.preventDefault();
    press(form());
  }
});

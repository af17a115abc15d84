/** What a form would make, while it is filled in. The daemon draws it and keeps nothing. */
import { press } from "./forms.js";
import { morph } from "./morph.js";

const PAUSE = 180;
let waiting;
let asked = 0;

/** The form that is there now: a page that comes back refused may have brought another. */
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
    // A later question may have been answered first.
    if (fresh && mine === asked) show(fresh);
  } catch {
    // The daemon is away; the page says so.
  }
}

/** Whoever looks at the second tab goes on looking at it. */
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

/** As the daemon guesses (`Figures.tokens`). */
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

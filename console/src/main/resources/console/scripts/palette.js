/** Command palette: opens a page, an agent or a space by name. */
import { go } from "./offline.js";

const dialog = document.getElementById("palette");
const box = dialog?.querySelector("input");
const list = dialog?.querySelector("ul");

const PAUSE = 120;
let waiting;
let asked = 0;

export function openPalette() {
  if (!dialog || dialog.open) return;
  dialog.showModal();
  box.value = "";
  find();
}

/** The daemon returns the entries that match the input. */
async function find() {
  const mine = ++asked;
  const answer = await fetch(`/palette?q=${encodeURIComponent(box.value.trim())}`, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  // A later request may have been answered first.
  if (mine !== asked) return;
  list.replaceChildren(...fresh.querySelectorAll("li"));
  narrow();
}

const shown = () => [...list.children].filter(item => !item.hidden);

function narrow() {
  const words = box.value.toLowerCase().split(/\s+/);
  for (const item of list.children) {
    const text = item.textContent.toLowerCase();
    item.hidden = !words.every(word => text.includes(word));
  }
  choose(shown()[0]);
}

function choose(item) {
  for (const other of list.children) other.setAttribute("aria-selected", String(other === item));
  box.setAttribute("aria-activedescendant", item?.id ?? "");
  item?.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const all = shown();
  const at = all.findIndex(item => item.getAttribute("aria-selected") === "true");
  choose(all[(at + by + all.length) % all.length]);
}

box?.addEventListener("input", () => {
  narrow();
  clearTimeout(waiting);
  waiting = setTimeout(find, PAUSE);
});
box?.addEventListener("keydown", key => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[key.key];
  if (by) {
    key.preventDefault();
    step(by);
  } else if (key.key === "Enter") {
    key.preventDefault();
    list.querySelector("[aria-selected=true]")?.click();
  }
});
dialog?.addEventListener("click", click => {
  const place = click.target.closest("[data-path]");
  if (place) go(place.dataset.path);
  if (click.target === dialog) dialog.close();
});
document.addEventListener("click", click => {
  if (click.target.closest("[data-open-palette]")) openPalette();
});

/** Message box of a space: Enter sends, @ suggests members. */

/** Touch keyboards have no Shift+Enter: there Enter starts a new line, and the button sends. */
const hasKeys = matchMedia("(hover: hover) and (pointer: fine)");

const list = document.getElementById("mentions");
const box = document.getElementById("say");

const handles = () => [...document.querySelectorAll("#members [data-handle]")].map(one => one.dataset.handle);

/** Start of a mention before the caret, or nothing. */
const mentionPrefix = () => /(?:^|[\s(])@([a-z0-9-]*)$/i.exec(box.value.slice(0, box.selectionStart))?.[1];

function suggest() {
  const start = mentionPrefix();
  const found = start === undefined ? [] : handles().filter(one => one.startsWith(start.toLowerCase())).slice(0, 6);
  list.replaceChildren(...found.map((handle, at) => {
    const item = document.createElement("li");
    Object.assign(item, { id: `mention-${at}`, textContent: handle, role: "option" });
    return item;
  }));
  list.hidden = !found.length;
  choose(list.firstElementChild);
}

function choose(item) {
  for (const other of list.children) other.setAttribute("aria-selected", String(other === item));
  if (item) box.setAttribute("aria-activedescendant", item.id);
  else box.removeAttribute("aria-activedescendant");
}

function accept(item) {
  const end = box.selectionStart;
  box.setRangeText(`${item.textContent} `, end - mentionPrefix().length, end, "end");
  list.hidden = true;
}

function onListKey(key) {
  const all = [...list.children];
  const at = all.findIndex(one => one.getAttribute("aria-selected") === "true");
  if (key === "Enter" || key === "Tab") return accept(all[at]);
  if (key === "Escape") return void (list.hidden = true);
  choose(all[(at + (key === "ArrowDown" ? 1 : -1) + all.length) % all.length]);
}

box?.addEventListener("input", suggest);
box?.addEventListener("blur", () => setTimeout(() => (list.hidden = true), 150));
list?.addEventListener("mousedown", press => {
  press.preventDefault();
  accept(press.target);
});
document.addEventListener("keydown", key => {
  if (!key.target.matches?.("[data-enter-sends]")) return;
  if (key.target === box && !list.hidden && ["Enter", "Tab", "Escape", "ArrowDown", "ArrowUp"].includes(key.key)) {
    key.preventDefault();
    key.stopPropagation();
    return onListKey(key.key);
  }
  if (key.key === "Enter" && hasKeys.matches && !key.shiftKey && !key.ctrlKey && !key.metaKey && !key.isComposing) {
    key.preventDefault();
    if (key.target.value.trim()) key.target.form.requestSubmit();
  }
}, true);
document.addEventListener("focusin", ({ target }) => {
  if (target.matches?.("[data-enter-sends]")) target.enterKeyHint = hasKeys.matches ? "send" : "enter";
});

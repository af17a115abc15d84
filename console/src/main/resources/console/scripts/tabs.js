/** Tabs with arrow keys. */
function choose(tab) {
  for (const other of tab.parentElement.children) {
    const isChosen = other === tab;
    other.setAttribute("aria-selected", String(isChosen));
    other.tabIndex = isChosen ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = !isChosen;
  }
}

document.addEventListener("click", click => {
  const tab = click.target.closest("[role=tab]");
  if (tab) choose(tab);
});
document.addEventListener("keydown", key => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[key.key];
  if (!by || !key.target.matches("[role=tab]")) return;
  const all = [...key.target.parentElement.children];
  const next = all[(all.indexOf(key.target) + by + all.length) % all.length];
  choose(next);
  next.focus();
});

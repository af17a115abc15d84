/** Copies the text of the element that a button names in `data-copy`. */
document.addEventListener("click", async click => {
  const button = click.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  const label = button.querySelector("span") ?? button;
  const before = label.textContent;
  label.textContent = "Copied";
  setTimeout(() => (label.textContent = before), 1500);
});

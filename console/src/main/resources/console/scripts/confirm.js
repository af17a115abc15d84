/** Asks before what cannot be undone: a button's `data-confirm` is the question. */
const dialog = document.getElementById("confirm");
let asked;

document.addEventListener("click", click => {
  const button = click.target.closest("[data-confirm]");
  if (!button || !dialog || button === asked) return;
  click.preventDefault();
  dialog.querySelector("h2").textContent = button.dataset.confirm;
  dialog.querySelector("p").textContent = button.dataset.confirmDetail ?? "";
  dialog.querySelector("[value=yes]").textContent = button.textContent.trim();
  dialog.returnValue = "";
  dialog.showModal();
  dialog.onclose = () => {
    if (dialog.returnValue !== "yes") return;
    asked = button;
    button.click();
    asked = undefined;
  };
});

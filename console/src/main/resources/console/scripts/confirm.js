/** Asks before what cannot be undone: a button's `data-confirm` is the question. */
import { toast } from "./toast.js";

const dialog = document.getElementById("confirm");
let asked;

/** What the button would send, as far as the page says. */
const meant = button => button.form && new URLSearchParams(new FormData(button.form, button)).toString();

document.addEventListener("click", click => {
  const button = click.target.closest("[data-confirm]");
  if (!button || !dialog || button === asked) return;
  click.preventDefault();
  const before = meant(button);
  dialog.querySelector("h2").textContent = button.dataset.confirm;
  dialog.querySelector("p").textContent = button.dataset.confirmDetail ?? "";
  dialog.querySelector("[value=yes]").textContent = button.textContent.trim();
  dialog.returnValue = "";
  dialog.showModal();
  dialog.onclose = () => {
    if (dialog.returnValue !== "yes") return;
    // Yes was said to what stood there when it was asked.
    if (!button.isConnected || meant(button) !== before) return toast("That changed meanwhile. Look again.", true);
    asked = button;
    button.click();
    asked = undefined;
  };
});

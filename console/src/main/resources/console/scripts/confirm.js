/** Confirmation dialog for buttons with `data-confirm`, which holds the question. */
import { toast } from "./toast.js";

const dialog = document.getElementById("confirm");
let asked;

/** The form data that the button would send. */
const formData = button => button.form && new URLSearchParams(new FormData(button.form, button)).toString();

document.addEventListener("click", click => {
  const button = click.target.closest("[data-confirm]");
  if (!button || !dialog || button === asked) return;
  click.preventDefault();
  const before = formData(button);
  dialog.querySelector("h2").textContent = button.dataset.confirm;
  dialog.querySelector("p").textContent = button.dataset.confirmDetail ?? "";
  dialog.querySelector("[value=yes]").textContent = button.textContent.trim();
  dialog.returnValue = "";
  dialog.showModal();
  dialog.onclose = () => {
    if (dialog.returnValue !== "yes") return;
    // The confirmation is valid only for the data that was shown.
    if (!button.isConnected || formData(button) !== before) return toast("The data changed. Review it and confirm again.", true);
    asked = button;
    button.click();
    asked = undefined;
  };
});

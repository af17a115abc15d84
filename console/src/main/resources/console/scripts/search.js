/** Search forms: writes the query into the URL and refreshes the page. */
import { refresh } from "./page.js";

let waiting;

function search(form) {
  const wanted = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  history.replaceState(null, "", wanted.size ? `?${wanted}` : location.pathname);
  refresh();
}

document.addEventListener("input", input => {
  const form = input.target.closest("form[role=search]");
  if (!form) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => search(form), 150);
});

document.addEventListener("submit", submit => {
  if (!submit.target.matches("form[role=search]")) return;
  submit.preventDefault();
  search(submit.target);
});

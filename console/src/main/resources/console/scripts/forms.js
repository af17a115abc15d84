/**
 * Submits forms without leaving the page. The daemon answers with a redirect on success, or with the same
 * page and an error at each invalid field. The input is kept in both cases.
 */
import { setState } from "./connection.js";
import { changedJustNow, morph } from "./morph.js";
import { show } from "./page.js";
import { showError, toast } from "./toast.js";

/** The session is missing or expired. */
const UNAUTHORIZED = 401;

const sending = new WeakSet();
const contentOf = form => new URLSearchParams(new FormData(form)).toString();

async function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const before = contentOf(form);
  sending.add(form);
  button?.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } });
    const url = new URL(response.url);
    if (response.status === UNAUTHORIZED) setState("out");
    if (response.redirected) delete form.dataset.dirty;
    if (response.redirected && url.pathname !== location.pathname) return location.assign(url);
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    if (!response.redirected) return showProblems(form, fresh);
    // Text typed since the submit is kept.
    if (contentOf(form) === before) form.reset();
    succeeded(form, fresh);
  } catch {
    showError(form, "The daemon is not reachable. Your input is kept: try again later.");
  } finally {
    sending.delete(form);
    button?.removeAttribute("aria-busy");
  }
}

/** Success on the same page: other forms on it may be partly filled in. */
function succeeded(form, fresh) {
  if (form.parentElement?.matches("dialog")) form.parentElement.close();
  show(fresh);
  const said = fresh.getElementById("toast")?.textContent;
  if (said) toast(said);
}

/** The response has the same form with field errors, or only a message. */
function showProblems(form, fresh) {
  const problem = fresh.querySelector("[data-problem]");
  if (problem) return showError(form, problem.dataset.problem);
  if (form.matches("[data-guard]")) form.dataset.dirty = "true";
  morph(document.getElementById("main"), fresh.getElementById("main"));
  const wrong = document.querySelector("#main [aria-invalid=true]") ?? document.querySelector("#main .problem");
  const fold = wrong?.closest("details");
  if (fold) fold.open = true;
  wrong?.focus();
  wrong?.scrollIntoView({ block: "center" });
}

document.addEventListener("submit", submit => {
  const form = submit.target;
  if (!form.matches("form[method=post]") || form.matches("[data-plain]")) return;
  submit.preventDefault();
  if (sending.has(form)) return;
  if (form.matches("[data-exact]") && changedJustNow(form)) return showError(form, "This has just changed. Review it and try again.");
  send(form, submit.submitter);
});

/** Like a click on the first button; a disabled first button prevents the submit. */
export function press(form) {
  const button = [...form.elements].find(one => one.type === "submit");
  if (!button?.disabled) form.requestSubmit(button);
}

/** Ctrl-Enter submits the form of a text area. */
document.addEventListener("keydown", key => {
  if (key.key === "Enter" && (key.ctrlKey || key.metaKey) && key.target.matches("textarea") && key.target.form) {
    press(key.target.form);
  }
});

document.addEventListener("input", input => {
  // Moved and removed rows dispatch the event on the list, which has no `form` property.
  const form = input.target.form ?? input.target.closest("form");
  if (form?.matches("[data-guard]")) form.dataset.dirty = "true";
});
addEventListener("beforeunload", leave => {
  if (document.querySelector("form[data-dirty]")) leave.preventDefault();
});

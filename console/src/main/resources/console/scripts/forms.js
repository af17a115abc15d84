/**
 * Submits forms without leaving the page. The daemon answers with a redirect on success, or with the same
 * page and an error at each invalid field. The input is kept in both cases.
 */
import { say } from "./connection.js";
import { hasJustCome, morph } from "./morph.js";
import { show } from "./page.js";
import { complainAt, toast } from "./toast.js";

/** The session is missing or expired. */
const UNKNOWN = 401;

const sending = new WeakSet();
const filled = form => new URLSearchParams(new FormData(form)).toString();

async function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const before = filled(form);
  sending.add(form);
  button?.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } });
    const url = new URL(answer.url);
    if (answer.status === UNKNOWN) say("out");
    if (answer.redirected) delete form.dataset.dirty;
    if (answer.redirected && url.pathname !== location.pathname) return location.assign(url);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.redirected) return complain(form, fresh);
    // Text typed since the submit is kept.
    if (filled(form) === before) form.reset();
    settle(form, fresh);
  } catch {
    complainAt(form, "The daemon is not reachable. Your input is kept: try again later.");
  } finally {
    sending.delete(form);
    button?.removeAttribute("aria-busy");
  }
}

/** Success on the same page: other forms on it may be partly filled in. */
function settle(form, fresh) {
  if (form.parentElement?.matches("dialog")) form.parentElement.close();
  show(fresh);
  const said = fresh.getElementById("toast")?.textContent;
  if (said) toast(said);
}

/** The response has the same form with field errors, or only a message. */
function complain(form, fresh) {
  const problem = fresh.querySelector("[data-problem]");
  if (problem) return complainAt(form, problem.dataset.problem);
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
  if (form.matches("[data-exact]") && hasJustCome(form)) return complainAt(form, "This has just changed. Review it and try again.");
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

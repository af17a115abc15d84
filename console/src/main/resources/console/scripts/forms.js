/**
 * Sends forms without leaving the page. The daemon answers with a redirect when it is done, or with the
 * same page that says at each field what is wrong; either way nothing that was typed is lost.
 */
import { say } from "./connection.js";
import { hasJustCome, morph } from "./morph.js";
import { show } from "./page.js";
import { complainAt, toast } from "./toast.js";

/** There is no session, or not any more. */
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
    // Whoever has gone on writing meanwhile keeps it.
    if (filled(form) === before) form.reset();
    settle(form, fresh);
  } catch {
    complainAt(form, "The daemon is not reachable. Nothing is lost: try again in a moment.");
  } finally {
    sending.delete(form);
    button?.removeAttribute("aria-busy");
  }
}

/** It is done, and the page is the same: another form on it may be half filled in. */
function settle(form, fresh) {
  if (form.parentElement?.matches("dialog")) form.parentElement.close();
  show(fresh);
  const said = fresh.getElementById("toast")?.textContent;
  if (said) toast(said);
}

/** The same form comes back with what is wrong at its fields; or there is only a message. */
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
  if (form.matches("[data-exact]") && hasJustCome(form)) return complainAt(form, "That has just changed. Look again.");
  send(form, submit.submitter);
});

/** As if its first button were pressed; one that cannot be pressed is there so that nothing happens. */
export function press(form) {
  const button = [...form.elements].find(one => one.type === "submit");
  if (!button?.disabled) form.requestSubmit(button);
}

/** Ctrl-Enter sends what is being written. */
document.addEventListener("keydown", key => {
  if (key.key === "Enter" && (key.ctrlKey || key.metaKey) && key.target.matches("textarea") && key.target.form) {
    press(key.target.form);
  }
});

document.addEventListener("input", input => {
  // A row that was moved or taken away is no field.
  const form = input.target.form ?? input.target.closest("form");
  if (form?.matches("[data-guard]")) form.dataset.dirty = "true";
});
addEventListener("beforeunload", leave => {
  if (document.querySelector("form[data-dirty]")) leave.preventDefault();
});

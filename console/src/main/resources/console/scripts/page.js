/** Refreshes the live regions of the current page. */
import { isHearing, say, state } from "./connection.js";
import { morph } from "./morph.js";

const PAUSE = 120;
const AGAIN = 5000;
/** Permanent failures: signed out, or no access. */
const OVER = new Set([401, 403, 404, 410]);
const root = document.documentElement;
let waiting;
let isFetching = false;
let isStale = false;

/** Merges several requests into one refresh. */
export function refreshSoon(pause = PAUSE) {
  waiting ??= setTimeout(() => {
    waiting = undefined;
    refresh();
  }, pause);
}

export async function refresh() {
  if (isFetching) {
    isStale = true;
    return;
  }
  isFetching = true;
  try {
    const address = location.href;
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (new URL(answer.url).pathname === "/login") return leave(answer.url);
    if (!answer.ok) return refused(answer.status);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    // The user navigated meanwhile: this is another page.
    if (address !== location.href) isStale = true;
    else show(fresh);
    if (state === "stale" || state === "out" || (state === "lost" && isHearing)) say("live");
  } catch {
    // With an open stream the user may just be leaving; a reconnected stream refreshes again.
    if (isHearing) refreshSoon(AGAIN);
    else if (state === "connecting" || state === "stale") say("lost");
  } finally {
    isFetching = false;
    if (isStale) {
      isStale = false;
      refreshSoon();
    }
  }
}

/** Signed out: a user with unsaved input stays on the page and sees a message. */
function leave(login) {
  if (isBeingFilledIn()) say("out");
  else location.assign(login);
}

/** A page that can no longer be loaded is marked as out of date. */
function refused(status) {
  if (OVER.has(status) && !isBeingFilledIn()) return location.reload();
  say(OVER.has(status) ? "gone" : "stale");
  if (!OVER.has(status)) refreshSoon(AGAIN);
}

function isBeingFilledIn() {
  return document.querySelector("[data-dirty]") || [...document.querySelectorAll(FIELDS)].some(isChanged);
}

/** Unsaved input in forms, except in closed dialogs. */
const FIELDS = ["input:not([type=hidden])", "select", "textarea"]
  .map(one => `form[method=post] ${one}:not(dialog:not([open]) *)`).join();

function isChanged(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.type !== "select-one") return field.value !== field.defaultValue;
  const usual = [...field.options].findLastIndex(one => one.defaultSelected);
  return field.selectedIndex !== Math.max(usual, 0);
}

/** Replaces the live regions of this page by those of the fetched page. */
export function show(fresh) {
  if (fresh.documentElement.dataset.build !== root.dataset.build && !isBeingFilledIn()) return location.reload();
  document.dispatchEvent(new CustomEvent("substrat:refreshing", { detail: fresh }));
  for (const region of document.querySelectorAll("[data-live]")) {
    const now = fresh.getElementById(region.id);
    if (now) morph(region, now);
  }
  document.title = fresh.title;
  root.dataset.seen = Math.max(Number(root.dataset.seen), Number(fresh.documentElement.dataset.seen ?? 0));
  document.dispatchEvent(new CustomEvent("substrat:refreshed"));
}

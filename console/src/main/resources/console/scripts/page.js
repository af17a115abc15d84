/** The page this is, fetched again; what is live on it becomes what it is by now. */
import { isHearing, say, state } from "./connection.js";
import { morph } from "./morph.js";

const PAUSE = 120;
const AGAIN = 5000;
/** Refused for good: there is nobody logged in, or nothing here for them. */
const OVER = new Set([401, 403, 404, 410]);
const root = document.documentElement;
let waiting;
let isFetching = false;
let isStale = false;

/** Many reasons in a row are one refresh. */
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
    // Somebody has gone on meanwhile: this is not the page they look at.
    if (address !== location.href) isStale = true;
    else show(fresh);
    if (state === "stale" || state === "out" || (state === "lost" && isHearing)) say("live");
  } catch {
    // While there is a stream, somebody may just be leaving; when it is back, it asks again.
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

/** Nobody is logged in any more; who is writing is told, and keeps what they have written. */
function leave(login) {
  if (isBeingFilledIn()) say("out");
  else location.assign(login);
}

/** A page that cannot be had any more does not go on looking as if it were true. */
function refused(status) {
  if (OVER.has(status) && !isBeingFilledIn()) return location.reload();
  say(OVER.has(status) ? "gone" : "stale");
  if (!OVER.has(status)) refreshSoon(AGAIN);
}

function isBeingFilledIn() {
  return document.querySelector("[data-dirty]") || [...document.querySelectorAll(FIELDS)].some(isChanged);
}

/** Whatever a person fills in and sends; a dialog that was closed again is given up. */
const FIELDS = ["input:not([type=hidden])", "select", "textarea"]
  .map(one => `form[method=post] ${one}:not(dialog:not([open]) *)`).join();

function isChanged(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.type !== "select-one") return field.value !== field.defaultValue;
  const usual = [...field.options].findLastIndex(one => one.defaultSelected);
  return field.selectedIndex !== Math.max(usual, 0);
}

/** What is live on this page becomes what it is on that one. */
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

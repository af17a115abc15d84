/** Refreshes the live regions of the current page. */
import { isStreamOpen, setState, state } from "./connection.js";
import { morph } from "./morph.js";

const PAUSE = 120;
const RETRY = 5000;
/** Permanent failures: signed out, or no access. */
const PERMANENT = new Set([401, 403, 404, 410]);
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
    const response = await fetch(address, { headers: { Accept: "text/html" } });
    if (new URL(response.url).pathname === "/login") return signedOut(response.url);
    if (!response.ok) return notLoaded(response.status);
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    // The user navigated meanwhile: this is another page.
    if (address !== location.href) isStale = true;
    else show(fresh);
    if (state === "stale" || state === "out" || (state === "lost" && isStreamOpen)) setState("live");
  } catch {
    // With an open stream the user may just be leaving; a reconnected stream refreshes again.
    if (isStreamOpen) refreshSoon(RETRY);
    else if (state === "connecting" || state === "stale") setState("lost");
  } finally {
    isFetching = false;
    if (isStale) {
      isStale = false;
      refreshSoon();
    }
  }
}

/** Signed out: a user with unsaved input stays on the page and sees a message. */
function signedOut(login) {
  if (hasUnsavedInput()) setState("out");
  else location.assign(login);
}

/** A page that can no longer be loaded is marked as out of date. */
function notLoaded(status) {
  if (PERMANENT.has(status) && !hasUnsavedInput()) return location.reload();
  setState(PERMANENT.has(status) ? "gone" : "stale");
  if (!PERMANENT.has(status)) refreshSoon(RETRY);
}

function hasUnsavedInput() {
  return document.querySelector("[data-dirty]") || [...document.querySelectorAll(FIELDS)].some(isChanged);
}

/** Unsaved input in forms, except in closed dialogs. */
const FIELDS = ["input:not([type=hidden])", "select", "textarea"]
  .map(one => `form[method=post] ${one}:not(dialog:not([open]) *)`).join();

function isChanged(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.type !== "select-one") return field.value !== field.defaultValue;
  const initial = [...field.options].findLastIndex(one => one.defaultSelected);
  return field.selectedIndex !== Math.max(initial, 0);
}

/** Replaces the live regions of this page by those of the fetched page. */
export function show(fresh) {
  if (fresh.documentElement.dataset.build !== root.dataset.build && !hasUnsavedInput()) return location.reload();
  document.dispatchEvent(new CustomEvent("substrat:refreshing", { detail: fresh }));
  for (const region of document.querySelectorAll("[data-live]")) {
    const now = fresh.getElementById(region.id);
    if (now) morph(region, now);
  }
  document.title = fresh.title;
  root.dataset.seen = Math.max(Number(root.dataset.seen), Number(fresh.documentElement.dataset.seen ?? 0));
  document.dispatchEvent(new CustomEvent("substrat:refreshed"));
}

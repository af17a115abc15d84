/** The page this is, fetched again; what is live on it becomes what it is by now. */
import { morph } from "./morph.js";

const PAUSE = 120;
const root = document.documentElement;
let waiting;
let isFetching = false;
let isStale = false;

/** Many reasons in a row are one refresh. */
export function refreshSoon() {
  waiting ??= setTimeout(() => {
    waiting = undefined;
    refresh();
  }, PAUSE);
}

export async function refresh() {
  if (isFetching) {
    isStale = true;
    return;
  }
  isFetching = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (new URL(answer.url).pathname === "/login") return location.assign(answer.url);
    if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // The daemon is away; when the stream is back, it asks again.
  } finally {
    isFetching = false;
    if (isStale) {
      isStale = false;
      refreshSoon();
    }
  }
}

/** What is live on this page becomes what it is on that one. */
export function show(fresh) {
  if (fresh.documentElement.dataset.build !== root.dataset.build && !document.querySelector("[data-dirty]")) {
    return location.reload();
  }
  document.dispatchEvent(new CustomEvent("substrat:refreshing", { detail: fresh }));
  for (const region of document.querySelectorAll("[data-live]")) {
    const now = fresh.getElementById(region.id);
    if (now) morph(region, now);
  }
  document.title = fresh.title;
  document.dispatchEvent(new CustomEvent("substrat:refreshed"));
}

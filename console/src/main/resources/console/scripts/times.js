/** Relative times, in the same format as `TimeFormatter` in the daemon. */
import { refreshSoon } from "./page.js";

const STEPS = [[60, 1, "s"], [3600, 60, "min"], [86400, 3600, "h"], [86400 * 14, 86400, "d"]];

export function ago(then, now = Date.now()) {
  const seconds = Math.max(0, Math.floor((now - then) / 1000));
  if (seconds < 5) return "now";
  const step = STEPS.find(([below]) => seconds < below);
  return step ? `${Math.floor(seconds / step[1])} ${step[2]} ago` : new Date(then).toISOString().slice(0, 10);
}

function until(then, now = Date.now()) {
  const seconds = Math.floor((then - now) / 1000);
  if (seconds < 5) return "now";
  const step = STEPS.find(([below]) => seconds < below) ?? STEPS.at(-1);
  return `in ${Math.floor(seconds / step[1])} ${step[2]}`;
}

function updateTimes() {
  for (const time of document.querySelectorAll("time[data-until]")) {
    const words = until(Date.parse(time.dateTime));
    if (time.textContent !== words) time.textContent = words;
  }
  for (const time of document.querySelectorAll("time[data-ago]")) {
    const words = ago(Date.parse(time.dateTime));
    if (time.textContent !== words) time.textContent = words;
  }
}

setInterval(updateTimes, 10_000);

/** Shows the exact local time on hover. */
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
document.addEventListener("pointerover", ({ target }) => {
  if (target.matches?.("time[datetime]")) target.title = exact.format(Date.parse(target.dateTime));
});

/** Sends the reader's time zone to the daemon in a cookie; a space rendered without it is refreshed. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const known = `substrat_zone=${zone}`;
if (zone && zone !== "UTC" && !document.cookie.split("; ").includes(known)) {
  document.cookie = `${known}; Path=/; Max-Age=31536000; SameSite=Strict`;
  if (document.querySelector("[data-space]")) refreshSoon();
}

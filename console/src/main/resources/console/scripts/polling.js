/** Polling for values that change without an event, such as rates. `data-poll` is the interval in seconds. */
import { refreshSoon } from "./page.js";

const shortest = Math.min(...[...document.querySelectorAll("[data-poll]")].map(one => Number(one.dataset.poll)));

if (Number.isFinite(shortest)) {
  setInterval(() => {
    if (!document.hidden) refreshSoon();
  }, shortest * 1000);
}

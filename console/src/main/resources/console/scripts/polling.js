/** Polling for values that change without an event, such as rates. `data-every` is the interval in seconds. */
import { refreshSoon } from "./page.js";

const shortest = Math.min(...[...document.querySelectorAll("[data-every]")].map(one => Number(one.dataset.every)));

if (Number.isFinite(shortest)) {
  setInterval(() => {
    if (!document.hidden) refreshSoon();
  }, shortest * 1000);
}

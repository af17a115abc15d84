/** Some things change without an event, rates for instance: `data-every` is how often to look, in seconds. */
import { refreshSoon } from "./page.js";

const shortest = Math.min(...[...document.querySelectorAll("[data-every]")].map(one => Number(one.dataset.every)));

if (Number.isFinite(shortest)) {
  setInterval(() => {
    if (!document.hidden) refreshSoon();
  }, shortest * 1000);
}

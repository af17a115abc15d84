/** While the daemon is away a link leads nowhere: whoever follows one stays, and is told so. */
import { state } from "./connection.js";
import { toast } from "./toast.js";

const isOurs = link => link.origin === location.origin && !link.target && !link.getAttribute("href").startsWith("#");

/** It may be back before the page has noticed. */
export async function go(address) {
  try {
    if (state === "lost") await fetch("/healthz");
    location.assign(address);
  } catch {
    toast("The daemon is not reachable. You stay here until it is back.", true);
  }
}

document.addEventListener("click", click => {
  const link = click.target.closest("a[href]");
  if (state !== "lost" || !link || !isOurs(link) || click.button || click.ctrlKey || click.metaKey || click.shiftKey) return;
  click.preventDefault();
  click.stopPropagation();
  go(link.href);
}, true);

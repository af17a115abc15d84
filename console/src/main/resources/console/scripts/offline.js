/** While the daemon is unreachable, links do not navigate: the page stays and shows a message. */
import { state } from "./connection.js";
import { toast } from "./toast.js";

const isOurs = link => link.origin === location.origin && !link.target && !link.getAttribute("href").startsWith("#");

/** The daemon may be back before the page has noticed. */
export async function go(address) {
  try {
    if (state === "lost") await fetch("/healthz");
    location.assign(address);
  } catch {
    toast("The daemon is not reachable. Links work again when it is back.", true);
  }
}

document.addEventListener("click", click => {
  const link = click.target.closest("a[href]");
  if (state !== "lost" || !link || !isOurs(link) || click.button || click.ctrlKey || click.metaKey || click.shiftKey) return;
  click.preventDefault();
  click.stopPropagation();
  go(link.href);
}, true);

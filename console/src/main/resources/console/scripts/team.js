/**
 * Animations of the team diagram: moved nodes glide to their new position, and messages fly from sender to
 * recipient. Opening the details of an agent keeps the rest of the page.
 */
import { morph } from "./morph.js";

const FLIGHT = 700;
const GLIDE = 350;
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
const SVG = "http://www.w3.org/2000/svg";
let positions = new Map();

function nodePositions() {
  return new Map([...document.querySelectorAll("foreignObject.place")].map(one => [one.id, [Number(one.getAttribute("x")), Number(one.getAttribute("y"))]]));
}

function glide() {
  const before = positions;
  positions = nodePositions();
  if (isCalm.matches) return;
  for (const [id, [x, y]] of positions) {
    const [oldX, oldY] = before.get(id) ?? [x, y];
    const node = document.getElementById(id);
    if (!before.has(id) && before.size) node.animate({ opacity: [0, 1] }, GLIDE);
    else if (oldX !== x || oldY !== y) {
      node.animate({ transform: [`translate(${oldX - x}px, ${oldY - y}px)`, "none"] }, { duration: GLIDE, easing: "ease-out" });
    }
  }
}

function middle(id) {
  const node = document.getElementById(`node-${id}`);
  const box = node?.getBoundingClientRect();
  return box && { node, x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Animates a message from sender to recipient; if the sender is not in the diagram, only the recipient is highlighted. */
function fly({ kind, agentId, peerId, isPast }) {
  if (kind !== "message_sent" || isPast || isCalm.matches) return;
  const to = middle(agentId);
  const from = middle(peerId);
  to?.node.querySelector(".node").animate({ outline: ["3px solid var(--ring)", "3px solid transparent"] }, { duration: FLIGHT * 1.5, delay: from ? FLIGHT : 0 });
  const picture = to?.node.closest("svg");
  if (!from || !picture || picture !== from.node.closest("svg")) return;
  const box = picture.getBoundingClientRect();
  const dot = document.createElementNS(SVG, "circle");
  dot.setAttribute("r", "5");
  dot.setAttribute("class", "message-dot");
  dot.setAttribute("cx", from.x - box.x);
  dot.setAttribute("cy", from.y - box.y);
  picture.querySelector(".message-dots").append(dot);
  dot.animate({ transform: ["none", `translate(${to.x - from.x}px, ${to.y - from.y}px)`] }, { duration: FLIGHT, easing: "ease-in-out" })
    .finished.finally(() => dot.remove());
}

async function swap(path) {
  const answer = await fetch(path, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return location.assign(path);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  morph(document.getElementById("main"), fresh.getElementById("main"));
  positions = nodePositions();
  document.dispatchEvent(new CustomEvent("substrat:swapped"));
}

/** Moves the focus into the opened details, and back to the node when they close. Only one of the two diagrams is visible. */
function moveFocus(closedAgent) {
  const target = document.querySelector("#agent-detail-title a") ?? [...document.querySelectorAll(`[id$="node-${CSS.escape(closedAgent)}"] a`)].find(one => one.checkVisibility());
  target?.focus();
}

if (document.getElementById("teams")) {
  positions = nodePositions();
  document.addEventListener("substrat:refreshed", glide);
  document.addEventListener("substrat:event", event => fly(event.detail));
  document.addEventListener("click", click => {
    const link = click.target.closest("a[data-swap]");
    if (!link || click.ctrlKey || click.metaKey || click.shiftKey || click.button) return;
    click.preventDefault();
    history.pushState(null, "", link.href);
    const closedAgent = link.closest("aside")?.id.replace("agent-detail-", "");
    // Opening by keyboard moves the focus; opening by pointer does not.
    const isByKey = click.detail === 0;
    swap(link.href).then(() => (isByKey || closedAgent) && moveFocus(closedAgent)).catch(() => location.assign(link.href));
  });
  addEventListener("popstate", () => swap(location.href).catch(() => location.reload()));
}

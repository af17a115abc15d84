/**
 * Follows the daemon's events. Each live region says in `data-live` which kinds concern it, and in
 * `data-live-agent` or `data-live-space` whose; when one happens, the page is refreshed.
 *
 * The page says how far it knew (`data-seen`), so nothing that happens meanwhile is missed. A page that
 * nobody sees holds no connection: browsers allow six to one host.
 */
import { refreshSoon } from "./page.js";

const AGAIN = 2000;
const root = document.documentElement;
const heard = new Set();
let seen = Number(root.dataset.seen);
let stream;

const WORDS = { live: "Live", lost: "Reconnecting …", connecting: "Connecting …" };

function say(state) {
  document.body.dataset.connection = state;
  const place = document.getElementById("connection");
  if (place && place.textContent !== WORDS[state]) place.textContent = WORDS[state];
}

function concerns(region, event) {
  const { live, liveAgent, liveSpace } = region.dataset;
  return live.split(" ").includes(event.kind)
    && (!liveAgent || [event.agentId, event.peerId].includes(liveAgent))
    && (!liveSpace || event.spaceId === liveSpace);
}

function hear(message) {
  const event = JSON.parse(message.data);
  seen = Math.max(seen, event.seq);
  if ([...document.querySelectorAll("[data-live]")].some(region => concerns(region, event))) refreshSoon();
  document.dispatchEvent(new CustomEvent("substrat:event", { detail: event }));
}

/** A stream tells only those who ask by name; a refreshed page may name more. */
function listen() {
  for (const region of document.querySelectorAll("[data-live]")) {
    for (const kind of region.dataset.live.split(" ")) {
      if (kind && !heard.has(kind)) {
        heard.add(kind);
        stream?.addEventListener(kind, hear);
      }
    }
  }
}

function open() {
  stream = new EventSource(`/api/events?after=${seen}`);
  for (const kind of heard) stream.addEventListener(kind, hear);
  stream.addEventListener("connected", message => {
    const isBack = document.body.dataset.connection === "lost";
    // Another database: what is shown never happened there.
    if (JSON.parse(message.data).lastEvent < seen) return location.reload();
    say("live");
    if (isBack) refreshSoon();
  });
  stream.onerror = () => {
    say("lost");
    if (stream.readyState !== EventSource.CLOSED) return;
    // Refused, not lost: a refresh finds out whether there is still a session.
    refreshSoon();
    setTimeout(open, AGAIN);
  };
}

if (root.dataset.seen) {
  listen();
  open();
  document.addEventListener("substrat:refreshed", listen);
  document.addEventListener("visibilitychange", () => {
    stream.close();
    if (!document.hidden) open();
  });
}

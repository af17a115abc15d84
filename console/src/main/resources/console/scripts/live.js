/**
 * Follows the daemon's events. Each live region says in `data-live` which kinds concern it, and in
 * `data-live-agent` or `data-live-space` whose; when one happens, the page is refreshed. What a script follows by
 * itself is named in `data-hear`.
 *
 * The page starts after the last event it contains (`data-seen`), so no event is missed or handled twice. A hidden
 * page holds no connection: browsers allow six per host.
 */
import { hearing, say, state } from "./connection.js";
import { refresh, refreshSoon } from "./page.js";

const AGAIN = 2000;
/** After a longer absence the page is refreshed instead of replaying all events. */
const FEW = 300;
const root = document.documentElement;
const drawn = () => Number(root.dataset.seen);
let heard = new Set();
let seen = drawn();
let past = 0;
let stream;
let again;
let isDropped = false;

function concerns(region, event) {
  const { live, liveAgent, liveSpace } = region.dataset;
  return live.split(" ").includes(event.kind)
    && (!liveAgent || liveAgent.split(" ").some(id => id === event.agentId || id === event.peerId))
    && (!liveSpace || event.spaceId === liveSpace);
}

function hear(message) {
  const event = JSON.parse(message.data);
  seen = Math.max(seen, event.seq);
  if (event.seq > drawn() && [...document.querySelectorAll("[data-live]")].some(region => concerns(region, event))) refreshSoon();
  document.dispatchEvent(new CustomEvent("substrat:event", { detail: { ...event, isPast: event.seq <= past } }));
}

/** Event types of this page: of its live regions and of its scripts. */
function kinds() {
  const all = [...document.querySelectorAll("[data-live], [data-hear]")];
  return new Set(all.flatMap(one => `${one.dataset.live ?? ""} ${one.dataset.hear ?? ""}`.split(" ")).filter(Boolean));
}

function close() {
  clearTimeout(again);
  stream?.close();
  hearing(false);
}

/** At most one stream, and none while the page is hidden. */
function open() {
  close();
  if (document.hidden) return;
  heard = kinds();
  stream = new EventSource(`/api/events?visible=true&after=${seen}&kinds=${[...heard].join(",")}`);
  for (const kind of heard) stream.addEventListener(kind, hear);
  stream.addEventListener("connected", connected);
  stream.onerror = ({ target }) => {
    if (target !== stream) return;
    const isFirst = state === "live";
    isDropped = true;
    hearing(false);
    if (isFirst) say("connecting");
    if (stream.readyState === EventSource.CLOSED) again = setTimeout(open, AGAIN);
    else if (!isFirst) return say("lost");
    // Connection lost: a refresh checks whether the daemon and the session still exist.
    refreshSoon();
  };
}

function connected(message) {
  const { lastEvent } = JSON.parse(message.data);
  // Another database: the page content does not exist there.
  if (lastEvent < seen) return location.reload();
  past = lastEvent;
  hearing(true);
  // A failed refresh is repeated.
  const isBehind = isDropped || state === "lost";
  if (isBehind || state === "connecting") say("live");
  if (isBehind) refreshSoon();
  isDropped = false;
}

/** A refreshed page may need other event types. */
function listen() {
  if ([...kinds()].some(kind => !heard.has(kind))) open();
}

/** Refreshes the page, then opens the stream. */
async function comeAndGo() {
  close();
  if (document.hidden) return;
  await refresh();
  if (drawn() - seen > FEW) {
    seen = drawn();
    document.dispatchEvent(new CustomEvent("substrat:skipped"));
  }
  open();
}

if (root.dataset.seen) {
  open();
  document.addEventListener("substrat:refreshed", listen);
  document.addEventListener("visibilitychange", comeAndGo);
}

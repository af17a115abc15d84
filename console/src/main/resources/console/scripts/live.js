/**
 * Follows the daemon's events. Each live region says in `data-live` which kinds concern it, and in
 * `data-live-agent` or `data-live-space` whose; when one happens, the page is refreshed. What a script follows by
 * itself is named in `data-hear`.
 *
 * The page says how far it knew (`data-seen`), so nothing that happens meanwhile is missed and nothing it shows
 * already is fetched again. A page that nobody sees holds no connection: browsers allow six to one host.
 */
import { hearing, say, state } from "./connection.js";
import { refresh, refreshSoon } from "./page.js";

const AGAIN = 2000;
/** Who was away for more than this sees the page as it is, not all that has happened. */
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

/** What this page wants to hear of: what it shows, and what its scripts follow by themselves. */
function kinds() {
  const all = [...document.querySelectorAll("[data-live], [data-hear]")];
  return new Set(all.flatMap(one => `${one.dataset.live ?? ""} ${one.dataset.hear ?? ""}`.split(" ")).filter(Boolean));
}

function close() {
  clearTimeout(again);
  stream?.close();
  hearing(false);
}

/** There is one stream at most, and none while nobody looks. */
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
    // Dropped or refused: a refresh finds out whether there is still a daemon, and a session.
    refreshSoon();
  };
}

function connected(message) {
  const { lastEvent } = JSON.parse(message.data);
  // Another database: what is shown never happened there.
  if (lastEvent < seen) return location.reload();
  past = lastEvent;
  hearing(true);
  // A page that could not be had just now was not had: it is asked for again.
  const isBehind = isDropped || state === "lost";
  if (isBehind || state === "connecting") say("live");
  if (isBehind) refreshSoon();
  isDropped = false;
}

/** A refreshed page may want to hear of more. */
function listen() {
  if ([...kinds()].some(kind => !heard.has(kind))) open();
}

/** First the page as it is, then what comes. */
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

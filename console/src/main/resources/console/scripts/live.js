/**
 * Follows the daemon's events. Each live region says in `data-live` the event types that refresh it, and in
 * `data-live-agent` or `data-live-space` of which agent or space. `data-events` has the event types that a script
 * handles itself.
 *
 * The page starts after the last event it contains (`data-seen`), so no event is missed or handled twice. A hidden
 * page holds no connection: browsers allow six per host.
 */
import { setStreamOpen, setState, state } from "./connection.js";
import { refresh, refreshSoon } from "./page.js";

const RETRY = 2000;
/** After a longer absence the page is refreshed instead of replaying all events. */
const MAX_REPLAY = 300;
const root = document.documentElement;
const rendered = () => Number(root.dataset.seen);
let subscribed = new Set();
let seen = rendered();
let connectedAt = 0;
let stream;
let retry;
let isDropped = false;

function isAffected(region, event) {
  const { live, liveAgent, liveSpace } = region.dataset;
  return live.split(" ").includes(event.kind)
    && (!liveAgent || liveAgent.split(" ").some(id => id === event.agentId || id === event.peerId))
    && (!liveSpace || event.spaceId === liveSpace);
}

function onEvent(message) {
  const event = JSON.parse(message.data);
  seen = Math.max(seen, event.seq);
  if (event.seq > rendered() && [...document.querySelectorAll("[data-live]")].some(region => isAffected(region, event))) refreshSoon();
  document.dispatchEvent(new CustomEvent("substrat:event", { detail: { ...event, isPast: event.seq <= connectedAt } }));
}

/** Event types of this page: of its live regions and of its scripts. */
function eventTypes() {
  const all = [...document.querySelectorAll("[data-live], [data-events]")];
  return new Set(all.flatMap(one => `${one.dataset.live ?? ""} ${one.dataset.events ?? ""}`.split(" ")).filter(Boolean));
}

function close() {
  clearTimeout(retry);
  stream?.close();
  setStreamOpen(false);
}

/** At most one stream, and none while the page is hidden. */
function open() {
  close();
  if (document.hidden) return;
  subscribed = eventTypes();
  stream = new EventSource(`/api/events?visible=true&after=${seen}&kinds=${[...subscribed].join(",")}`);
  for (const kind of subscribed) stream.addEventListener(kind, onEvent);
  stream.addEventListener("connected", connected);
  stream.onerror = ({ target }) => {
    if (target !== stream) return;
    const isFirst = state === "live";
    isDropped = true;
    setStreamOpen(false);
    if (isFirst) setState("connecting");
    if (stream.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY);
    else if (!isFirst) return setState("lost");
    // Connection lost: a refresh checks whether the daemon and the session still exist.
    refreshSoon();
  };
}

function connected(message) {
  const { lastEvent } = JSON.parse(message.data);
  // Another database: the page content does not exist there.
  if (lastEvent < seen) return location.reload();
  connectedAt = lastEvent;
  setStreamOpen(true);
  // A failed refresh is repeated.
  const isBehind = isDropped || state === "lost";
  if (isBehind || state === "connecting") setState("live");
  if (isBehind) refreshSoon();
  isDropped = false;
}

/** A refreshed page may need other event types. */
function resubscribe() {
  if ([...eventTypes()].some(kind => !subscribed.has(kind))) open();
}

/** Refreshes the page, then opens the stream. */
async function onVisibilityChange() {
  close();
  if (document.hidden) return;
  await refresh();
  if (rendered() - seen > MAX_REPLAY) {
    seen = rendered();
    document.dispatchEvent(new CustomEvent("substrat:skipped"));
  }
  open();
}

if (root.dataset.seen) {
  open();
  document.addEventListener("substrat:refreshed", resubscribe);
  document.addEventListener("visibilitychange", onVisibilityChange);
}

/**
 * Infinite scrolling in a space: earlier messages load on scrolling up, and messages that leave the newest page
 * stay above it. The list is laid out from its end, so the scroll position is stable.
 */
import { morph } from "./morph.js";

const scroll = document.getElementById("scroll");
const newest = document.getElementById("newest");
const older = document.getElementById("older");
const earlier = document.getElementById("earlier");
const toEnd = document.getElementById("to-end");
const NEAR = 60;
let wasAway = false;
let anchor;

const isAtEnd = () => scroll.scrollTop > -NEAR;
const isWatchingEnd = () => isAtEnd() && !document.hidden && !wasAway;

/** Average height of a message. */
const averageHeight = () => newest.offsetHeight / Math.max(1, newest.querySelectorAll("[data-seq]").length);

async function pageAt(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(answer.statusText);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/**
 * One list per page, so that the browser can skip lists that are not visible. `height` is the estimated height, which
 * prevents jumps when a skipped list is rendered.
 */
function chunk(items, height) {
  const list = document.createElement("ol");
  list.className = "space-entries chunk";
  list.style.containIntrinsicHeight = `auto ${Math.round(height)}px`;
  list.append(...items);
  return list;
}

const watch = new IntersectionObserver(
  all => all.filter(one => one.isIntersecting).forEach(one => load(one.target)), { root: scroll, rootMargin: "800px 0px 0px" });

/** Loads the messages before the position in the link. A link between messages is removed when the gap is closed. */
async function load(link) {
  watch.unobserve(link);
  try {
    const page = await pageAt(link.href);
    const items = [...page.querySelectorAll("#newest > .space-entries > li")];
    const met = items.findLastIndex(one => one.dataset.seq && document.getElementById(one.id));
    const missing = items.slice(met + 1);
    insert(link, chunk(missing, missing.length * averageHeight()));
    const next = page.getElementById("earlier");
    if (met >= 0 || !next) return link.parentElement.remove();
    link.href = next.getAttribute("href");
  } catch {
    return; // The link stays and can be clicked.
  }
  watch.observe(link);
}

/** Keeps the scroll position of a reader above the end. */
function insert(link, list) {
  if (link === earlier) return older.prepend(list);
  const isBelow = link.getBoundingClientRect().top > scroll.getBoundingClientRect().top + scroll.clientHeight / 2;
  const height = scroll.scrollHeight;
  link.parentElement.after(list);
  if (isBelow) scroll.scrollTop -= scroll.scrollHeight - height;
}

/** Keeps the "New" mark in place; messages that arrive in view are not marked as new. */
function keepMark(fresh) {
  const mark = document.getElementById("new-mark");
  const isAbove = Boolean(mark && older.contains(mark));
  const place = mark && !isAbove ? fresh.getElementById(mark.dataset.before) : null;
  if (place || isAbove || isWatchingEnd()) fresh.getElementById("new-mark")?.remove();
  place?.before(fresh.importNode(mark, true));
}

/** Before a refresh: keeps the messages that the refreshed page no longer contains. */
function beforeRefresh({ detail: fresh }) {
  const list = fresh.querySelector("#newest > .space-entries");
  const shown = [...newest.querySelectorAll(".space-entries > li")];
  const first = Number(list?.querySelector("[data-seq]")?.dataset.seq ?? 0);
  const leaving = shown.slice(0, 1 + shown.findLastIndex(one => one.dataset.seq && Number(one.dataset.seq) < first));
  const meets = shown.some(one => one.dataset.seq && fresh.getElementById(one.id));
  const between = meets ? null : fresh.getElementById("earlier");
  anchor = isAtEnd() ? undefined : inView();
  const height = leaving.length && leaving.at(-1).getBoundingClientRect().bottom - leaving[0].getBoundingClientRect().top;
  if (between) markGap(fresh, leaving);
  if (leaving.length) older.append(chunk(leaving, height));
  if (between) addGapLink(between.getAttribute("href"));
  keepMark(fresh);
  scroll.dataset.height = scroll.scrollHeight;
}

/** If more messages arrived than a page holds, the "New" mark stays at the reader's last position. */
function markGap(fresh, leaving) {
  const mark = fresh.getElementById("new-mark");
  if (mark && leaving.length && !isWatchingEnd() && !document.getElementById("new-mark")) leaving.push(document.importNode(mark, true));
}

function addGapLink(address) {
  const line = document.createElement("p");
  line.className = "earlier";
  const link = document.createElement("a");
  Object.assign(link, { className: "button small", href: address, textContent: "Load missed messages" });
  link.dataset.between = "";
  line.append(link);
  older.append(line);
  watch.observe(link);
}

/** A visible message and its position. */
function inView() {
  const box = scroll.getBoundingClientRect();
  const message = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest("#scroll [data-seq]");
  return message && { message, top: message.getBoundingClientRect().top };
}

function afterRefresh() {
  const grown = scroll.scrollHeight - Number(scroll.dataset.height ?? scroll.scrollHeight);
  if (!isAtEnd()) {
    const moved = anchor?.message.isConnected ? anchor.message.getBoundingClientRect().top - anchor.top : -Math.max(0, grown);
    scroll.scrollTop += moved;
    if (grown > 0) toEnd.hidden = false;
  }
  wasAway = false;
  markRead();
}

/** Refreshes earlier messages after an event that concerns them, in batches. */
const stale = new Set();

async function refreshEarlier(ids) {
  const isUnderWay = stale.size > 0;
  for (const id of ids) stale.add(id);
  if (isUnderWay) return;
  while (stale.size) {
    const [next] = stale;
    const message = document.getElementById(next);
    const page = message && await pageAt(`${location.pathname}?before=${Number(message.dataset.seq) + 1}`).catch(() => null);
    for (const id of [...stale]) {
      const now = page?.getElementById(id);
      if (now && older.querySelector(`#${CSS.escape(id)}`)) morph(document.getElementById(id), now);
      if (now || id === next) stale.delete(id);
    }
  }
}

function onMessageEvent({ detail: event }) {
  const message = event.message_id && older.querySelector(`#m-${CSS.escape(event.message_id)}`);
  if (message) refreshEarlier([message.id]);
}

/** A member who sees the end of the space has read it. */
function markRead() {
  const { last, read } = newest.dataset;
  if (read === undefined || document.hidden || !isAtEnd() || Number(last) <= Number(read)) return;
  newest.dataset.read = last;
  fetch(`/api${location.pathname}/read`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ seq: Number(last) }),
  });
}

if (scroll && newest && newest.dataset.live) {
  document.addEventListener("substrat:refreshing", beforeRefresh);
  document.addEventListener("substrat:refreshed", afterRefresh);
  document.addEventListener("substrat:event", onMessageEvent);
  document.addEventListener("substrat:skipped", () => refreshEarlier([...older.querySelectorAll("[data-seq]")].map(one => one.id)));
  document.addEventListener("visibilitychange", () => {
    wasAway ||= document.hidden;
    if (!wasAway) markRead();
  });
  scroll.addEventListener("scroll", () => {
    if (!isAtEnd()) return;
    toEnd.hidden = true;
    markRead();
  }, { passive: true });
  document.getElementById("composer")?.addEventListener("submit", () => (scroll.scrollTop = 0));
  // Not smooth: a refresh during the animation would stop it halfway.
  toEnd.addEventListener("click", () => (scroll.scrollTop = 0));
  markRead();
  if (earlier) watch.observe(earlier);
}

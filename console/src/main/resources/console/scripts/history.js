/**
 * What was said in a space, without end: earlier messages come when somebody scrolls up to them, and what
 * leaves the newest page stays above it. The list is laid out from its end, so nothing jumps.
 */
import { morph } from "./morph.js";

const scroll = document.getElementById("scroll");
const newest = document.getElementById("newest");
const older = document.getElementById("older");
const earlier = document.getElementById("earlier");
const toEnd = document.getElementById("to-end");
const NEAR = 60;

const isAtEnd = () => scroll.scrollTop > -NEAR;

async function pageAt(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(answer.statusText);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** A list of its own for each page: a browser can leave out those that nobody sees. */
function chunk(items) {
  const list = document.createElement("ol");
  list.className = "sayings chunk";
  list.append(...items);
  return list;
}

async function loadEarlier(watch) {
  watch.unobserve(earlier);
  try {
    const page = await pageAt(earlier.href);
    older.prepend(chunk(page.querySelectorAll("#newest > .sayings > li")));
    const next = page.getElementById("earlier");
    if (!next) return earlier.parentElement.remove();
    earlier.href = next.getAttribute("href");
  } catch {
    return; // The link is still there to be pressed.
  }
  watch.observe(earlier);
}

/** Where the news began stays where it was; what somebody sees coming is none. */
function keepMark(fresh) {
  const mark = document.getElementById("new-mark");
  const place = mark && fresh.getElementById(mark.dataset.before);
  if (place || (isAtEnd() && !document.hidden)) fresh.getElementById("new-mark")?.remove();
  place?.before(fresh.importNode(mark, true));
}

/** Before the page becomes what it is by now: what it does not show any more stays. */
function keep({ detail: fresh }) {
  const list = fresh.querySelector("#newest > .sayings");
  const first = Number(list?.querySelector("[data-seq]")?.dataset.seq ?? 0);
  const shown = [...newest.querySelectorAll(".sayings > li")];
  const leaving = shown.slice(0, 1 + shown.findLastIndex(one => one.dataset.seq && Number(one.dataset.seq) < first));
  if (leaving.length) older.append(chunk(leaving));
  keepMark(fresh);
  scroll.dataset.height = scroll.scrollHeight;
}

function settle() {
  const grown = scroll.scrollHeight - Number(scroll.dataset.height ?? scroll.scrollHeight);
  if (!isAtEnd() && grown > 0) {
    scroll.scrollTop -= grown;
    toEnd.hidden = false;
  }
  markRead();
}

/** What stands further up is looked at again when something happens to it. */
async function look({ detail: event }) {
  const message = event.message_id && older.querySelector(`#m-${CSS.escape(event.message_id)}`);
  if (!message) return;
  const page = await pageAt(`${location.pathname}?before=${Number(message.dataset.seq) + 1}`);
  const now = page.getElementById(message.id);
  if (now) morph(message, now);
}

/** Whoever is in the space and sees its end has read it. */
function markRead() {
  const { last, read } = newest.dataset;
  if (read === undefined || document.hidden || !isAtEnd() || Number(last) <= Number(read)) return;
  newest.dataset.read = last;
  fetch(`/api${location.pathname}/read`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ seq: Number(last) }),
  });
}

if (scroll && newest && newest.dataset.live) {
  document.addEventListener("substrat:refreshing", keep);
  document.addEventListener("substrat:refreshed", settle);
  document.addEventListener("substrat:event", look);
  document.addEventListener("visibilitychange", markRead);
  scroll.addEventListener("scroll", () => {
    if (!isAtEnd()) return;
    toEnd.hidden = true;
    markRead();
  }, { passive: true });
  document.getElementById("composer")?.addEventListener("submit", () => (scroll.scrollTop = 0));
  toEnd.addEventListener("click", () => scroll.scrollTo({ top: 0, behavior: "smooth" }));
  markRead();
  if (earlier) {
    const watch = new IntersectionObserver(
      seen => seen.some(one => one.isIntersecting) && loadEarlier(watch), { root: scroll, rootMargin: "800px 0px 0px" });
    watch.observe(earlier);
  }
}

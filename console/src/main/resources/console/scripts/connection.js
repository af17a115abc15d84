/** How the page stands with the daemon, in the corner and, when something is wrong, above everything. */
const WORDS = {
  live: ["Live", ""],
  connecting: ["Connecting …", ""],
  lost: ["Reconnecting …", "The daemon is not reachable. What you see may be out of date; it comes back by itself."],
  stale: ["Out of date", "The daemon could not draw this page again. What you see may be out of date; it is tried again."],
  out: ["Logged out", "You are logged out. Nothing you have written is lost: log in in another tab, then save here."],
  gone: ["Out of date", "This page is not there for you any more. Copy what you were writing before you leave it."],
};

export let state = "connecting";

/** Whether there is a stream, by which news arrives. */
export let isHearing = false;

export function hearing(now) {
  isHearing = now;
}

export function say(next) {
  state = next;
  const [word, note] = WORDS[next];
  document.body.dataset.connection = note ? "lost" : next;
  tell(document.getElementById("connection"), word);
  if (note) tell(document.querySelector(".lost-note span"), note);
  const way = document.querySelector(".lost-note a");
  if (way) way.hidden = next !== "out";
}

function tell(place, text) {
  if (place && place.textContent !== text) place.textContent = text;
}

/** Connection state, shown in the corner and, on errors, as a banner. */
const TEXTS = {
  live: ["Live", ""],
  connecting: ["Connecting …", ""],
  lost: ["Reconnecting …", "The daemon is not reachable. This page may be out of date; it reconnects automatically."],
  stale: ["Out of date", "The daemon could not refresh this page. It may be out of date; the page retries automatically."],
  out: ["Signed out", "You are signed out. Your input is kept: sign in in another tab, then save here."],
  gone: ["Out of date", "This page no longer exists or you lost access. Copy your input before you leave."],
};

export let state = "connecting";

/** Whether an event stream is open. */
export let isStreamOpen = false;

export function setStreamOpen(now) {
  isStreamOpen = now;
}

export function setState(next) {
  state = next;
  const [word, note] = TEXTS[next];
  document.body.dataset.connection = note ? "lost" : next;
  setText(document.getElementById("connection"), word);
  if (note) setText(document.querySelector(".lost-note span"), note);
  const signIn = document.querySelector(".lost-note a");
  if (signIn) signIn.hidden = next !== "out";
}

function setText(place, text) {
  if (place && place.textContent !== text) place.textContent = text;
}

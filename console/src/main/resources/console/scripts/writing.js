/** What a mind is writing, while it writes. A piece says where in the step's text it stands. */
import { visible } from "./hidden.js";

const place = document.getElementById("writing");
const frame = place?.closest("[data-writing-frame]");
let step;
let words = "";

function show() {
  // Whoever has come late has missed the beginning.
  place.textContent = visible(words.startsWith(" ") ? `… ${words.trimStart()}` : words);
  place.hidden = !words;
  if (frame) frame.hidden = !words;
}

function hear({ detail: event }) {
  const { ofAgent, ofRun } = place.dataset;
  if (ofRun ? event.runId !== ofRun : event.agentId !== ofAgent) return;
  if (event.kind === "turn_ended") words = "";
  else if (event.kind !== "run.text") return;
  else {
    const before = event.step === step ? words : "";
    words = before.slice(0, event.from).padEnd(event.from, " ") + event.text;
    step = event.step;
  }
  show();
}

if (place) {
  document.addEventListener("substrat:event", hear);
  document.addEventListener("substrat:skipped", () => {
    words = "";
    show();
  });
}

/** Live output of a model. Each chunk has its offset in the text of the step. */
const place = document.getElementById("writing");
const frame = place?.closest("[data-writing-frame]");
let step;
let pieces = [];

function show() {
  const words = pieces.map(piece => piece.text).join("");
  // A page that was opened late has missed the beginning.
  place.textContent = pieces[0]?.from > 0 ? `… ${words.trimStart()}` : words;
  place.hidden = !words;
  if (frame) frame.hidden = !words;
}

function onEvent({ detail: event }) {
  const { ofAgent, ofRun } = place.dataset;
  if (ofRun ? event.runId !== ofRun : event.agentId !== ofAgent) return;
  if (event.kind === "turn_ended") pieces = [];
  else if (event.kind !== "run.text") return;
  else {
    // A chunk replaces the text from its offset on.
    const before = event.step === step ? pieces.filter(piece => piece.from < event.from) : [];
    pieces = [...before, event];
    step = event.step;
  }
  show();
}

if (place) {
  document.addEventListener("substrat:event", onEvent);
  document.addEventListener("substrat:skipped", () => {
    pieces = [];
    show();
  });
}

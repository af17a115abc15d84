/** Cards of running tool calls, until the space shows their result. */
const place = document.getElementById("running");
const space = document.querySelector("[data-space]")?.dataset.space;

function card(event) {
  const known = [...place.children].find(one => one.dataset.call === event.callId);
  if (known) return known;
  const item = document.createElement("li");
  item.className = "tool-card busy";
  item.dataset.call = event.callId;
  item.innerHTML = "<p class='tool-head'><strong class='mono'></strong> <span class='badge dot busy'>running</span></p><pre class='input-so-far'></pre><pre class='output-so-far'></pre>";
  item.querySelector("strong").textContent = `${event.agent} · ${event.toolName}`;
  place.append(item);
  return item;
}

/** The daemon has written hidden characters as `\u{202E}`; JSON doubles that backslash. */
const shown = output => JSON.stringify(output, null, 1).replaceAll("\\\\u{", "\\u{");

const drop = wanted => [...place.children].find(wanted)?.remove();

const ON = {
  "tool-call.start": event => card(event),
  "tool-input-delta": event => card(event).querySelector(".input-so-far").append(event.delta),
  "tool-result": event => (card(event).querySelector(".output-so-far").textContent = shown(event.output)),
  "tool-call.complete": event => drop(one => one.dataset.call === event.callId),
  "tool-call.error": event => drop(one => one.dataset.call === event.callId),
  // A call that waits for a person is shown as a message.
  message_created: event => event.messageKind === "tool" && drop(one => one.dataset.call === event.callId),
};

if (place) {
  // Calls may have finished meanwhile.
  document.addEventListener("substrat:skipped", () => place.replaceChildren());
  document.addEventListener("substrat:event", ({ detail: event }) => {
    if (event.spaceId === space) ON[event.kind]?.(event);
  });
}

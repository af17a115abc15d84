/** One event as a line of nodes; text from agents only ever becomes text. */
export function sentence(event) {
  const tellers = {
    agent_created: () => [who(event.agent), " joins the team"],
    agent_updated: () => [who(event.agent), ` is changed: ${event.changed.join(", ")}`],
    agent_terminated: () => [who(event.agent), " leaves the team"],
    run_forked: () => [who(event.agent), ` is a fork of ${event.original} from step ${event.fromStep} on`],
    message_sent: () => [who(event.from), event.in_reply_to ? " answers " : event.sync ? " asks " : " tells ", who(event.to), "\n", ...said(event.text)],
    message_dead: () => [word("bad", `a message could not be delivered: ${event.reason}`)],
    turn_started: () => [word("quiet", `${event.agent} starts turn ${event.turn}`)],
    turn_ended: () => event.status === "failed"
      ? [who(event.agent), word("bad", ` failed in turn ${event.turn}: ${event.stopReason}`)]
      : [word("quiet", `${event.agent} ends turn ${event.turn}`), ...(event.response ? ["\n", ...said(event.response)] : [])],
    tool_called: () => event.ok
      ? [word("quiet", `${event.agent} calls ${event.tool}`)]
      : [word("bad", `${event.agent} calls ${event.tool}, refused: ${[event.code, event.error].filter(Boolean).join(": ")}`)],
    budget_low: () => [who(event.agent), ` has used ${event.spent} of ${event.cap} ${event.budget}`],
    budget_exhausted: () => [who(event.agent), word("bad", ` stops: ${event.reason}`)],
    budget_set: () => [who(event.agent), " has another budget"],
  };
  return tellers[event.kind]?.();
}

const LONG = { letters: 600, lines: 8 };

/** What somebody wrote; a long text shows its beginning and a button for the rest. */
function said(text) {
  const lines = text.split("\n");
  const beginning = lines.slice(0, LONG.lines).join("\n").slice(0, LONG.letters);
  if (beginning.length === text.length) return [text];
  const shown = word("folded", `${beginning} …`);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "more";
  button.setAttribute("aria-expanded", "false");
  button.textContent = "show more";
  button.addEventListener("click", () => {
    const opens = button.getAttribute("aria-expanded") === "false";
    button.setAttribute("aria-expanded", String(opens));
    button.textContent = opens ? "show less" : "show more";
    shown.textContent = opens ? text : `${beginning} …`;
  });
  return [shown, "\n", button];
}

function who(name) {
  return word("who", name);
}

function word(style, text) {
  const span = document.createElement("span");
  span.className = style;
  span.textContent = text;
  return span;
}

/** One event as a line of nodes; text from agents only ever becomes text. */
export function sentence(event) {
  const tellers = {
    agent_created: () => [who(event.agent), " joins the team"],
    agent_updated: () => [who(event.agent), ` is changed: ${event.changed.join(", ")}`],
    agent_terminated: () => [who(event.agent), " leaves the team"],
    run_forked: () => [who(event.agent), ` is a fork of ${event.original} from step ${event.fromStep} on`],
    message_sent: () => [who(event.from), event.in_reply_to ? " answers " : event.sync ? " asks " : " tells ", who(event.to), `\n${event.text}`],
    message_dead: () => [word("bad", `a message could not be delivered: ${event.reason}`)],
    turn_started: () => [word("quiet", `${event.agent} starts turn ${event.turn}`)],
    turn_ended: () => event.status === "failed"
      ? [who(event.agent), word("bad", ` failed in turn ${event.turn}: ${event.stopReason}`)]
      : [word("quiet", `${event.agent} ends turn ${event.turn}`)],
    tool_called: () => [word(event.ok ? "quiet" : "bad", `${event.agent} calls ${event.tool}${event.ok ? "" : ", refused"}`)],
  };
  return tellers[event.kind]?.();
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

/**
 * Desktop notifications about questions of agents, also while the console is in the background. Of all open pages,
 * one holds a lock and keeps a stream open.
 */
const button = document.getElementById("notices");
const WANTED = "substrat.notices";
const HEARD = "substrat.notices.heard";
const RECENT = 120_000;
const isWanted = () => localStorage.getItem(WANTED) && Notification.permission === "granted";

async function notify(event) {
  const isQuestion = event.kind === "pending_call"
    ? event.status === "pending" || event.status === "asking"
    : event.status === "requires_action";
  // Calls that the daemon executes itself need no answer.
  if (!isQuestion || event.executing || !isWanted()) return;
  const notice = new Notification(`${event.author ?? "An agent"} asks`, {
    body: event.text ?? event.tool, tag: event.callId ?? event.message_id,
  });
  notice.onclick = () => {
    focus();
    location.assign("/approvals");
  };
}

function listen() {
  navigator.locks?.request("substrat.notices", () => new Promise(() => {
    const kind = localStorage.getItem(WANTED);
    // Continues after the last event of the page that held the lock before.
    const last = localStorage.getItem(HEARD);
    const stream = new EventSource(`/api/events?visible=true&kinds=${kind}${last ? `&after=${last}` : ""}`);
    stream.addEventListener("connected", message => {
      const { lastEvent } = JSON.parse(message.data);
      if (!last || Number(last) > lastEvent) localStorage.setItem(HEARD, lastEvent);
    });
    stream.addEventListener(kind, message => {
      const event = JSON.parse(message.data);
      localStorage.setItem(HEARD, event.seq);
      if (Date.now() - Date.parse(event.at) < RECENT) notify(event);
    });
  }));
}

const updateButton = () => {
  button.setAttribute("aria-pressed", String(Boolean(isWanted())));
  button.querySelector("span").textContent = isWanted() ? "Notifications on" : "Notify me";
};

if ("Notification" in window) {
  if (isWanted()) listen();
  if (button) {
    button.hidden = false;
    updateButton();
    button.addEventListener("click", async () => {
      if (isWanted()) localStorage.removeItem(WANTED);
      else if ((await Notification.requestPermission()) === "granted") {
        localStorage.setItem(WANTED, button.dataset.by);
        localStorage.removeItem(HEARD);
        listen();
      }
      updateButton();
    });
  }
}

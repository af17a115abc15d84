import { sentence } from "/narrator.js";

const page = id => document.getElementById(id);
const UNREACHABLE = "the daemon is not reachable";
const FEED_LIMIT = 200;
let lastSeen = 0;

async function call(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body && JSON.stringify(body),
  }).catch(() => {
    throw new Error(UNREACHABLE);
  });
  const json = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw Object.assign(new Error(`${json.message}. ${json.hint}`), { status: answer.status });
  return json;
}

function show(name) {
  for (const id of ["login", "team"]) page(id).hidden = id !== name;
}

function connection(text, lost = false) {
  page("connection").textContent = text;
  // What was known of the agents may be wrong by now.
  document.body.classList.toggle("lost", lost);
}

/** Children stand below their parent, one step to the right. */
function inTreeOrder(agents, parent = null, depth = 0) {
  return agents
    .filter(agent => agent.parentId === parent)
    .flatMap(agent => [{ agent, depth }, ...inTreeOrder(agents, agent.id, depth + 1)]);
}

/** Page after page. */
async function allAgents() {
  const all = [];
  let next = "";
  do {
    const page = await call("GET", `/api/agents?after=${encodeURIComponent(next)}`);
    all.push(...page.agents);
    next = page.next;
  } while (next);
  return all;
}

/** Names are unique among siblings only; where two share one, their handles tell them apart. */
function labels(agents) {
  const counts = new Map();
  const spoken = agent => agent.name.toLowerCase();
  for (const agent of agents) counts.set(spoken(agent), (counts.get(spoken(agent)) ?? 0) + 1);
  return agent => counts.get(spoken(agent)) > 1 ? `${agent.name} (${agent.handle})` : agent.name;
}

/** Who may take no turns looks idle and is not. */
function stateOf(agent) {
  const state = document.createElement("span");
  const stopped = agent.stateReason?.startsWith("BUDGET_EXHAUSTED");
  state.className = `state ${stopped ? "stopped" : agent.state}`;
  state.textContent = stopped ? "out of budget" : agent.state;
  state.title = agent.stateReason ?? "";
  return state;
}

async function refreshAgents() {
  const agents = await allAgents();
  const label = labels(agents);
  page("agents").replaceChildren(...inTreeOrder(agents).map(({ agent, depth }) => {
    const item = document.createElement("li");
    item.style.setProperty("--depth", depth);
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = label(agent);
    name.title = agent.description;
    item.append(name, stateOf(agent));
    return item;
  }));
  page("agents-count").textContent = agents.length;
  page("no-agents").hidden = agents.length > 0;
  const chosen = page("recipient").value;
  page("recipient").replaceChildren(...agents.map(agent => new Option(label(agent), agent.handle)));
  if (agents.some(agent => agent.handle === chosen)) page("recipient").value = chosen;
  page("send-form").hidden = agents.length === 0;
}

/** Many events in a row ask for one refresh. */
let refreshing;
function refreshSoon() {
  refreshing ??= setTimeout(() => {
    refreshing = undefined;
    refreshAgents().catch(problem => connection(problem.message, true));
  }, 150);
}

function tell(event) {
  const line = sentence(event);
  if (!line) return;
  const item = document.createElement("li");
  const time = document.createElement("time");
  time.dateTime = event.at;
  time.textContent = new Date(event.at).toLocaleTimeString([], { hour12: false });
  const said = document.createElement("span");
  said.className = "said";
  said.append(...line);
  item.append(time, said);
  page("feed").prepend(item);
  while (page("feed").children.length > FEED_LIMIT) page("feed").lastChild.remove();
  page("no-events").hidden = true;
}

/** The daemon's own events; the browser resumes by itself where it was. */
const KINDS = [
  "agent_created", "agent_updated", "agent_terminated", "run_forked", "message_sent", "message_dead",
  "turn_started", "turn_ended", "tool_called", "budget_low", "budget_exhausted", "budget_set",
];

function follow(after) {
  const stream = new EventSource(`/api/events?after=${after}`);
  stream.addEventListener("connected", () => {
    connection("live");
    refreshSoon();
  });
  for (const kind of KINDS) {
    stream.addEventListener(kind, message => {
      const event = JSON.parse(message.data);
      if (event.seq <= lastSeen) return;
      lastSeen = event.seq;
      tell(event);
      refreshSoon();
    });
  }
  stream.onerror = () => connection("connection lost, trying again …", true);
}

async function start() {
  try {
    const status = await call("GET", "/api/status");
    show("team");
    await refreshAgents();
    follow(Math.max(0, status.lastEvent - FEED_LIMIT));
  } catch (problem) {
    if (problem.status !== 401) return connection(problem.message, true);
    connection("not logged in");
    show("login");
    if (new URLSearchParams(location.search).get("link") === "used") {
      page("login-problem").textContent = "That link was used already or is too old.";
    }
    page("token").focus();
  }
}

page("login-form").addEventListener("submit", async submit => {
  submit.preventDefault();
  try {
    await call("POST", "/login", { token: page("token").value.trim() });
    location.reload();
  } catch (problem) {
    page("login-problem").textContent = problem.message;
  }
});

page("send-form").addEventListener("submit", async submit => {
  submit.preventDefault();
  try {
    await call("POST", `/api/agents/${page("recipient").value}/messages`, { text: page("text").value, sync: true });
    page("text").value = "";
    page("send-problem").textContent = "";
  } catch (problem) {
    page("send-problem").textContent = problem.message;
  }
});

// On a narrow page the list would stand between a person and what happens.
page("roster").open = matchMedia("(min-width: 46rem)").matches;
start();

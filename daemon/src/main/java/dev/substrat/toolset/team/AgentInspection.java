package dev.substrat.toolset.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.messaging.message.OpenQuestions;
import dev.substrat.messaging.message.PendingReplies;
import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventContent;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.transcript.RunAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the activity of an agent for its parent or a person. Reading consumes nothing.
public final class AgentInspection {
  private static final int MESSAGES = 20;
  private static final int ACTIVITY = 30;

  /// Number of turns in which a final text is searched.
  private static final int TURNS = 100;

  /// A line of the activity has the beginning of a final text.
  private static final int MAX_TEXT_LENGTH = 500;

  private final Database database;
  private final Messages messages;
  private final EventLog events;

  public AgentInspection(Database database, Messages messages, EventLog events) {
    this.database = database;
    this.messages = messages;
    this.events = events;
  }

  /// A child of `parent`, by name.
  ActivitySnapshot of(Agent parent, String name) {
    return of(database.read(tx -> AgentTree.requireChild(tx, parent, name)));
  }

  /// Any agent, for a person: texts of messages need the scope for messages, final texts that for
  /// runs. `hidden` names what is omitted.
  public ObjectNode of(Agent agent, CallerPermissions caller) {
    var json = (ObjectNode) Json.tree(of(agent));
    var about = AccessTarget.ofAgent(agent.id().value());
    caller
        .findHidden(Scope.MESSAGES_READ, about)
        .ifPresent(why -> hide(json.path("recent_messages"), "text", why));
    RunAccess.findHidden(caller, agent.id())
        .ifPresent(why -> {
          hide(json.path("activity"), "said", why);
          hide(List.of(json.path("last_said")), "text", why);
        });
    return json;
  }

  private static void hide(Iterable<JsonNode> entries, String key, String why) {
    for (JsonNode entry : entries) {
      if (entry.has(key)) {
        ((ObjectNode) entry).put(EventContent.HIDDEN, why).remove(key);
      }
    }
  }

  /// The newest final text of an agent, for a person.
  public static Optional<ObjectNode> findLastSaid(Tx tx, AgentId agent, CallerPermissions caller) {
    return findLastSaid(tx, agent)
        .map(said -> {
          var json = Json.object().put("text", said.text()).put("runId", said.runId());
          RunAccess.findHidden(caller, agent).ifPresent(why -> hide(List.of(json), "text", why));
          return json.put("at", said.at().toString());
        });
  }

  /// Any agent.
  public ActivitySnapshot of(Agent agent) {
    List<ObjectNode> activity = activity(agent.id());
    return database.read(tx -> {
      Optional<BlockedReason> standstill = BlockedReason.of(tx, agent.id());
      return new ActivitySnapshot(
          state(tx, agent),
          standstill.map(BlockedReason::reason).orElse(null),
          standstill.flatMap(BlockedReason::findNextTry).orElse(null),
          BudgetTable.above(tx, agent.id()).stream().map(Budget::json).toList(),
          recent(tx, agent),
          Inbox.count(tx, agent.id()),
          names(tx, PendingReplies.askedBy(tx, agent.id().value())),
          currentRun(tx, agent.id()),
          findLastSaid(tx, agent.id()).orElse(null),
          activity);
    });
  }

  private static @Nullable String currentRun(Tx tx, AgentId agent) {
    return tx.find(
            // The first condition is that of an index.
            """
            select id from run
            where agent_id = ? and status in ('running', 'open') and status = 'running'
            """,
            row -> row.text("id"),
            agent.value())
        .orElse(null);
  }

  /// The newest final text, as far as its last turns go.
  public static Optional<ActivitySnapshot.LastFinalText> findLastSaid(Tx tx, AgentId agent) {
    return tx.find(
        """
        select id, response, ended_at from (
          select id, response, ended_at, turn_no from run
          where agent_id = ? and turn_no > 0 order by turn_no desc limit ?
        ) newest
        where trim(response) <> '' and ended_at is not null
        order by turn_no desc limit 1
        """,
        row ->
            new ActivitySnapshot.LastFinalText(
                row.text("response"), row.text("id"), row.instant("ended_at")),
        agent.value(),
        TURNS);
  }

  /// Why the agent gets no turns, if it is blocked.
  private static @Nullable String stop(Tx tx, Agent agent) {
    return BlockedReason.of(tx, agent.id()).map(BlockedReason::reason).orElse(null);
  }

  /// The children of one agent.
  record ChildList(List<ChildSummary> children) {}

  /// A child in the list.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ChildSummary(
      String name,
      @JsonProperty("agent_id") String agentId,
      String role,
      String state,
      @JsonProperty("pending_count") long pendingCount,
      @JsonProperty("state_reason") @Nullable String stateReason) {}

  /// Most agents have no children, which is checked without another thread.
  ChildList children(Agent parent) {
    return database.readByKey(tx -> AgentTree.hasChildren(tx, parent.id()))
        ? database.read(tx ->
            new ChildList(
                AgentTree.children(tx, parent.id()).stream()
                    .map(child -> child(tx, child))
                    .toList()))
        : new ChildList(List.of());
  }

  /// Agents and people that an agent can write to.
  record TeamMemberList(List<TeamMember> members) {}

  /// A member of the team; `relation` is parent, sibling, child or operator. An operator has no
  /// role.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record TeamMember(
      String name,
      String handle,
      String relation,
      @Nullable String role,
      @Nullable String state,
      @Nullable String description) {}

  TeamMemberList team(Agent agent) {
    return database.read(tx -> {
      var members = new ArrayList<TeamMember>();
      if (agent.parent() == null) {
        members.add(operator("a person; you can write to them at any time"));
      } else if (OpenQuestions.isAskedByOperator(tx, agent.id())) {
        members.add(operator("a person who waits for your answer; you cannot write first"));
      }
      AgentTree.reachable(tx, agent).forEach(one -> members.add(member(tx, agent, one)));
      return new TeamMemberList(members);
    });
  }

  private static TeamMember operator(String description) {
    return new TeamMember(
        Principal.OPERATOR_NAME, Principal.OPERATOR_NAME, "operator", null, null, description);
  }

  private static TeamMember member(Tx tx, Agent self, Agent one) {
    String relation =
        one.id().equals(self.parent())
            ? "parent"
            : self.id().equals(one.parent()) ? "child" : "sibling";
    return new TeamMember(
        one.name(), one.handle(), relation, one.role(), state(tx, one), one.config().description());
  }

  private static ChildSummary child(Tx tx, Agent child) {
    return new ChildSummary(
        child.name(),
        child.id().value(),
        child.role(),
        state(tx, child),
        Inbox.count(tx, child.id()),
        stop(tx, child));
  }

  /// `busy` while a turn is under way, `waiting` with an open question of its own, else `idle`.
  public static String state(Tx tx, Agent agent) {
    if (!agent.isAlive()) {
      return "terminated";
    }
    long leases =
        tx.number(
            "select count(*) as n from agent where id = ? and lease_until > " + tx.dialect().now(),
            agent.id().value());
    if (leases > 0) {
      return "busy";
    }
    return PendingReplies.askedBy(tx, agent.id().value()).isEmpty() ? "idle" : "waiting";
  }

  private List<ActivitySnapshot.RecentMessage> recent(Tx tx, Agent agent) {
    return messages.of(tx, agent.id(), MESSAGES).stream()
        .map(message -> line(tx, agent, message))
        .toList();
  }

  private static ActivitySnapshot.RecentMessage line(Tx tx, Agent agent, Message message) {
    return new ActivitySnapshot.RecentMessage(
        name(tx, message.sender()),
        name(tx, message.recipient()),
        message.text(),
        message.id().value(),
        message.sender().equals(agent.id().value()) ? "out" : "in",
        message.sentAt(),
        message.status().toString());
  }

  private List<ObjectNode> activity(AgentId agent) {
    return events.newest(agent.value(), ACTIVITY).stream().map(AgentInspection::line).toList();
  }

  private static ObjectNode line(Event event) {
    var line = Json.object().put("at", event.at().toString()).put("kind", event.kind());
    for (String key :
        List.of("turn", "status", "tool", "ok", "from", "to", "stopReason", "space")) {
      if (event.payload().has(key)) {
        line.set(key, event.payload().get(key));
      }
    }
    String said = event.payload().path("response").asText("");
    if (!said.isBlank()) {
      line.put(
          "said",
          said.length() <= MAX_TEXT_LENGTH ? said : said.substring(0, MAX_TEXT_LENGTH) + "…");
    }
    return line;
  }

  private static List<String> names(Tx tx, List<String> principals) {
    return principals.stream().map(principal -> name(tx, principal)).toList();
  }

  static String name(Tx tx, String principal) {
    return principal.equals(Principal.OPERATOR_NAME)
        ? principal
        : AgentTree.find(tx, principal).map(Agent::name).orElse(principal);
  }
}

package dev.substrat.turn.replay;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.provider.Providers;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentStateTable;
import dev.substrat.team.AgentTree;
import dev.substrat.team.Agents;
import dev.substrat.team.ProviderConfig;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.tool.transcript.RunAccess;
import dev.substrat.turn.CallPrefix;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Creates forks: new agents that repeat a recorded turn up to a step and continue from there.
///
/// A fork is a sibling of the original and gets the events of that turn, but its answer is sent to
/// no one. Agent and events are created in one transaction, and the events are marked as copies
/// until the turn has succeeded: a fork whose daemon dies begins with the record again.
public final class RunForks implements CallPrefix.CallPrefixSource {
  /// Shorter than the maximum, because a suffix is added.
  private static final int MAX_NAME_LENGTH = 65;

  private final Database database;
  private final EventLog events;
  private final Agents agents;
  private final Providers providers;

  public RunForks(Database database, EventLog events, Agents agents, Providers providers) {
    this.database = database;
    this.events = events;
    this.agents = agents;
    this.providers = providers;
  }

  /// A request to fork a run.
  public record ForkRequest(
      @JsonPropertyDescription(
              "First step that is executed again, counted from 1; earlier steps come from the"
                  + " record.")
          int fromStep,
      @JsonPropertyDescription("Provider to use instead of the agent's own.")
          @Nullable ProviderConfig provider,
      @JsonPropertyDescription("Another model of the same provider.") @Nullable String model,
      @JsonPropertyDescription("Name of the fork. Default: the agent's name and \"fork\".")
          @Nullable String name) {}

  public Agent fork(Principal who, String run, ForkRequest request) {
    RunAccess.requireChanging(who);
    RunRecord record = database.read(tx -> RunRecord.require(tx, run));
    if (request.fromStep() < 1 || request.fromStep() > record.steps()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/fromStep must be 1 to " + record.steps() + ", not " + request.fromStep(),
          "GET /api/runs/{id}/steps lists the steps of the run");
    }
    AgentConfig config =
        new ProviderOverride(request.provider(), request.model())
            .in(record.agent().config(), providers);
    return database.transact(tx -> fork(tx, record, config, request));
  }

  private Agent fork(Tx tx, RunRecord record, AgentConfig config, ForkRequest request) {
    Agent original = record.agent();
    String name = request.name() == null ? freeName(tx, original) : request.name();
    var agentOrigin = new Agents.AgentOrigin(null, null, workspace(tx, original));
    Agent fork = agents.create(tx, sibling(original, config, name), agentOrigin);
    var origin = new ForkOrigin(record.run().id(), request.fromStep());
    origin.keep(tx, fork.id());
    for (InboxEvent event : record.events()) {
      Inbox.put(tx, fork.id(), copy(event), false);
    }
    Inbox.markCopies(tx, fork.id());
    for (PendingCall call : PendingCalls.listBeforeStep(tx, origin.run(), origin.step())) {
      Inbox.put(tx, fork.id(), notOwned(call, original), false);
    }
    events.append(
        tx,
        NewEvent.of("run_forked")
            .about(fork.id().value())
            .and(original.id().value())
            .during(origin.run())
            .with("agent", fork.handle())
            .with("original", original.handle())
            .with("fromStep", origin.step()));
    return fork;
  }

  private static AgentConfig sibling(Agent original, AgentConfig config, String name) {
    var tree = (ObjectNode) Json.tree(config);
    tree.remove(List.of("handle", "parent"));
    tree.put("name", name);
    if (original.parent() != null) {
      tree.put("parent", original.parent().value());
    }
    return Json.as(tree, AgentConfig.class);
  }

  private static @Nullable String workspace(Tx tx, Agent original) {
    return tx.list(
            "select workspace_subdir from agent where id = ?",
            row -> Optional.ofNullable(row.textOrNull("workspace_subdir")),
            original.id().value())
        .getFirst()
        .orElse(null);
  }

  /// The first of `mira fork`, `mira fork 2` … that no sibling has.
  private static String freeName(Tx tx, Agent original) {
    AgentId parent = original.parent();
    if (parent != null) {
      // Two concurrent forks must not use the same name.
      AgentStateTable.lock(tx, parent);
    }
    List<Agent> siblings =
        parent == null
            ? AgentTree.list(tx).stream().filter(agent -> agent.parent() == null).toList()
            : AgentTree.children(tx, parent);
    Set<String> taken =
        siblings.stream()
            .map(agent -> agent.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    String whole = original.name();
    String base =
        whole.length() <= MAX_NAME_LENGTH
            ? whole
            : whole.substring(0, whole.offsetByCodePoints(0, MAX_NAME_LENGTH / 2));
    String name = base + " fork";
    for (int i = 2; taken.contains(name.toLowerCase(Locale.ROOT)); i++) {
      name = base + " fork " + i;
    }
    return name;
  }

  /// A copy for display: it expects no answer, and nothing that happens to it changes the original.
  private static InboxEvent copy(InboxEvent event) {
    return new InboxEvent(
        MessageId.random().value(), event.kind(), null, event.payload(), 0, false);
  }

  /// The fork saw that the call is pending, but its result goes to the original.
  private static InboxEvent notOwned(PendingCall call, Agent original) {
    String result = call.result() == null ? "" : " Its result: " + Json.text(call.result());
    var payload =
        Json.object()
            .put("kind", InboxEvent.InboxEventKind.NOTICE.toString())
            .put("from", "substrat")
            .put(
                "text",
                ("The pending call %s (%s) belongs to %s, from whose turn you were forked: "
                        + "you get no tool_result for it.%s")
                    .formatted(call.id(), call.tool(), original.name(), result))
            .put("depth", 0);
    return new InboxEvent(
        MessageId.random().value(), InboxEvent.InboxEventKind.NOTICE, null, payload, 0, false);
  }

  @Override
  public Optional<CallPrefix> of(Tx tx, AgentId agent, long turn) {
    return ForkOrigin.of(tx, agent)
        .filter(_ -> Inbox.hasCopies(tx, agent, turn))
        .map(origin -> new ForkPrefix(origin, RecordedCallAnswers.of(tx, new RunId(origin.run()))));
  }
}

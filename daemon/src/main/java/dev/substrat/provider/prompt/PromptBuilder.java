package dev.substrat.provider.prompt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.memory.AgentBlocks;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.inbox.TurnClaim;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.prompt.EarlierAttempt.EarlierCall;
import dev.substrat.space.TurnSpace;
import dev.substrat.store.Database;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.toolset.team.AgentCondition;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Builds the prompt of a turn from the database. Read-only.
public final class PromptBuilder {
  private final Database database;
  private final ToolPipeline tools;
  private final InstantSource clock;

  public PromptBuilder(Database database, ToolPipeline tools, InstantSource clock) {
    this.database = database;
    this.tools = tools;
    this.clock = clock;
  }

  /// Prompt of a running turn with `events`.
  public Prompt of(ToolCaller caller, List<InboxEvent> events) {
    Agent agent = caller.agent();
    TurnContext now =
        database.read(tx ->
            situation(
                tx,
                agent,
                caller.turn(),
                new TurnClaim(subject(tx, caller, events), events),
                TurnSpace.find(tx, caller.run()).orElse(null)));
    return new Prompt(system(agent, now), turn(agent, now), now.blocks());
  }

  /// Subject of a running turn, for programs; see [SubjectSection#json].
  public Optional<ObjectNode> subject(ToolCaller caller, List<InboxEvent> events) {
    return database.read(tx -> SubjectSection.json(tx, subject(tx, caller, events)));
  }

  /// Prompt of the turn that would start now. External agents have no turns.
  public PromptPreview next(String idOrHandle) {
    Agent agent = database.read(tx -> AgentTree.require(tx, idOrHandle));
    AgentCondition condition = database.read(tx -> AgentCondition.of(tx, agent, clock.instant()));
    TurnContext now = database.read(tx -> next(tx, agent, condition));
    boolean starts = !now.events().isEmpty();
    return new PromptPreview(
        agent.handle(),
        system(agent, now),
        now.events().size(),
        starts ? turn(agent, now) : null,
        starts ? null : condition.reason(),
        condition.state() == AgentCondition.ConditionState.FAILING && !starts
            ? condition.nextTryAt()
            : null);
  }

  /// The system prompt of an agent with this configuration, stored or not.
  public String systemPrompt(Agent agent) {
    TurnContext now = database.read(tx -> situation(tx, agent, 1, TurnClaim.NOTHING, null));
    return system(agent, now);
  }

  private String system(Agent agent, TurnContext now) {
    boolean hasTools = !tools.of(agent).isEmpty();
    return SystemPrompt.of(agent, hasTools, now.team(), now.surroundings());
  }

  private static String turn(Agent agent, TurnContext now) {
    Optional<String> space =
        Optional.ofNullable(now.space()).map(turn -> SpaceTurnSection.of(agent, turn));
    return TurnPrompt.of(now.subject(), space, now.events(), now.attempts());
  }

  private TurnContext next(Tx tx, Agent agent, AgentCondition condition) {
    long turn = 1 + turnsSoFar(tx, agent.id());
    TurnClaim due =
        agent.isExternal() || condition.isStopped()
            ? TurnClaim.NOTHING
            : TurnClaim.preview(tx, agent.id(), clock.instant());
    return situation(
        tx, agent, turn, due, TurnSpace.of(tx, agent, due.subject(), due.events()).orElse(null));
  }

  private static long turnsSoFar(Tx tx, AgentId agent) {
    return tx.number("select turn_no as n from agent where id = ?", agent.value());
  }

  /// A fork answers no one, but its events still name the subject of the original turn.
  private static @Nullable String subject(Tx tx, ToolCaller caller, List<InboxEvent> events) {
    String own = RunInputEvents.chain(tx, caller).subject();
    return own != null
        ? own
        : events.stream()
            .map(event -> event.payload().path(InboxEvent.SUBJECT).textValue())
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
  }

  private static TurnContext situation(
      Tx tx, Agent agent, long turn, TurnClaim claim, @Nullable TurnSpace space) {
    List<InboxEvent> events = claim.events();
    return new TurnContext(
        TeamSection.of(agent, AgentTree.reachable(tx, agent)),
        ToolsetSections.of(tx, agent, space),
        MemorySection.of(tx, agent).shown(),
        SubjectSection.find(tx, agent.id(), claim.subject(), events),
        events.stream().map(event -> given(tx, event)).toList(),
        EarlierAttempts.before(tx, agent.id(), turn, events),
        space);
  }

  private static TurnEvent given(Tx tx, InboxEvent event) {
    boolean isOfSpace = event.kind() == InboxEvent.InboxEventKind.SPACE_MESSAGE;
    @Nullable String message = event.message() == null ? null : event.message().value();
    return new TurnEvent(
        event,
        tx.find(
                isOfSpace
                    ? "select created_at as at from space_message where id = ?"
                    : "select stored_at as at from message where id = ?",
                row -> row.instant("at"),
                isOfSpace ? event.payload().path("message_id").asText() : message)
            .orElse(null));
  }

  /// Data for the prompt, read in one transaction.
  private record TurnContext(
      TeamSection team,
      List<String> surroundings,
      List<AgentBlocks.VisibleBlock> blocks,
      Optional<SubjectSection> subject,
      List<TurnEvent> events,
      List<EarlierAttempt> attempts,
      @Nullable TurnSpace space) {}

  /// Finds unfinished earlier turns for the same events.
  private static final class EarlierAttempts {
    private static final String UNFINISHED =
        """
        select run.id, run.turn_no, run.stop_reason
        from run_event join run on run.id = run_event.run_id
        where run_event.event_id = ? and run.agent_id = ? and run.turn_no < ?
          and run.status in ('failed', 'running')
        """;

    private static final String CALLS =
        """
        select asked.tool_name, asked.tool_input,
        case when asked.content = '' then answered.content else asked.content end as content
        from run_message asked
        left join run_message answered
          on answered.run_id = asked.run_id
            and answered.tool_call_id = asked.tool_call_id
            and answered.type = 'tool_return_message'
        where asked.run_id = ? and asked.type = 'tool_call_message'
        order by asked.id
        """;

    private EarlierAttempts() {}

    /// Attempts before `turn` with one of `events`, oldest first.
    static List<EarlierAttempt> before(Tx tx, AgentId agent, long turn, List<InboxEvent> events) {
      return events.stream()
          .flatMap(event ->
              tx
                  .list(UNFINISHED, EarlierAttempts::unfinished, event.id(), agent.value(), turn)
                  .stream())
          .distinct()
          .sorted(Comparator.comparingLong(Unfinished::turn))
          .map(run ->
              new EarlierAttempt(run.reason(), tx.list(CALLS, EarlierAttempts::did, run.id())))
          .toList();
    }

    private static Unfinished unfinished(ResultRow row) {
      @Nullable String reason = row.textOrNull("stop_reason");
      return new Unfinished(
          row.text("id"), row.number("turn_no"), reason == null ? "the daemon stopped" : reason);
    }

    private static EarlierCall did(ResultRow row) {
      return new EarlierCall(
          row.text("tool_name"), Json.own(row.text("tool_input")), row.textOrNull("content"));
    }

    private record Unfinished(String id, long turn, String reason) {}
  }
}

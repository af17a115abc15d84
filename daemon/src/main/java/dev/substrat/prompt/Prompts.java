package dev.substrat.prompt;

import dev.substrat.id.AgentId;
import dev.substrat.inbox.Inbox;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.memory.Blocks;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.Tree;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Tool;
import dev.substrat.tool.Toolbox;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Looks up what a mind must be told and puts it into words. Looking changes nothing.
public final class Prompts {
  private final Database database;
  private final Toolbox toolbox;
  private final InstantSource clock;

  public Prompts(Database database, Toolbox toolbox, InstantSource clock) {
    this.database = database;
    this.toolbox = toolbox;
    this.clock = clock;
  }

  /// For a turn under way that was given `events`.
  public Prompt of(Caller caller, List<InboxEvent> events) {
    Agent agent = caller.agent();
    // A mind that is told its tools is told all of them.
    List<Tool> tools = toolbox.listed(agent);
    Situation now = database.read(tx -> situation(tx, agent, caller.turn(), events));
    return new Prompt(
        system(agent, tools, now), TurnPrompt.of(now.events(), now.attempts()), now.blocks());
  }

  /// For the turn that would begin now. Who fetches its mail itself has no turns.
  public Briefing next(String idOrHandle) {
    Agent agent = database.read(tx -> Tree.require(tx, idOrHandle));
    Situation now = database.read(tx -> next(tx, agent));
    return new Briefing(
        agent.handle(),
        system(agent, toolbox.of(agent), now),
        now.events().size(),
        now.events().isEmpty() ? null : TurnPrompt.of(now.events(), now.attempts()));
  }

  /// The standing part of what an agent like this would be told, whether or not it is kept.
  public String standing(Agent agent) {
    Situation now = database.read(tx -> situation(tx, agent, 1, List.of()));
    return system(agent, toolbox.of(agent), now);
  }

  private static String system(Agent agent, List<Tool> tools, Situation now) {
    return SystemPrompt.of(agent, tools, now.team(), now.surroundings());
  }

  private Situation next(Tx tx, Agent agent) {
    long turn = 1 + turnsSoFar(tx, agent.id());
    List<InboxEvent> due =
        agent.isExternal() ? List.of() : Inbox.next(tx, agent.id(), clock.instant());
    return situation(tx, agent, turn, InboxEvent.withoutNeedlessStart(due, turn));
  }

  private static long turnsSoFar(Tx tx, AgentId agent) {
    return tx.number("select turn_no as n from agent where id = ?", agent.value());
  }

  private static Situation situation(Tx tx, Agent agent, long turn, List<InboxEvent> events) {
    return new Situation(
        Team.of(agent, Tree.reachable(tx, agent)),
        Surroundings.of(tx, agent),
        MemorySection.of(tx, agent).shown(),
        events.stream().map(event -> given(tx, event)).toList(),
        Attempts.before(tx, agent.id(), turn, events));
  }

  private static Given given(Tx tx, InboxEvent event) {
    boolean isOfSpace = event.kind() == InboxEvent.Kind.SPACE_MESSAGE;
    @Nullable String message = event.message() == null ? null : event.message().value();
    return new Given(
        event,
        tx.find(
                isOfSpace
                    ? "select created_at as at from space_message where id = ?"
                    : "select stored_at as at from message where id = ?",
                row -> row.instant("at"),
                isOfSpace ? event.payload().path("message_id").asText() : message)
            .orElse(null));
  }

  /// What there is to tell, read at one moment.
  private record Situation(
      Team team,
      List<String> surroundings,
      List<Blocks.Shown> blocks,
      List<Given> events,
      List<Attempt> attempts) {}
}

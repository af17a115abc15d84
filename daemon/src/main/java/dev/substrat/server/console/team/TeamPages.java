package dev.substrat.server.console.team;

import dev.substrat.console.ConsoleSection;
import dev.substrat.console.SlotUse;
import dev.substrat.console.team.TeamPage;
import dev.substrat.http.server.FormData;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.Scope;
import dev.substrat.server.console.FlashMessage;
import dev.substrat.server.console.PageFrames;
import dev.substrat.server.console.PageReply;
import dev.substrat.server.console.agents.AgentList;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventContent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.toolset.team.AgentSteering;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.scheduling.Slots;
import java.util.List;
import java.util.Optional;

/// Team page: diagram, details of an agent, actions.
public final class TeamPages {
  private static final int HAPPENINGS = 20;

  /// Maximum number of suggestions.
  private static final int NAMES = 100;

  private final Engine engine;
  private final PageFrames frames;
  private final Slots slots;
  private final AgentSteering steering;

  public TeamPages(Engine engine, PageFrames frames, Slots slots) {
    this.engine = engine;
    this.frames = frames;
    this.slots = slots;
    this.steering =
        new AgentSteering(engine.dependencies().database(), engine.events(), engine.messages());
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read("/team", Scope.AGENTS_READ, "Team diagram.", this::show)
            .withQuery("who", "Agent whose details are open, by handle or name.")
            .withQuery("open", "Agent to expand: the page shows more of its children.")
            .withQuery("after", "Only teams, or children of the expanded agent, after this agent."),
        HttpRoute.write(
            "/team/{who}/message",
            Scope.MESSAGES_SEND,
            "Sends a message to an agent.",
            null,
            this::write),
        HttpRoute.write(
            "/team/{who}/poke", Scope.AGENTS_WRITE, "Wakes an agent.", null, this::poke),
        HttpRoute.write(
            "/team/{who}/gate", Scope.AGENTS_WRITE, "Pauses an agent.", null, this::gate),
        HttpRoute.write(
            "/team/{who}/ungate", Scope.AGENTS_WRITE, "Resumes an agent.", null, this::ungate),
        HttpRoute.write(
            "/team/{who}/terminate",
            Scope.AGENTS_WRITE,
            "Terminates an agent.",
            null,
            this::terminate));
  }

  private HttpReply show(HttpExchange exchange) {
    var frame = frames.around(exchange, ConsoleSection.TEAM, "Team");
    String sought = exchange.query("who").orElse("").strip();
    Optional<Agent> chosen = called(sought);
    Optional<Agent> open = exchange.query("open").flatMap(engine.agents()::find);
    List<Event> recent =
        chosen
            .map(agent -> engine.events().newest(agent.id().value(), HAPPENINGS))
            .map(events -> EventContent.shown(events, exchange.admission()))
            .orElse(List.of());
    var page =
        engine.read(tx -> {
          var gathering = TeamGroups.of(tx, chosen, open, exchange.query("after").orElse(""));
          return new TeamPage(
              frame,
              frames.now(),
              use(slots),
              gathering.teams(),
              gathering.alone(),
              new TeamPage.TeamSearch(
                  chosen.isPresent() ? "" : sought,
                  open.map(Agent::handle).orElse(""),
                  gathering.next(),
                  AgentList.called(tx, "", NAMES)),
              AgentList.count(tx),
              chosen.map(agent -> AgentDetailReader.at(tx, agent, recent)).orElse(null));
        });
    return PageReply.ok(page);
  }

  /// By handle, or by words in the name.
  private Optional<Agent> called(String words) {
    if (words.isEmpty()) {
      return Optional.empty();
    }
    return engine
        .agents()
        .find(words)
        .or(() ->
            engine
                .read(tx -> AgentList.called(tx, words, 1).keySet().stream().findFirst())
                .flatMap(engine.agents()::find));
  }

  public static SlotUse use(Slots slots) {
    Slots.SlotUsage use = slots.use();
    return new SlotUse(use.total(), use.busy(), use.waiting());
  }

  private HttpReply write(HttpExchange exchange) {
    String who = who(exchange);
    FormData form = exchange.form();
    var note = new Messages.PersonMessage(form.text("text"), true, null);
    engine.messages().fromOperator(who, note, form.idempotencyKey());
    return back(who, FlashMessage.SENT);
  }

  private HttpReply poke(HttpExchange exchange) {
    exchange.form();
    String who = who(exchange);
    steering.poke(who, null);
    String id = engine.agents().require(who).id().value();
    boolean isPaused = engine.read(tx -> AgentDetailReader.isPaused(tx, id));
    return back(who, isPaused ? FlashMessage.POKED_LATER : FlashMessage.POKED);
  }

  private HttpReply gate(HttpExchange exchange) {
    exchange.form();
    String who = who(exchange);
    steering.gate(who, true);
    return back(who, FlashMessage.GATED);
  }

  private HttpReply ungate(HttpExchange exchange) {
    exchange.form();
    String who = who(exchange);
    steering.gate(who, false);
    return back(who, FlashMessage.UNGATED);
  }

  private HttpReply terminate(HttpExchange exchange) {
    exchange.form();
    String who = who(exchange);
    engine.agents().terminate(who);
    return back(who, FlashMessage.TERMINATED);
  }

  /// The agent in the URL, which must be active.
  private String who(HttpExchange exchange) {
    return engine.read(tx -> AgentTree.require(tx, exchange.name("who"))).handle();
  }

  private static HttpReply back(String who, FlashMessage said) {
    return PageReply.goTo("/team?who=" + who, said);
  }
}

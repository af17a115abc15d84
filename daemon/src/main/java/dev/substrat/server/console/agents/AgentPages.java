package dev.substrat.server.console.agents;

import dev.substrat.console.ConsoleSection;
import dev.substrat.console.agents.ActivityEntry;
import dev.substrat.console.agents.AgentCard;
import dev.substrat.console.agents.AgentsPage;
import dev.substrat.console.agents.AgentsPage.AgentSearch;
import dev.substrat.console.agents.AgentsPage.AgentSortOrder;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.server.console.EventSentenceWriter;
import dev.substrat.server.console.PageFrames;
import dev.substrat.server.console.PageReply;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventContent;
import dev.substrat.team.Agent;
import dev.substrat.turn.engine.Engine;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// List of agents and page of one agent.
public final class AgentPages {
  private static final int HAPPENINGS = 30;

  /// Number of events read for the activity list; many of them are not shown.
  private static final int EVENTS = 400;

  private final Engine engine;
  private final PageFrames frames;

  private final AgentPageReader portrait;

  public AgentPages(Engine engine, PageFrames frames, AgentPageReader portrait) {
    this.engine = engine;
    this.frames = frames;
    this.portrait = portrait;
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read("/agents", Scope.AGENTS_READ, "All agents.", this::list)
            .withQuery("after", "Only agents after this agent, by name.")
            .withQuery("ended", "Include terminated agents."),
        HttpRoute.read("/agents/{handle}", Scope.AGENTS_READ, "One agent.", this::show));
  }

  private HttpReply list(HttpExchange exchange) {
    var frame = frames.around(exchange, ConsoleSection.AGENTS, "Agents");
    AgentSortOrder order = order(exchange);
    // Orders by activity or unread messages change constantly, so they have no next page.
    String after = order == AgentSortOrder.NAME ? exchange.query("after").orElse("") : "";
    boolean asksForEnded = exchange.query("ended").isPresent();
    var wanted = new AgentSearch(exchange.query("q").orElse(""), order, after, asksForEnded);
    List<ActivityEntry> happenings = activity(exchange, frame.seen());
    var page =
        engine.read(tx -> {
          AgentSearch search = includingTerminated(tx, wanted);
          List<AgentCard> found = AgentList.found(tx, search);
          List<AgentCard> shown = found.subList(0, Math.min(AgentList.MAX_COUNT, found.size()));
          boolean hasMore = found.size() > shown.size() && order == AgentSortOrder.NAME;
          return new AgentsPage(
              frame,
              frames.now(),
              search,
              shown,
              hasMore ? shown.getLast().id() : "",
              AgentList.count(tx),
              happenings,
              asksForEnded);
        });
    return PageReply.ok(page);
  }

  /// Searches terminated agents if no active agent matches.
  private static AgentSearch includingTerminated(Tx tx, AgentSearch wanted) {
    return wanted.words().isBlank() || !AgentList.found(tx, wanted).isEmpty()
        ? wanted
        : wanted.withEnded();
  }

  /// Also shows terminated agents.
  private HttpReply show(HttpExchange exchange) {
    String handle = exchange.name("handle");
    var frame = frames.around(exchange, ConsoleSection.AGENTS, known(handle).name());
    return PageReply.ok(portrait.of(known(handle), frame, exchange.admission()));
  }

  private Agent known(String handle) {
    return engine.agents().find(handle).orElseGet(() -> engine.agents().require(handle));
  }

  private static AgentSortOrder order(HttpExchange exchange) {
    String wanted = exchange.query("order").orElse("").toUpperCase(Locale.ROOT);
    return Stream.of(AgentSortOrder.values())
        .filter(order -> order.name().equals(wanted))
        .findFirst()
        .orElse(AgentSortOrder.NAME);
  }

  private List<ActivityEntry> activity(HttpExchange exchange, long newest) {
    var events = engine.events().listAbridged(Math.max(0, newest - EVENTS), EVENTS);
    return EventSentenceWriter.notable(
        EventContent.shown(events, exchange.admission()), HAPPENINGS);
  }
}

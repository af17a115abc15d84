package dev.substrat.page;

import dev.substrat.console.Section;
import dev.substrat.console.agents.AgentsPage;
import dev.substrat.console.agents.AgentsPage.Order;
import dev.substrat.console.agents.AgentsPage.Search;
import dev.substrat.console.agents.Happening;
import dev.substrat.engine.Engine;
import dev.substrat.event.Event;
import dev.substrat.http.Exchange;
import dev.substrat.http.Reply;
import dev.substrat.http.Route;
import dev.substrat.http.Route.Access;
import dev.substrat.team.Agent;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// All agents on a page, and one of them.
final class AgentPages {
  private static final int HAPPENINGS = 30;

  /// Many events are no news; this many have enough of those that are.
  private static final int EVENTS = 400;

  private final Engine engine;
  private final Frames frames;

  private final Portrait portrait;

  AgentPages(Engine engine, Frames frames, Portrait portrait) {
    this.engine = engine;
    this.frames = frames;
    this.portrait = portrait;
  }

  List<Route> routes() {
    return List.of(
        Route.read("/agents", Access.OPERATOR, "All agents.", this::list),
        Route.read("/agents/{handle}", Access.OPERATOR, "One agent.", this::show));
  }

  private Reply list(Exchange exchange) {
    var frame = frames.around(exchange, Section.AGENTS, "Agents");
    var search = new Search(exchange.query("q").orElse(""), order(exchange));
    List<Happening> happenings = happenings(frame.seen());
    var page =
        engine
            .ground()
            .database()
            .read(tx ->
                new AgentsPage(
                    frame,
                    frames.now(),
                    search,
                    Roster.found(tx, search),
                    Roster.count(tx),
                    happenings));
    return PageReply.ok(page);
  }

  /// Also one that has ended, for the record.
  private Reply show(Exchange exchange) {
    String handle = exchange.name("handle");
    Agent agent = engine.agents().find(handle).orElseGet(() -> engine.agents().require(handle));
    var frame = frames.around(exchange, Section.AGENTS, agent.name());
    return PageReply.ok(portrait.of(agent, frame));
  }

  private static Order order(Exchange exchange) {
    String wanted = exchange.query("order").orElse("").toUpperCase(Locale.ROOT);
    return Stream.of(Order.values())
        .filter(order -> order.name().equals(wanted))
        .findFirst()
        .orElse(Order.NAME);
  }

  private List<Happening> happenings(long newest) {
    var events = engine.events().after(Math.max(0, newest - EVENTS), Event.Filter.NONE, EVENTS);
    return Narrator.news(events, HAPPENINGS);
  }
}

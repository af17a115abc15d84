package dev.substrat.server.console;

import dev.substrat.access.credential.BrowserSessions;
import dev.substrat.access.credential.LoginCodes;
import dev.substrat.console.Assets;
import dev.substrat.console.CommandPalette;
import dev.substrat.console.CommandPalette.PaletteEntry;
import dev.substrat.console.ConsoleSection;
import dev.substrat.http.server.ErrorPageRenderer;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.platform.identity.Scope;
import dev.substrat.server.api.SystemRoutes;
import dev.substrat.server.console.agents.AgentActions;
import dev.substrat.server.console.agents.AgentList;
import dev.substrat.server.console.agents.AgentPageReader;
import dev.substrat.server.console.agents.AgentPages;
import dev.substrat.server.console.agents.BuilderPages;
import dev.substrat.server.console.agents.FirstTeam;
import dev.substrat.server.console.agents.VersionPages;
import dev.substrat.server.console.approvals.ApprovalPages;
import dev.substrat.server.console.health.HealthPages;
import dev.substrat.server.console.messages.MessagePages;
import dev.substrat.server.console.runs.RunPages;
import dev.substrat.server.console.spaces.SpaceActions;
import dev.substrat.server.console.spaces.SpacePages;
import dev.substrat.server.console.team.TeamPages;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.replay.RunReplays;
import dev.substrat.turn.scheduling.Slots;
import java.util.ArrayList;
import java.util.List;

/// Routes of all console pages.
public final class ConsolePages {
  /// Maximum number of results per kind.
  private static final int FOUND = 40;

  private final Engine engine;
  private final SystemRoutes.Address address;
  private final Assets assets = new Assets();
  private final PageFrames frames;

  public ConsolePages(Engine engine, SystemRoutes.Address address) {
    this.engine = engine;
    this.address = address;
    this.frames = new PageFrames(engine, assets);
  }

  /// Sign-in routes; programs may use them, too.
  public List<HttpRoute> signInRoutes() {
    var dependencies = engine.dependencies();
    var codes = new LoginCodes(dependencies.clock());
    var sessions =
        new BrowserSessions(dependencies.database(), dependencies.events(), dependencies.clock());
    return new LoginRoutes(engine.credentials(), sessions, codes, address, frames.folder())
        .routes();
  }

  /// Dependencies of the pages that show slots and replay runs.
  public record TurnServices(Slots slots, RunReplays replays) {}

  public List<HttpRoute> pages(TurnServices services) {
    var routes = new ArrayList<HttpRoute>();
    routes.add(HttpRoute.read("/", RouteAccess.HUMAN, "Redirects to the first page.", this::first));
    routes.add(
        HttpRoute.read(
                "/palette", RouteAccess.HUMAN, "Results of the command palette.", this::palette)
            .withQuery("q", "Words in the name."));
    routes.addAll(new AssetRoutes(assets).routes());
    var portrait = new AgentPageReader(engine, address::publicUrl);
    // Before the page of an agent: its route matches any handle.
    routes.addAll(new BuilderPages(engine, frames, portrait).routes());
    routes.add(new FirstTeam(engine).route());
    routes.addAll(new AgentPages(engine, frames, portrait).routes());
    routes.addAll(new AgentActions(engine).routes());
    routes.addAll(new VersionPages(engine, frames).routes());
    routes.addAll(new SpacePages(engine, frames).routes());
    routes.addAll(new SpaceActions(engine).routes());
    routes.addAll(new ApprovalPages(engine, frames).routes());
    routes.addAll(new MessagePages(engine, frames).routes());
    routes.addAll(new TeamPages(engine, frames, services.slots()).routes());
    routes.addAll(new RunPages(engine, frames, services.replays()).routes());
    routes.addAll(new HealthPages(engine, frames, services.slots(), address).routes());
    return routes;
  }

  public ErrorPageRenderer errorPages() {
    return new ErrorPages(frames.folder());
  }

  private HttpReply first(HttpExchange exchange) {
    List<ConsoleSection> parts = frames.sections(exchange);
    return PageReply.goTo(parts.isEmpty() ? "/agents" : parts.getFirst().path());
  }

  private HttpReply palette(HttpExchange exchange) {
    var places = new ArrayList<PaletteEntry>();
    frames
        .sections(exchange)
        .forEach(part -> places.add(new PaletteEntry(part.path(), part.title(), "page")));
    String words = exchange.query("q").orElse("").strip();
    if (exchange.may(Scope.AGENTS_WRITE)) {
      places.add(new PaletteEntry("/agents/new", "New agent", "page"));
    }
    if (exchange.may(Scope.AGENTS_READ)) {
      engine
          .read(tx -> AgentList.called(tx, words, FOUND))
          .forEach(
              (handle, name) -> places.add(new PaletteEntry("/agents/" + handle, name, "agent")));
    }
    if (frames.sections(exchange).contains(ConsoleSection.SPACES)) {
      engine.spaces().list(exchange.caller()).stream()
          .filter(space -> AgentList.isCalled(space.name(), words))
          .limit(FOUND)
          .forEach(space ->
              places.add(new PaletteEntry("/spaces/" + space.id(), space.name(), "space")));
    }
    return PageReply.ok(new CommandPalette(places));
  }
}

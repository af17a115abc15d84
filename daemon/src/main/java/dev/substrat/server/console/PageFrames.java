package dev.substrat.server.console;

import dev.substrat.console.Assets;
import dev.substrat.console.ConsoleSection;
import dev.substrat.console.PageFrame;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Role;
import dev.substrat.platform.identity.Scope;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.turn.engine.Engine;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Builds the frame of every page for the current viewer.
public final class PageFrames {
  private final Engine engine;
  private final Assets assets;

  PageFrames(Engine engine, Assets assets) {
    this.engine = engine;
    this.assets = assets;
  }

  /// The frame is read before the content: events in between are then delivered twice rather than
  /// missed.
  public PageFrame around(HttpExchange exchange, ConsoleSection section, String title) {
    long seen = engine.events().last();
    return new PageFrame(
        title,
        section,
        sections(exchange),
        new PageFrame.PageViewer(
            name(exchange.caller()),
            exchange.caller().isOperator(),
            exchange.caller().role() == Role.VIEWER),
        waiting(exchange),
        folder(),
        seen,
        FlashMessage.words(exchange.query("said")));
  }

  /// Sections that the caller may see.
  List<ConsoleSection> sections(HttpExchange exchange) {
    return Stream.of(ConsoleSection.values()).filter(part -> exchange.may(scope(part))).toList();
  }

  /// Scope required by the pages of a section.
  private static Scope scope(ConsoleSection section) {
    return switch (section) {
      case AGENTS, TEAM, HEALTH -> Scope.AGENTS_READ;
      case SPACES -> Scope.SPACES_READ;
      case APPROVALS -> Scope.APPROVALS_READ;
      case RUNS -> Scope.RUNS_READ;
      case MAIL -> Scope.MESSAGES_READ;
    };
  }

  /// Base path of the assets of this build.
  String folder() {
    return "/assets/" + assets.build() + "/";
  }

  public Instant now() {
    return engine.dependencies().clock().instant();
  }

  private PageFrame.NavigationCounts waiting(HttpExchange exchange) {
    return new PageFrame.NavigationCounts(
        exchange.may(Scope.APPROVALS_READ)
            ? engine.<Long>read(tx -> PendingCalls.countOpen(tx, exchange.caller()))
            : 0,
        exchange.may(Scope.MESSAGES_READ) ? engine.messages().countUnreadByOperator() : 0,
        exchange.may(Scope.SPACES_READ)
            ? engine.spaces().history().countUnreadSpaces(exchange.caller())
            : 0);
  }

  private static String name(Principal caller) {
    return caller instanceof Principal.PersonPrincipal person ? person.name() : caller.key();
  }
}

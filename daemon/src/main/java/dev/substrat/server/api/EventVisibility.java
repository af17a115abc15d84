package dev.substrat.server.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.space.Space;
import dev.substrat.space.Spaces;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventContent;
import dev.substrat.store.event.EventLog;
import dev.substrat.tool.transcript.RunAccess;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// Decides which events of the log a caller may see.
sealed interface EventVisibility {

  static EventVisibility of(HttpExchange exchange, Spaces spaces) {
    Principal caller = exchange.caller();
    return caller.isOperator()
        ? new OperatorVisibility(exchange.admission(), exchange::isStillAdmitted)
        : new PersonVisibility(
            exchange.admission(), RunAccess.isVisible(caller), spaces, exchange::isStillAdmitted);
  }

  /// The visible events of a page, without content that the caller may not read.
  List<Event> visible(List<Event> page);

  /// Whether the handles of running agents are visible.
  default boolean seesAgents() {
    return false;
  }

  /// Whether the caller still has access.
  boolean lasts();

  /// All events, as far as the token's scopes allow, until the token is revoked.
  record OperatorVisibility(CallerPermissions admission, BooleanSupplier stillAdmitted)
      implements EventVisibility {
    @Override
    public List<Event> visible(List<Event> page) {
      return EventContent.shown(page, admission);
    }

    @Override
    public boolean seesAgents() {
      return admission.may(Scope.AGENTS_READ);
    }

    @Override
    public boolean lasts() {
      return stillAdmitted.getAsBoolean();
    }
  }

  /// Events of spaces that the person can see at that time, until the token is revoked. A viewer
  /// also gets the turns of agents outside spaces. Messages between agents, tokens and people are
  /// visible to operators only.
  record PersonVisibility(
      CallerPermissions admission, boolean seesTurns, Spaces spaces, BooleanSupplier stillAdmitted)
      implements EventVisibility {
    @Override
    public List<Event> visible(List<Event> page) {
      Set<String> seen =
          page.stream().allMatch(event -> event.space() == null)
              ? Set.of()
              : spaces.list(admission.principal()).stream()
                  .map(Space::id)
                  .collect(Collectors.toUnmodifiableSet());
      return page.stream()
          .filter(event -> event.space() == null ? isTurn(event) : seen.contains(event.space()))
          .map(event -> withoutToken(EventContent.shown(event, admission)))
          .toList();
    }

    private boolean isTurn(Event event) {
      return seesTurns && event.run() != null;
    }

    private static Event withoutToken(Event event) {
      if (!event.payload().has(EventLog.BY_TOKEN)) {
        return event;
      }
      ObjectNode payload = event.payload().deepCopy();
      payload.remove(EventLog.BY_TOKEN);
      return event.with(payload);
    }

    @Override
    public boolean lasts() {
      return stillAdmitted.getAsBoolean();
    }
  }
}

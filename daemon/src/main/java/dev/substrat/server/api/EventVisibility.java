package dev.substrat.server.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Role;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.Spaces;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventLog;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// How much of the log somebody sees.
sealed interface EventVisibility {

  static EventVisibility of(HttpExchange exchange, Spaces spaces) {
    Principal caller = exchange.caller();
    return caller.isOperator()
        ? new OfOperator(exchange::isStillAdmitted)
        : new OfPerson(
            SpaceMember.of(caller),
            caller.role() == Role.VIEWER,
            spaces,
            exchange::isStillAdmitted);
  }

  /// What may be shown of these.
  List<Event> over(List<Event> page);

  /// Whether there is still somebody to show it to.
  boolean lasts();

  /// Everything, until the token is worth nothing.
  record OfOperator(BooleanSupplier admission) implements EventVisibility {
    @Override
    public List<Event> over(List<Event> page) {
      return page;
    }

    @Override
    public boolean lasts() {
      return admission.getAsBoolean();
    }
  }

  /// What happens in spaces that they see at that moment, until their token is worth nothing. Of
  /// what happens in no space, a viewer also sees the turns of agents; messages between agents,
  /// tokens and people are for operators.
  record OfPerson(SpaceMember who, boolean seesTurns, Spaces spaces, BooleanSupplier admission)
      implements EventVisibility {
    @Override
    public List<Event> over(List<Event> page) {
      Set<String> seen =
          page.stream().allMatch(event -> event.space() == null)
              ? Set.of()
              : spaces.list(who).stream().map(Space::id).collect(Collectors.toUnmodifiableSet());
      return page.stream()
          .filter(event -> event.space() == null ? isTurn(event) : seen.contains(event.space()))
          .map(OfPerson::withoutToken)
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
      return new Event(
          event.seq(),
          event.at(),
          event.kind(),
          event.agent(),
          event.peer(),
          event.space(),
          event.run(),
          payload);
    }

    @Override
    public boolean lasts() {
      return admission.getAsBoolean();
    }
  }
}

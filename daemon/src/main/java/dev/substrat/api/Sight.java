package dev.substrat.api;

import dev.substrat.event.Event;
import dev.substrat.http.Exchange;
import dev.substrat.id.Principal;
import dev.substrat.space.Member;
import dev.substrat.space.Space;
import dev.substrat.space.Spaces;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// How much of the log somebody sees.
sealed interface Sight {

  static Sight of(Exchange exchange, Spaces spaces) {
    return exchange.caller() instanceof Principal.Operator
        ? new OfOperator(exchange::isStillAdmitted)
        : new OfPerson(Member.of(exchange.caller()), spaces, exchange::isStillAdmitted);
  }

  /// What may be shown of these.
  List<Event> over(List<Event> page);

  /// Whether there is still somebody to show it to.
  boolean lasts();

  /// Everything, until the token is worth nothing.
  record OfOperator(BooleanSupplier admission) implements Sight {
    @Override
    public List<Event> over(List<Event> page) {
      return page;
    }

    @Override
    public boolean lasts() {
      return admission.getAsBoolean();
    }
  }

  /// What happens in spaces that they see at that moment, until their token is worth nothing. What
  /// happens in no space is somebody else's: agents' mail, their turns, tokens.
  record OfPerson(Member who, Spaces spaces, BooleanSupplier admission) implements Sight {
    @Override
    public List<Event> over(List<Event> page) {
      if (page.stream().allMatch(event -> event.space() == null)) {
        return List.of();
      }
      Set<String> seen =
          spaces.list(who).stream().map(Space::id).collect(Collectors.toUnmodifiableSet());
      return page.stream()
          .filter(event -> event.space() != null && seen.contains(event.space()))
          .toList();
    }

    @Override
    public boolean lasts() {
      return admission.getAsBoolean();
    }
  }
}

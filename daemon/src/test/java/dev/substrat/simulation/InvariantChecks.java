package dev.substrat.simulation;

import dev.substrat.store.Database;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Checks the invariants: some after every step, others when the team is idle.
final class InvariantChecks {
  /// A check after every commit would cost more than the history itself.
  private static final int EVERY = 10;

  /// Time of the next event that is due on the clock only.
  private static final String DUE =
      """
      select not_before as due from inbox_event join agent on agent.id = inbox_event.agent_id
      where held = 0 and provider <> 'external' and (gated = 0 or permits > 0)
      union all select soft_until from inbox_event where soft_until is not null and held = 0
      union all select deadline from pending_reply
      union all select due_at from space_round
      union all select due_at from reminder where due_at < 9223372036854775807
      union all select next_at from plan where next_at is not null
      """;

  private final Database database;

  InvariantChecks(Database database) {
    this.database = database;
  }

  void always(int step) {
    if (step % EVERY == 0) {
      check(Invariant.ALWAYS);
      check(SpaceInvariants.ALWAYS);
    }
  }

  void atRest() {
    check(Invariant.ALWAYS);
    check(Invariant.AT_REST);
    check(SpaceInvariants.ALWAYS);
    check(SpaceInvariants.AT_REST);
  }

  private void check(List<Invariant> laws) {
    database.read(tx -> {
      for (Invariant law : laws) {
        List<String> offences = tx.list(law.offences(), row -> row.text("offence"));
        if (!offences.isEmpty()) {
          throw new InvariantViolation(law.name(), offences.getFirst());
        }
      }
      return true;
    });
  }

  /// When others than `busy` may take over from a daemon that is gone.
  private static final String LEASES =
      "select id, lease_until from agent where lease_until is not null";

  /// The first moment after `now` at which something falls due; `others` are further candidates.
  Optional<Long> nextDue(long now, List<Long> others, Set<String> busy) {
    var times = new ArrayList<>(others);
    database
        .read(tx ->
            tx.list(LEASES, row -> busy.contains(row.text("id")) ? 0L : row.number("lease_until")))
        .forEach(times::add);
    times.addAll(database.read(tx -> tx.list(DUE, row -> row.number("due"))));
    Collections.sort(times);
    return times.stream().filter(time -> time > now).findFirst();
  }
}

package dev.substrat.tool.transcript;

import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import java.util.Optional;

/// Access rules of runs, with their texts and events: they are for people whose role includes
/// reading or changing runs, whatever agent made the run.
public final class RunAccess {
  private RunAccess() {}

  public static boolean isVisible(Principal who) {
    return new CallerPermissions(who).may(Scope.RUNS_READ);
  }

  public static void requireReading(Principal who) {
    CallerPermissions.requireRole(who, Scope.RUNS_READ);
  }

  /// To cancel, replay or fork a run.
  public static void requireChanging(Principal who) {
    CallerPermissions.requireRole(who, Scope.RUNS_WRITE);
  }

  /// Why the texts of runs of `agent` are left out of an answer about something else; empty if the
  /// caller may read them.
  public static Optional<String> findHidden(CallerPermissions caller, AgentId agent) {
    return caller.findHidden(Scope.RUNS_READ, AccessTarget.ofAgent(agent.value()));
  }
}

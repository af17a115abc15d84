package dev.substrat.console.health;

import dev.substrat.console.Frame;
import dev.substrat.console.Meter;
import dev.substrat.console.SlotUse;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the daemon is: what needs somebody, and the figures behind it.
public record HealthPage(
    Frame frame,
    Instant now,
    SlotUse slots,
    Pulse pulse,
    Queue queue,
    List<ProviderRow> providers,
    List<ServerRow> servers,
    List<BudgetRow> budgets,
    Machine machine)
    implements View {

  /// The last hour. `failed` is how many turns did, `typical` and `slow` how long a turn took: half
  /// of them were shorter, all but one in twenty were; empty if there was none.
  public record Pulse(List<Chart> charts, long failed, String typical, String slow) {}

  /// What waits for agents. `held` is how much of it waits for a person's word, `oldest` since when
  /// something waits.
  public record Queue(long waiting, long held, @Nullable Instant oldest, List<Deep> deepest) {}

  /// An inbox with much in it; `share` is percent of the fullest one.
  public record Deep(String agent, String path, long waiting, double share) {}

  /// Something that thinks. `version` may be empty, `hint` says what to do if it cannot be had.
  public record ProviderRow(
      String name,
      String state,
      String tone,
      String detail,
      String hint,
      long agents,
      long turns,
      long failed,
      int thinking) {

    boolean isUsed() {
      return agents > 0 || turns > 0;
    }
  }

  /// A budget; `kind` and `agent` name it to the daemon.
  public record BudgetRow(
      String agent, String path, String kind, String unit, String cap, Meter meter) {}

  /// What it runs on.
  public record Machine(
      String database, String memory, String uptime, long events, boolean isTraced, String url) {}

  /// What thinks for somebody here, or did within the hour.
  public List<ProviderRow> providersInUse() {
    return providers.stream().filter(ProviderRow::isUsed).toList();
  }

  /// What could think for somebody.
  public List<ProviderRow> otherProviders() {
    return providers.stream().filter(one -> !one.isUsed()).toList();
  }

  /// How many things need somebody.
  public long troubles() {
    return servers.stream().filter(ServerRow::needsSomebody).count()
        + budgets.stream().filter(budget -> budget.meter().isExhausted()).count()
        + providers.stream().filter(one -> one.tone().equals("bad") && one.agents() > 0).count()
        + (queue.held() > 0 ? 1 : 0);
  }

  public String concerns() {
    return "remote_server_up remote_server_down remote_tool_quarantined remote_tool_approved remote_tool_rejected "
        + "remote_command_approved budget_set budget_low budget_exhausted turn_started turn_ended "
        + "message_released wake_held wakes_released";
  }

  @Override
  public String template() {
    return "health/show";
  }
}

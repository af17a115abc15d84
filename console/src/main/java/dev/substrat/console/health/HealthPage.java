package dev.substrat.console.health;

import dev.substrat.console.NumberFormatter;
import dev.substrat.console.PageFrame;
import dev.substrat.console.SlotUse;
import dev.substrat.console.UsageMeter;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Health page: problems, load, queue, providers, remote servers, budgets.
public record HealthPage(
    PageFrame frame,
    Instant now,
    SlotUse slots,
    HourlyActivity activity,
    QueueSummary queue,
    List<ProviderRow> providers,
    List<ServerRow> servers,
    List<BudgetRow> budgets,
    DaemonFacts machine)
    implements View {

  /// The last hour. `failed` is the number of failed turns; `typical` and `slow` are the median and
  /// the 95th percentile of turn durations, empty without turns.
  public record HourlyActivity(
      List<MinuteChart> charts, long failed, String typical, String slow) {}

  /// Inbox events of all agents. `held` is the number of held messages and wake-ups, `oldest` the
  /// time of the oldest event.
  public record QueueSummary(
      long waiting, long held, @Nullable Instant oldest, List<FullInbox> deepest) {}

  /// An inbox with many events; `share` is the percentage of the fullest one.
  public record FullInbox(String agent, String path, long waiting, double share) {}

  /// A provider. `hint` says what to do if it is not ready.
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

    /// Whether it is known to be missing or to need a login.
    boolean isOut() {
      return tone.equals("bad") || tone.equals("busy");
    }

    boolean isUsed() {
      return agents > 0 || turns > 0;
    }
  }

  /// A budget, identified by `agent` and `kind`.
  public record BudgetRow(
      String agent, String path, String kind, String unit, String cap, UsageMeter meter) {}

  /// A problem and the link to fix it.
  public record HealthProblem(String words, String path) {}

  /// Database, memory and uptime of the daemon.
  public record DaemonFacts(
      String database, String memory, String uptime, long events, boolean isTraced, String url) {}

  /// Providers of agents, or with turns in the last hour.
  public List<ProviderRow> providersInUse() {
    return providers.stream().filter(ProviderRow::isUsed).toList();
  }

  /// Providers that no agent uses.
  public List<ProviderRow> otherProviders() {
    return providers.stream().filter(one -> !one.isUsed()).toList();
  }

  /// All problems.
  public List<HealthProblem> problems() {
    var all = new ArrayList<HealthProblem>();
    servers.stream()
        .filter(ServerRow::needsAttention)
        .forEach(one -> all.add(new HealthProblem(one.problemText(), "#server-" + one.id())));
    if (queue.held() > 0) {
      all.add(
          new HealthProblem(
              NumberFormatter.count(queue.held()) + " held until you release them",
              "/mail?folder=held"));
    }
    budgets.stream().filter(one -> one.meter().isExhausted()).forEach(one -> all.add(trouble(one)));
    providers.stream()
        .filter(one -> one.agents() > 0 && one.isOut())
        .forEach(one -> all.add(trouble(one)));
    return all;
  }

  private static HealthProblem trouble(BudgetRow budget) {
    return new HealthProblem(
        "%s is out of budget (%s)".formatted(budget.agent(), budget.unit()),
        "#budget-%s-%s".formatted(budget.agent(), budget.kind()));
  }

  private static HealthProblem trouble(ProviderRow provider) {
    return new HealthProblem(
        "%s %s".formatted(provider.name(), provider.state()), "#provider-" + provider.name());
  }

  public String eventTypes() {
    return "remote_server_up remote_server_down remote_tool_quarantined remote_tool_approved remote_tool_rejected "
        + "remote_command_approved budget_set budget_low budget_exhausted turn_started turn_ended "
        + "message_released wake_held wakes_released pending_call";
  }

  @Override
  public String template() {
    return "health/show";
  }
}

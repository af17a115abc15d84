package dev.substrat.console.health;

import dev.substrat.console.NumberText;
import dev.substrat.console.PageFrame;
import dev.substrat.console.SlotUse;
import dev.substrat.console.UsageMeter;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the daemon is: what needs somebody, and the figures behind it.
public record HealthPage(
    PageFrame frame,
    Instant now,
    SlotUse slots,
    Activity pulse,
    Queue queue,
    List<ProviderRow> providers,
    List<ServerRow> servers,
    List<BudgetRow> budgets,
    Machine machine)
    implements View {

  /// The last hour. `failed` is how many turns did, `typical` and `slow` how long a turn took: half
  /// of them were shorter, all but one in twenty were; empty if there was none.
  public record Activity(List<MinuteChart> charts, long failed, String typical, String slow) {}

  /// What waits for agents. `held` is how much of it waits for a person's word, `oldest` since when
  /// something waits.
  public record Queue(long waiting, long held, @Nullable Instant oldest, List<Details> deepest) {}

  /// An inbox with much in it; `share` is percent of the fullest one.
  public record Details(String agent, String path, long waiting, double share) {}

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

    /// Whether nobody can think with it, as far as is known: it is missing, or wants a login.
    boolean isOut() {
      return tone.equals("bad") || tone.equals("busy");
    }

    boolean isUsed() {
      return agents > 0 || turns > 0;
    }
  }

  /// A budget; `kind` and `agent` name it to the daemon.
  public record BudgetRow(
      String agent, String path, String kind, String unit, String cap, UsageMeter meter) {}

  /// Something that needs somebody, in a few words, and where it is decided.
  public record Problem(String words, String path) {}

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

  /// Everything that needs somebody, most of it on this page.
  public List<Problem> troubles() {
    var all = new ArrayList<Problem>();
    servers.stream()
        .filter(ServerRow::needsSomebody)
        .forEach(one -> all.add(new Problem(one.trouble(), "#server-" + one.id())));
    if (queue.held() > 0) {
      all.add(
          new Problem(
              NumberText.count(queue.held()) + " held until you release them",
              "/mail?folder=held"));
    }
    budgets.stream().filter(one -> one.meter().isExhausted()).forEach(one -> all.add(trouble(one)));
    providers.stream()
        .filter(one -> one.agents() > 0 && one.isOut())
        .forEach(one -> all.add(trouble(one)));
    return all;
  }

  private static Problem trouble(BudgetRow budget) {
    return new Problem(
        "%s is out of budget (%s)".formatted(budget.agent(), budget.unit()),
        "#budget-%s-%s".formatted(budget.agent(), budget.kind()));
  }

  private static Problem trouble(ProviderRow provider) {
    return new Problem(
        "%s %s".formatted(provider.name(), provider.state()), "#provider-" + provider.name());
  }

  public String concerns() {
    return "remote_server_up remote_server_down remote_tool_quarantined remote_tool_approved remote_tool_rejected "
        + "remote_command_approved budget_set budget_low budget_exhausted turn_started turn_ended "
        + "message_released wake_held wakes_released pending_call";
  }

  @Override
  public String template() {
    return "health/show";
  }
}

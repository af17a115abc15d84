package dev.substrat.console.runs;

import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Page of one run: input, prompt, timeline, output, actions.
public record RunPage(
    PageFrame frame,
    Instant now,
    RunRow run,
    RunContext context,
    List<RunInputEvent> inputs,
    List<TitledText> prompts,
    RunWaterfall waterfall,
    TitledText response,
    @Nullable ReplayResult replay)
    implements View {

  /// Links and facts. Paths are null if there is no target; `trace` is an external link, `subject`
  /// links to the question or direct messages that the run answers. `space` is the id of the space
  /// of the turn, `isUnposted` if it finished without posting there.
  public record RunContext(
      String provider,
      int depth,
      @Nullable String earlier,
      @Nullable String later,
      @Nullable String retryOf,
      @Nullable String trace,
      @Nullable String subject,
      @Nullable String space,
      boolean isUnposted,
      List<ForkChoice> choices) {

    /// Whether the provider supports replay and fork.
    public boolean mayRepeat() {
      return !choices.isEmpty();
    }
  }

  /// A step to fork from, and its calls.
  public record ForkChoice(int step, String label) {}

  /// An inbox event of the run; `step` is the step that fetched it, 0 for initial input.
  public record RunInputEvent(
      int position,
      String kind,
      String from,
      TitledText text,
      int step,
      @Nullable Instant shownAt) {}

  public String path() {
    return run.path();
  }

  /// Event types that refresh the page.
  public String eventTypes() {
    return run.status().isUnderWay() ? "turn_ended tool_called pending_call" : "turn_ended";
  }

  @Override
  public String template() {
    return "runs/show";
  }
}

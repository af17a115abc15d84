package dev.substrat.console.runs;

import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One run: what it was given, what its mind was told, did and said, and what may be done with it.
public record RunPage(
    PageFrame frame,
    Instant now,
    RunRow run,
    Context around,
    List<Input> given,
    List<TitledText> told,
    RunWaterfall waterfall,
    TitledText response,
    @Nullable ReplayResult replay)
    implements View {

  /// What stands around it. Paths are null where there is nothing; `trace` leads out of here,
  /// `subject` to the question or the direct messages it answers. `space` is the id of the space
  /// the turn was about, `isUnposted` if it finished without posting there.
  public record Context(
      String mind,
      int depth,
      @Nullable String earlier,
      @Nullable String later,
      @Nullable String retryOf,
      @Nullable String trace,
      @Nullable String subject,
      @Nullable String space,
      boolean isUnposted,
      List<Choice> choices) {

    /// Whether its mind is one that can think the turn once more.
    public boolean mayRepeat() {
      return !choices.isEmpty();
    }
  }

  /// A step from which on a fork may go its own way, and what happened in it.
  public record Choice(int step, String label) {}

  /// An event it was given; `step` is the step that fetched it, 0 if it began with it.
  public record Input(
      int position,
      String kind,
      String from,
      TitledText text,
      int step,
      @Nullable Instant shownAt) {}

  public String path() {
    return run.path();
  }

  /// Its events, while there may be more.
  public String concerns() {
    return run.status().isUnderWay() ? "turn_ended tool_called pending_call" : "turn_ended";
  }

  @Override
  public String template() {
    return "runs/show";
  }
}

package dev.substrat.console.spaces;

import dev.substrat.console.NamedValue;
import dev.substrat.console.approvals.PendingQuestion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A call of a tool that a space shows. `question` is there while it waits for somebody and whoever
/// looks may answer, `decided` once somebody has, `picture` if it made one.
public record ToolCard(
    String name,
    String state,
    String tone,
    List<NamedValue> input,
    List<NamedValue> output,
    @Nullable PendingQuestion question,
    @Nullable Decided decided,
    @Nullable Picture picture) {

  /// What people were asked, who answered, and in which words.
  public record Decided(String asked, String by, String answer) {}

  /// An image of ours, and what it shows in words.
  public record Picture(String url, String words) {}

  public boolean isWaiting() {
    return tone.equals("wait");
  }
}

package dev.substrat.console.spaces;

import dev.substrat.console.NamedValue;
import dev.substrat.console.approvals.PendingQuestion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A tool call shown in a space. `question` is set while the viewer may answer it, `decided` after
/// an answer, `picture` if the call created an image.
public record ToolCallCard(
    String name,
    String state,
    String tone,
    List<NamedValue> input,
    List<NamedValue> output,
    @Nullable PendingQuestion question,
    @Nullable ToolCallDecision decided,
    @Nullable ToolImage picture) {

  /// Question, person and answer.
  public record ToolCallDecision(String asked, String by, String answer) {}

  /// A stored image and its alternative text.
  public record ToolImage(String url, String words) {}
}

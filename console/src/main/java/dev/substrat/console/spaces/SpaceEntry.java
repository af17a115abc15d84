package dev.substrat.console.spaces;

import dev.substrat.console.DisplayedPrincipal;
import dev.substrat.console.RichText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message in a space. `isCut` if its text is cut, `isFollowUp` if the previous message has the
/// same author, `day` is the date if it is the first message of a day, `held` why it woke no agent.
/// `unposted` are the turns after it that finished without posting.
public record SpaceEntry(
    String id,
    long seq,
    DisplayedPrincipal author,
    SpaceEntryKind form,
    List<RichText> text,
    boolean isCut,
    Instant at,
    boolean isFollowUp,
    String day,
    boolean isFirstNew,
    List<ReactionMark> reactions,
    long replies,
    @Nullable QuotedMessage quote,
    @Nullable ToolCallCard tool,
    String held,
    List<UnpostedTurn> unposted) {

  /// Kind of a message.
  public enum SpaceEntryKind {
    WORDS,
    TOOL,
    NOTE
  }

  /// An emoji reaction: count, names, and whether the viewer is among them.
  public record ReactionMark(String emoji, int count, String names, boolean isMine) {}

  /// A turn that finished without posting, and its final text. `path` links to the run, or is empty
  /// if the viewer may not see runs.
  public record UnpostedTurn(
      String run,
      DisplayedPrincipal author,
      List<RichText> text,
      boolean isCut,
      Instant at,
      String path) {}

  /// The message that it replies to.
  public record QuotedMessage(String id, String author, String excerpt) {}

  public boolean canBeAnswered() {
    return form == SpaceEntryKind.WORDS;
  }

  /// Whether it mentions this handle.
  public boolean mentions(String handle) {
    return text.stream().anyMatch(piece -> piece.mentions(handle));
  }
}

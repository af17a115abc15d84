package dev.substrat.console.spaces;

import dev.substrat.console.NamedPrincipal;
import dev.substrat.console.RichText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something said in a space. `isCut` if its text goes on, `isFollowUp` if the same author has just
/// spoken, `day` is the day that begins with it, `held` why it woke nobody. `unposted` are the
/// turns that finished without posting after it.
public record SpaceEntry(
    String id,
    long seq,
    NamedPrincipal author,
    Form form,
    List<RichText> text,
    boolean isCut,
    Instant at,
    boolean isFollowUp,
    String day,
    boolean isFirstNew,
    List<ReactionMark> signs,
    long replies,
    @Nullable Quote quote,
    @Nullable ToolCard tool,
    String held,
    List<Unposted> unposted) {

  /// What it is.
  public enum Form {
    WORDS,
    TOOL,
    NOTE
  }

  /// A sign under it: how many gave it, who they are, and whether whoever looks is one of them.
  public record ReactionMark(String emoji, int count, String names, boolean isMine) {}

  /// A turn that finished without posting, and its final text. `path` leads to the run, or is empty
  /// for those who may not see runs.
  public record Unposted(
      String run,
      NamedPrincipal author,
      List<RichText> text,
      boolean isCut,
      Instant at,
      String path) {}

  /// What it answers.
  public record Quote(String id, String author, String excerpt) {}

  public boolean canBeAnswered() {
    return form == Form.WORDS;
  }

  /// Whether somebody is named in it.
  public boolean mentions(String handle) {
    return text.stream().anyMatch(piece -> piece.names(handle));
  }
}

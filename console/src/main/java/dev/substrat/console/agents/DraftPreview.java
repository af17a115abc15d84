package dev.substrat.console.agents;

import dev.substrat.console.NumberText;
import dev.substrat.console.View;

/// What a draft would become if it were saved now: `compiled` for chats elsewhere, `standing` for
/// its own turns. `problem` says what had to be left out because it is not right yet, or is empty.
public record DraftPreview(String compiled, String standing, String problem) implements View {
  /// Of an agent that has no name yet.
  public static final DraftPreview NOTHING = new DraftPreview("", "", "");

  public boolean isNothing() {
    return compiled.isEmpty();
  }

  public long compiledTokens() {
    return NumberText.tokens(compiled);
  }

  public long standingTokens() {
    return NumberText.tokens(standing);
  }

  @Override
  public String template() {
    return "agents/preview";
  }
}

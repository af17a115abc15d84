package dev.substrat.console.agents;

import dev.substrat.console.NumberFormatter;
import dev.substrat.console.View;

/// Preview of a draft: `compiled` is the prompt for chats in other programs, `standing` the system
/// prompt of its turns. `problem` lists invalid fields that are left out, or is empty.
public record DraftPreview(String compiled, String standing, String problem) implements View {
  /// Preview without a name.
  public static final DraftPreview NOTHING = new DraftPreview("", "", "");

  public boolean isNothing() {
    return compiled.isEmpty();
  }

  public long compiledTokens() {
    return NumberFormatter.tokens(compiled);
  }

  public long standingTokens() {
    return NumberFormatter.tokens(standing);
  }

  @Override
  public String template() {
    return "agents/preview";
  }
}

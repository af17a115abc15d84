package dev.substrat.server.console;

import java.util.Locale;
import java.util.Optional;

/// What was just done, told on the page that follows. Its name travels in the address; the words do
/// not, so nobody else can put words there.
public enum FlashMessage {
  SAVED("Saved."),
  CREATED("Created."),
  CREATED_BESIDE("Created. Its handle ends in a number, because another has its name."),
  SENT("Sent. The answer comes to this page."),
  POKED("Poked."),
  POKED_LATER("It is paused, so it looks when it may go on."),
  GATED("Paused. Mail waits until it may go on."),
  UNGATED("It goes on."),
  TERMINATED("Terminated."),
  RESTORED("Restored."),
  KEPT("Kept as a template. New agents can begin with it."),
  ANSWERED("Answered. The agent goes on with it."),
  DECLINED("Declined. The agent is told so."),
  WRITTEN("Sent."),
  RELEASED("It goes on."),
  RETRIED("On its way again."),
  READ("All read."),
  CANCELLED("The turn is ended."),
  FORKED("The fork is here, and begins with that turn."),
  APPROVED("Approved."),
  REJECTED("Rejected. The agent does not have it."),
  LOOKED("Looked. This is what it offers now."),
  STARTED("Your first team is here. Ask mira something.");

  private final String words;

  FlashMessage(String words) {
    this.words = words;
  }

  /// The sentence for what an address says; empty for anything else.
  static String words(Optional<String> name) {
    for (FlashMessage said : values()) {
      if (name.isPresent() && said.key().equals(name.get())) {
        return said.words;
      }
    }
    return "";
  }

  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}

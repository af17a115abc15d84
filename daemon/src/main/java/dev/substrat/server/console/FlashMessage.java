package dev.substrat.server.console;

import java.util.Locale;
import java.util.Optional;

/// Confirmation shown on the page after a redirect. The URL carries only the name of the constant,
/// so a link from another site cannot inject text.
public enum FlashMessage {
  SAVED("Saved."),
  CREATED("Created."),
  CREATED_BESIDE("Created. The handle was taken, so a number was added to it."),
  SENT("Sent. The reply appears on this page."),
  POKED("Poked."),
  POKED_LATER("Poked. The agent is paused and wakes when you resume it."),
  GATED("Paused. Messages are queued until you resume the agent."),
  UNGATED("Resumed."),
  TERMINATED("Terminated."),
  RESTORED("Restored."),
  SAVED_AS_TEMPLATE("Saved as a template for new agents."),
  ANSWERED("Answered. The agent gets the result."),
  DECLINED("Declined. The agent is notified."),
  MESSAGE_SENT("Sent."),
  RELEASED("Released."),
  RETRIED("Queued for delivery again."),
  READ("All messages marked as read."),
  CANCELLED("Turn cancelled."),
  FORKED("Fork created. It starts with the recorded turn."),
  APPROVED("Approved."),
  REJECTED("Rejected. The agent cannot use the tool."),
  REFRESHED("Refreshed."),
  STARTED("Team created. Ask mira something.");

  private final String words;

  FlashMessage(String words) {
    this.words = words;
  }

  /// Text for the name in a URL; empty if unknown.
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

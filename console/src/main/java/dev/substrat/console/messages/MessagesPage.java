package dev.substrat.console.messages;

import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// List of messages, newest first. `stopped` are the spaces with held wake-ups, `next` is the
/// cursor of older messages, or empty.
public record MessagesPage(
    PageFrame frame,
    Instant now,
    MessageFolder folder,
    FolderCounts counts,
    List<BlockedSpace> heldSpaces,
    List<MessageRow> messages,
    String next)
    implements View {

  /// A space with held wake-ups, and the reason.
  public record BlockedSpace(String id, String name, long held, String reason) {
    public String path() {
      return "/spaces/" + id;
    }
  }

  /// Folder of messages.
  public enum MessageFolder {
    INBOX("Inbox", "Messages from agents to you"),
    ALL("All messages", "Every message and its delivery state"),
    DEAD("Dead letters", "Messages that could not be delivered, and why"),
    HELD("Held messages", "Messages stopped by a guard until you release them");

    private final String title;
    private final String about;

    MessageFolder(String title, String about) {
      this.title = title;
      this.about = about;
    }

    public String title() {
      return title;
    }

    public String about() {
      return about;
    }

    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    public String path() {
      return this == INBOX ? "/mail" : "/mail?folder=" + key();
    }
  }

  /// Numbers shown at the folders.
  public record FolderCounts(long unread, long dead, long held) {
    public long in(MessageFolder folder) {
      return switch (folder) {
        case INBOX -> unread;
        case DEAD -> dead;
        case HELD -> held;
        case ALL -> 0;
      };
    }
  }

  /// Event types that refresh the page.
  public String eventTypes() {
    return "message_sent message_replied message_dead message_released message_retried inbox_read turn_started turn_ended "
        + "wake_held wakes_released";
  }

  @Override
  public String template() {
    return "messages/list";
  }
}

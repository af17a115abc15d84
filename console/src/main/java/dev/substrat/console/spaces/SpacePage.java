package dev.substrat.console.spaces;

import dev.substrat.console.DisplayedPrincipal;
import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Page of one space: messages, members, held wake-ups.
public record SpacePage(
    PageFrame frame,
    Instant now,
    SpaceHeader space,
    List<SpaceRow> others,
    Conversation conversation,
    @Nullable ReplyThread thread,
    List<SpaceParticipant> members,
    List<String> typing,
    HeldWakeups held,
    List<String> candidates)
    implements View {

  /// Emoji of the picker; the API accepts others.
  public static final List<String> SIGNS = List.of("👍", "❤️", "🎉", "👀", "✅", "😄", "🙏", "❓");

  /// Descriptions of the wake policies.
  public static final Map<String, String> WAKES =
      new TreeMap<>(
          Map.of(
              "all", "all agents",
              "mention", "mentioned agents",
              "sequential", "agents one after another",
              "dm-chain", "the other participant",
              "none", "no agents"));

  /// The space. `viewer` is the handle of the person who views the page.
  public record SpaceHeader(
      String id,
      String name,
      String kind,
      String topic,
      String wakePolicy,
      String depth,
      String viewer,
      boolean isMember,
      boolean mayWrite) {

    public String path() {
      return "/spaces/" + id;
    }

    public boolean isDm() {
      return kind.equals("dm");
    }
  }

  /// A page of messages: the newest, or those before number `before`. `earlier` is the cursor of
  /// earlier messages, 0 if there are none.
  public record Conversation(List<SpaceEntry> entries, long before, long earlier, long readSeq) {
    public boolean isNewest() {
      return before == 0;
    }

    public long lastSeq() {
      return entries.isEmpty() ? 0 : entries.getLast().seq();
    }
  }

  /// A message and its replies: the newest, or those before number `before`. `earlier` is the
  /// cursor of earlier replies, 0 if there are none.
  public record ReplyThread(
      SpaceEntry parent, List<SpaceEntry> replies, long before, long earlier) {
    public boolean isNewest() {
      return before == 0;
    }
  }

  /// A member.
  public record SpaceParticipant(
      String id, DisplayedPrincipal who, String name, String kind, boolean isAtWork) {}

  /// Number of held wake-ups, and the reason.
  public record HeldWakeups(long count, String reason) {}

  /// Path of the page, with the open thread.
  public String here() {
    return thread == null ? space.path() : space.path() + "?thread=" + thread.parent().id();
  }

  /// Event types that refresh the messages.
  public String eventTypes() {
    return "message_created message_updated reaction_added reaction_removed wake_held pending_call"
        + " finished_without_posting";
  }

  public boolean canManage() {
    return frame.viewer().isOperator() || space.isMember();
  }

  /// Whether the banner about held wake-ups is shown; single messages then omit the reason.
  public boolean showsHeldBanner() {
    return held.count() > 0 && canManage();
  }

  /// Text of the empty state.
  public String emptyText() {
    if (!space.mayWrite()) {
      return "Only its two participants can write here.";
    }
    return agents().isEmpty()
        ? "This space has no agents yet. Add agents before you write."
        : "Write the first message. A message wakes %s."
            .formatted(WAKES.getOrDefault(space.wakePolicy(), "the agents in the space"));
  }

  /// Ids of the member agents, separated by spaces.
  public String agents() {
    return String.join(
        " ",
        members.stream()
            .filter(one -> one.kind().equals("agent"))
            .map(SpaceParticipant::id)
            .toList());
  }

  /// Status line about working agents; empty if there are none.
  public String typingWords() {
    return switch (typing.size()) {
      case 0 -> "";
      case 1 -> typing.getFirst() + " is working …";
      case 2 -> typing.getFirst() + " and " + typing.getLast() + " are working …";
      default -> typing.getFirst() + " and " + (typing.size() - 1) + " others are working …";
    };
  }

  @Override
  public String template() {
    return "spaces/space";
  }
}

package dev.substrat.console.spaces;

import dev.substrat.console.NamedPrincipal;
import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One space: what is said there, who is in it, what is held.
public record SpacePage(
    PageFrame frame,
    Instant now,
    SpaceHeader room,
    List<SpaceRow> others,
    Conversation talk,
    @Nullable Discussion thread,
    List<Participant> members,
    List<String> typing,
    Held held,
    List<String> everybody)
    implements View {

  /// Signs that are at hand; others can be given over the API.
  public static final List<String> SIGNS = List.of("👍", "❤️", "🎉", "👀", "✅", "😄", "🙏", "❓");

  /// Whom a message wakes, in words.
  public static final Map<String, String> WAKES =
      new TreeMap<>(
          Map.of(
              "all", "all agents",
              "mention", "mentioned agents",
              "sequential", "agents one after another",
              "dm-chain", "the other participant",
              "none", "no agents"));

  /// The space itself. `viewer` is the handle of whoever looks.
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

  /// A part of what was said: the newest, or what was said before number `before`. `earlier` is
  /// where what came before it begins, 0 if nothing did.
  public record Conversation(List<SpaceEntry> said, long before, long earlier, long readSeq) {
    public boolean isNewest() {
      return before == 0;
    }

    public long lastSeq() {
      return said.isEmpty() ? 0 : said.getLast().seq();
    }
  }

  /// A message and what was said in reply to it: the newest of it, or what was said before number
  /// `before`. `earlier` is where what came before it begins, 0 if nothing did.
  public record Discussion(SpaceEntry parent, List<SpaceEntry> replies, long before, long earlier) {
    public boolean isNewest() {
      return before == 0;
    }
  }

  /// Somebody in it.
  public record Participant(
      String id, NamedPrincipal who, String name, String kind, boolean isAtWork) {}

  /// What waits for a person's word, and why.
  public record Held(long count, String reason) {}

  /// The page's address, with the thread that is open.
  public String here() {
    return thread == null ? room.path() : room.path() + "?thread=" + thread.parent().id();
  }

  /// What may change what is said.
  public String concerns() {
    return "message_created message_updated reaction_added reaction_removed wake_held pending_call"
        + " finished_without_posting";
  }

  public boolean mayLead() {
    return frame.viewer().isOperator() || room.isMember();
  }

  /// Whether it says on top what is held and why, so that no message need say it again.
  public boolean tellsHeld() {
    return held.count() > 0 && mayLead();
  }

  /// What to do where nothing was said yet, and what comes of it.
  public String invitation() {
    if (!room.mayWrite()) {
      return "Only its two participants can write here.";
    }
    return agents().isEmpty()
        ? "This space has no agents yet. Add agents before you write."
        : "Write the first message. A message wakes %s."
            .formatted(WAKES.getOrDefault(room.wakePolicy(), "the agents in the space"));
  }

  /// Whose turns may change who is at work here: ids.
  public String agents() {
    return String.join(
        " ",
        members.stream().filter(one -> one.kind().equals("agent")).map(Participant::id).toList());
  }

  /// Who is at work here, in a few words; empty if nobody is.
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

package dev.substrat.space;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A message in a space; `seq` counts from 1 in each space, without gaps. `authorHandle` is the
/// author's handle, `heldReason` the reason why the message wakes no agents.
public record SpaceMessage(
    MessageId id,
    String space,
    long seq,
    SpaceMember author,
    String authorHandle,
    String text,
    @Nullable MessageId parent,
    SpaceMessageKind kind,
    ToolCallStatus status,
    @Nullable ObjectNode metadata,
    @Nullable RunId run,
    int depth,
    @Nullable MessageId cause,
    @Nullable MessageId round,
    @Nullable String heldReason,
    Instant at,
    List<Reaction> reactions) {

  public SpaceMessage {
    reactions = List.copyOf(reactions);
  }

  /// Author kind: a member, a visible tool call, or the daemon.
  public enum SpaceMessageKind {
    MESSAGE,
    TOOL,
    SYSTEM;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    static SpaceMessageKind parse(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }
  }

  /// Progress of a tool's call; all other messages are complete.
  public enum ToolCallStatus {
    REQUIRES_ACTION,
    COMPLETE,
    ERROR,
    EXPIRED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    static ToolCallStatus parse(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }
  }

  /// One emoji of a member for a message.
  public record Reaction(String emoji, SpaceMember author, String authorHandle) {}

  SpaceMessage with(List<Reaction> all) {
    return new SpaceMessage(
        id,
        space,
        seq,
        author,
        authorHandle,
        text,
        parent,
        kind,
        status,
        metadata,
        run,
        depth,
        cause,
        round,
        heldReason,
        at,
        all);
  }
}

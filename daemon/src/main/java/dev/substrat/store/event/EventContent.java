package dev.substrat.store.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Scope;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/// Decides how much of an event a caller reads.
///
/// Redacts events for callers with limited scopes. An event repeats content of messages and calls,
/// so reading it needs the scope for that content. Without the scope a caller sees that something
/// happened: the agent, the time, and the names, ids and states in [#ALWAYS]. Keys that are not in
/// the list are omitted, so that a new key is not readable by accident.
public final class EventContent {
  /// Key that explains why content is omitted, in events and other responses.
  public static final String HIDDEN = "hidden";

  private static final Set<String> ALWAYS =
      Set.of(
          "agent",
          "handle",
          "name",
          "parent",
          "original",
          "template",
          "changed",
          "subject",
          "message_id",
          "messageKind",
          "messageSeq",
          "parentId",
          "in_reply_to",
          "reply_id",
          "from",
          "to",
          "author",
          "sync",
          "space",
          "turn",
          "events",
          "step",
          "status",
          "stopReason",
          "tool",
          "toolName",
          "ok",
          "code",
          "callId",
          "pendingToolCallId",
          "executing",
          "plan",
          "next",
          "due",
          "missed",
          "reminder",
          "budget",
          "spent",
          "cap",
          "server",
          "label",
          "version",
          "size",
          "by");

  private EventContent() {}

  /// The event as `caller` may read it.
  public static Event shown(Event event, CallerPermissions caller) {
    Scope needed = needed(event);
    if (targets(event).anyMatch(about -> caller.may(needed, about))) {
      return event;
    }
    ObjectNode payload = event.payload().deepCopy();
    payload.retain(ALWAYS);
    caller.findHidden(needed, AccessTarget.NONE).ifPresent(why -> payload.put(HIDDEN, why));
    return event.with(payload);
  }

  public static List<Event> shown(List<Event> events, CallerPermissions caller) {
    return events.stream().map(event -> shown(event, caller)).toList();
  }

  private static Scope needed(Event event) {
    String kind = event.kind();
    if (kind.startsWith("token_")) {
      return Scope.TOKENS_READ;
    }
    if (kind.startsWith("person_")) {
      return Scope.PEOPLE_READ;
    }
    if (event.space() != null) {
      return Scope.SPACES_READ;
    }
    if (kind.startsWith("message_") || kind.startsWith("inbox_")) {
      return Scope.MESSAGES_READ;
    }
    if (kind.startsWith("remote_")) {
      return Scope.SERVERS_READ;
    }
    // A notice repeats the final text of the agent that it is about.
    return event.run() != null || kind.startsWith("notice_") ? Scope.RUNS_READ : Scope.AGENTS_READ;
  }

  /// A scope for one of two agents reads what happened between them.
  private static Stream<AccessTarget> targets(Event event) {
    return event.agent() == null && event.peer() == null
        ? Stream.of(new AccessTarget(null, event.space()))
        : Stream.of(event.agent(), event.peer())
            .filter(Objects::nonNull)
            .map(agent -> new AccessTarget(agent, event.space()));
  }
}

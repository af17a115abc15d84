package dev.substrat.server.console;

import dev.substrat.console.Avatar;
import dev.substrat.console.agents.ActivityEntry;
import dev.substrat.console.agents.ActivityEntry.SentencePart;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.ErrorCode.ErrorKind;
import dev.substrat.protocol.Handle;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventContent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Converts events to sentences of the activity list; technical events are left out. The events are
/// those that [EventContent] shows the viewer.
public final class EventSentenceWriter {
  private EventSentenceWriter() {}

  /// Notable events, newest first, at most `limit`.
  public static List<ActivityEntry> notable(List<Event> events, int limit) {
    return events.reversed().stream()
        .flatMap(one -> sentence(one).stream())
        .filter(one -> !one.isQuiet())
        .limit(limit)
        .toList();
  }

  /// All events including turns and calls, newest first.
  public static List<ActivityEntry> all(List<Event> events) {
    return events.reversed().stream().flatMap(one -> sentence(one).stream()).toList();
  }

  private static Optional<ActivityEntry> sentence(Event event) {
    return switch (event.kind()) {
      case "agent_created" -> loud(event, " was created", "");
      case "agent_terminated" -> loud(event, " was terminated", "");
      case "agent_gated" -> loud(event, " was paused", "");
      case "agent_ungated" -> loud(event, " was resumed", "");
      case "agent_updated" -> loud(event, " was changed: " + listed(event), "");
      case "message_sent" -> Optional.of(message(event));
      case "message_dead" ->
          Optional.of(
              happening(
                  event,
                  "substrat",
                  List.of(
                      SentencePart.plain("A message was not delivered: " + text(event, "reason"))),
                  "",
                  true));
      case "turn_started" -> quiet(event, " started turn " + text(event, "turn"));
      case "turn_ended" -> ended(event);
      case "finished_without_posting" ->
          loud(event, " finished without posting in " + text(event, "space"), "");
      case "tool_called" -> quiet(event, " called " + text(event, "tool") + trouble(event));
      case "budget_exhausted" -> loud(event, " is out of budget: " + text(event, "reason"), "");
      case "budget_low" ->
          loud(
              event,
              " has used %s of %s %s"
                  .formatted(text(event, "spent"), text(event, "cap"), text(event, "budget")),
              "");
      case "run_forked" -> loud(event, " is a fork of " + text(event, "original"), "");
      default -> Optional.empty();
    };
  }

  /// A call that was executed and went wrong has failed; a call rejected before execution is
  /// refused.
  private static String trouble(Event event) {
    if (event.payload().path("ok").asBoolean(true)) {
      return "";
    }
    String name = text(event, "code");
    boolean isFailed =
        Stream.of(ErrorCode.values())
            .filter(code -> code.kind() == ErrorKind.OUTSIDE || code.kind() == ErrorKind.BUG)
            .anyMatch(code -> code.name().equals(name));
    return (isFailed ? ", failed: " : ", rejected: ") + name;
  }

  private static ActivityEntry message(Event event) {
    String verb =
        event.payload().has("in_reply_to")
            ? " replied to "
            : event.payload().path("sync").asBoolean() ? " asked " : " messaged ";
    var sentence =
        List.of(who(text(event, "from")), SentencePart.plain(verb), who(text(event, "to")));
    return happening(event, text(event, "from"), sentence, said(event, "text"), false);
  }

  private static Optional<ActivityEntry> ended(Event event) {
    boolean isFailed = text(event, "status").equals("failed");
    return isFailed
        ? loud(
            event, " failed in turn " + text(event, "turn") + ": " + text(event, "stopReason"), "")
        : quiet(event, " finished turn " + text(event, "turn"), said(event, "response"));
  }

  private static Optional<ActivityEntry> loud(Event event, String words, String said) {
    String agent = text(event, "agent");
    return Optional.of(
        happening(event, agent, List.of(who(agent), SentencePart.plain(words)), said, false));
  }

  private static Optional<ActivityEntry> quiet(Event event, String words) {
    return quiet(event, words, "");
  }

  private static Optional<ActivityEntry> quiet(Event event, String words, String said) {
    String agent = text(event, "agent");
    return Optional.of(
        happening(event, agent, List.of(who(agent), SentencePart.plain(words)), said, true));
  }

  private static ActivityEntry happening(
      Event event, String whose, List<SentencePart> sentence, String said, boolean isQuiet) {
    // A message event belongs to the recipient but shows the avatar of the sender.
    @Nullable String of = event.kind().equals("message_sent") ? event.peer() : event.agent();
    // Avatars are derived from an id; without an id, from the name.
    String id = of == null ? whose : of;
    return new ActivityEntry(
        event.seq(), event.at(), Avatar.of(id, whose), sentence, said, isQuiet);
  }

  private static SentencePart who(String handle) {
    return handle.isEmpty() || handle.equals(Handle.OPERATOR)
        ? SentencePart.plain(handle)
        : new SentencePart(handle, "/agents/" + handle);
  }

  private static String listed(Event event) {
    var keys = event.payload().path("changed");
    return String.join(", ", keys.valueStream().map(one -> one.asText()).toList());
  }

  /// The message text, or the reason why the viewer may not read it.
  private static String said(Event event, String key) {
    String why = text(event, EventContent.HIDDEN);
    return why.isEmpty() ? text(event, key) : hidden(why);
  }

  /// Placeholder for a text that the viewer may not read.
  public static String hidden(String why) {
    return "Text hidden: " + why;
  }

  private static String text(Event event, String key) {
    return event.payload().path(key).asText("");
  }
}

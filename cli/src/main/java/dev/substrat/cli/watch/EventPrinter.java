package dev.substrat.cli.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextStyle;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.ErrorCode.ErrorKind;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Formats events of the daemon as readable lines.
///
/// Text of agents is cut to a line and cleaned of control characters, so the result is safe for a
/// terminal. Unknown kinds of a newer daemon are printed as JSON.
public final class EventPrinter {
  static final int WIDTH = 100;

  /// Maximum number of agents named in an event about suppressed wake-ups.
  private static final int UNWOKEN = 3;

  /// Keys that are omitted from the JSON of unknown events.
  private static final List<String> KNOWN =
      List.of("seq", "at", "kind", "agentId", "agent", "runId");

  private final ZoneId zone;
  private final InstantSource now;
  private final boolean colours;
  private final ToolEventPrinter tools;

  public EventPrinter(ZoneId zone) {
    this(zone, InstantSource.system(), false);
  }

  public EventPrinter(ZoneId zone, InstantSource now) {
    this(zone, now, false);
  }

  private EventPrinter(ZoneId zone, InstantSource now, boolean colours) {
    this.zone = zone;
    this.now = now;
    this.colours = colours;
    this.tools = new ToolEventPrinter(colours);
  }

  /// A printer with colours.
  public EventPrinter inColour() {
    return new EventPrinter(zone, now, true);
  }

  /// Local time, with the date if it is not today, and the text of the event.
  public String line(JsonNode event) {
    return TextStyle.FAINT.paint(time(event), colours) + "  " + sentence(event);
  }

  private String time(JsonNode event) {
    JsonNode at = event.path("at");
    return at.isTextual()
        ? TerminalText.line(RelativeTime.time(at, zone, now.instant()))
        : " ".repeat(8);
  }

  /// The text without the time.
  public String sentence(JsonNode event) {
    return switch (event.path("kind").asText()) {
      case "connected" -> connected(event);
      case "agent_created" -> created(event);
      case "agent_updated" -> updated(event);
      case "agent_terminated" -> who(event) + "  terminated";
      case "message_sent" -> sent(event);
      case "message_replied" -> faint("message " + word(event, "message_id") + " answered");
      case "message_dead" ->
          bad(
              "message "
                  + word(event, "message_id")
                  + " became a dead letter: "
                  + word(event, "reason"));
      case "turn_started" -> started(event);
      case "turn_ended" -> ended(event);
      case "run.text" -> faint(word(event, "agent") + "  writes: " + word(event, "text"));
      case "reminder_due" -> who(event) + "  reminder: " + word(event, "text");
      case "plan_due" -> who(event) + "  plan " + word(event, "name") + ": " + word(event, "text");
      case "plan_missed" ->
          faint(
              who(event)
                  + "  plan "
                  + word(event, "name")
                  + " skipped: the previous one is still queued");
      case "notice_given" -> who(event) + "  notice: " + word(event, "text");
      case "budget_exhausted" ->
          bad(
              who(event)
                  + "  stopped: "
                  + word(event, "reason")
                  + ". Raise the budget: ./substrat agent budget "
                  + word(event, "agent"));
      case "budget_low" -> who(event) + "  " + budget(event);
      case "run_forked" -> forked(event);
      case "agent_cloned" -> who(event) + "  cloned from " + name(word(event, "original"));
      case "template_saved" -> who(event) + "  saved as template " + word(event, "template");
      case "template_deleted" -> faint("template " + word(event, "template") + " deleted");
      case "message_created" -> said(event);
      case "reaction_added" ->
          name(word(event, "author")) + "  reacted with " + word(event, "emoji");
      case "memory_updated" -> who(event) + "  updated memory: " + word(event, "label");
      case "passage_stored" -> who(event) + "  stored a passage";
      case "goodbye" -> faint("the daemon is stopping");
      default -> tools.find(event).orElseGet(() -> spaceEvent(event));
    };
  }

  private String spaceEvent(JsonNode event) {
    String space = TextStyle.STRONG.paint(word(event, "space"), colours);
    return switch (event.path("kind").asText()) {
      case "space_created" -> "space " + space + " created";
      case "member_joined" -> name(word(event, "member")) + "  joined " + space;
      case "space_entered" -> who(event) + "  entered " + space;
      case "space_left" -> who(event) + "  left " + space;
      case "member_left" -> name(word(event, "member")) + "  left " + space;
      case "space_changed" -> space + "  updated: " + keys(event);
      // Only in logs of older daemons.
      case "topic_changed" -> space + "  topic: " + word(event, "topic");
      case "space_read" -> faint(word(event, "member") + "  has read " + word(event, "space"));
      case "wake_held" ->
          faint(unwoken(event) + " in " + word(event, "space") + ": " + word(event, "reason"));
      case "breaker_opened" -> bad(word(event, "space") + "  stopped: " + word(event, "reason"));
      case "wakes_released" -> space + "  released held messages";
      case "finished_without_posting" -> who(event) + "  finished without posting in " + space;
      case "message_updated" -> changed(event);
      default -> personEvent(event);
    };
  }

  private String personEvent(JsonNode event) {
    return switch (event.path("kind").asText()) {
      case "inbox_read" -> read(event);
      case "token_minted" -> token(event, "created");
      case "token_rotated" -> token(event, "rotated");
      case "token_revoked" -> token(event, "revoked");
      case "agent_gated" -> who(event) + "  is paused";
      case "agent_ungated" -> who(event) + "  is resumed";
      case "message_released" -> "message " + word(event, "message_id") + " released";
      case "message_retried" -> "message " + word(event, "message_id") + " retried";
      default -> unknown(event);
    };
  }

  private String read(JsonNode event) {
    long messages = event.path("messages").asLong();
    return faint("operator  has read %d message%s".formatted(messages, messages == 1 ? "" : "s"));
  }

  private String token(JsonNode event, String what) {
    String label = word(event, "label");
    return "token %s of %s %s%s"
        .formatted(
            word(event, "token"),
            word(event, "principal"),
            what,
            label.isEmpty() ? "" : " (" + label + ")");
  }

  /// Agents that were not woken. Agents that are already active may still take part.
  private static String unwoken(JsonNode event) {
    List<String> all = event.path("agents").valueStream().map(JsonNode::asText).toList();
    if (all.isEmpty()) {
      return "no agent was woken";
    }
    String some = String.join(", ", all.subList(0, Math.min(all.size(), UNWOKEN)));
    String rest = all.size() > UNWOKEN ? " and " + (all.size() - UNWOKEN) + " more" : "";
    return TerminalText.cut(some, WIDTH) + rest + (all.size() == 1 ? " is" : " are") + " not woken";
  }

  private static String budget(JsonNode event) {
    return "has used %s of %s %s"
        .formatted(word(event, "spent"), word(event, "cap"), word(event, "budget"));
  }

  private String connected(JsonNode event) {
    String active =
        event
            .path("active")
            .valueStream()
            .map(agent -> TerminalText.cut(agent.asText(), WIDTH))
            .collect(Collectors.joining(", "));
    return faint(
        "connected at event %s, %s"
            .formatted(
                word(event, "lastEvent"),
                active.isEmpty() ? "no agent is busy" : "busy: " + active));
  }

  private String created(JsonNode event) {
    String handle = word(event, "handle");
    String who = handle.isEmpty() ? who(event) : name(handle);
    String parent = word(event, "parent");
    return who + "  created" + (parent.isEmpty() ? "" : ", parent " + name(parent));
  }

  private String updated(JsonNode event) {
    return who(event) + "  updated: " + keys(event);
  }

  private static String keys(JsonNode event) {
    String keys = JsonTree.words(event.path("changed"));
    return TerminalText.cut(keys, WIDTH);
  }

  private String sent(JsonNode event) {
    String arrow = event.hasNonNull("in_reply_to") ? " ↩ " : " → ";
    return name(word(event, "from"))
        + arrow
        + name(word(event, "to"))
        + "   \""
        + word(event, "text")
        + "\""
        + (event.path("sync").asBoolean() ? faint("  asks for an answer") : "");
  }

  private String started(JsonNode event) {
    long events = event.path("events").asLong();
    return "%s  ▸ turn %s starts (%d event%s)"
        .formatted(who(event), word(event, "turn"), events, events == 1 ? "" : "s");
  }

  private String ended(JsonNode event) {
    String turn = word(event, "turn");
    String response = word(event, "response");
    String reason = word(event, "stopReason");
    if (event.path("status").asText().equals("failed")) {
      return who(event) + bad("  ✗ turn " + turn + " failed" + prefixed(": ", reason));
    }
    return who(event)
        + "  ■ turn "
        + turn
        + " ends"
        + (response.isEmpty() ? "" : "   \"" + response + "\"");
  }

  private String said(JsonNode event) {
    return "%s in %s   \"%s\""
        .formatted(
            name(word(event, "author")),
            TextStyle.STRONG.paint(word(event, "space"), colours),
            word(event, "text"));
  }

  private String changed(JsonNode event) {
    return "%s in %s  edited message %s   \"%s\""
        .formatted(
            name(word(event, "author")),
            TextStyle.STRONG.paint(word(event, "space"), colours),
            word(event, "messageSeq"),
            word(event, "text"));
  }

  private String forked(JsonNode event) {
    return "%s  forked from %s at step %s"
        .formatted(who(event), name(word(event, "original")), word(event, "fromStep"));
  }

  private String unknown(JsonNode event) {
    var rest = JsonTree.object();
    if (event instanceof ObjectNode object) {
      rest.setAll(object);
      rest.remove(KNOWN);
    }
    String who = event.hasNonNull("agent") ? who(event) + "  " : "";
    return who
        + word(event, "kind")
        + (rest.isEmpty() ? "" : " " + TerminalText.cut(JsonTree.text(rest), WIDTH));
  }

  private String who(JsonNode event) {
    String handle = word(event, "agent");
    return name(handle.isEmpty() ? word(event, "agentId") : handle);
  }

  static String word(JsonNode event, String key) {
    return TerminalText.cut(event.path(key).asText(""), WIDTH);
  }

  static String prefixed(String prefix, String text) {
    return text.isEmpty() ? "" : prefix + text;
  }

  private String name(String handle) {
    return TextStyle.NAME.paint(handle, colours);
  }

  private String faint(String text) {
    return TextStyle.FAINT.paint(text, colours);
  }

  private String bad(String text) {
    return TextStyle.BAD.paint(text, colours);
  }

  /// Formats events about tools and their calls, for [EventPrinter].
  private record ToolEventPrinter(boolean colours) {

    /// Empty for other events.
    Optional<String> find(JsonNode event) {
      String space = word(event, "space");
      return Optional.ofNullable(
          switch (event.path("kind").asText()) {
            case "tool_called" -> called(event);
            case "pending_call" -> pending(event);
            case "tool-call.start" -> tool(event) + "starts in " + space;
            case "tool-input-delta" ->
                tool(event) + TextStyle.FAINT.paint("input " + word(event, "delta"), colours);
            case "tool-result" -> tool(event) + output(event);
            case "tool-call.complete" ->
                tool(event) + "done in " + space + prefixed("   ", output(event));
            case "tool-call.error" ->
                tool(event) + bad("failed in " + space + prefixed(": ", output(event)));
            case "remote_tool_quarantined" ->
                bad(
                    who(event)
                        + "  tool %s of server %s is quarantined: %s"
                            .formatted(
                                word(event, "tool"), word(event, "server"), word(event, "reason")));
            case "remote_server_down" ->
                TextStyle.FAINT.paint(
                    "server " + word(event, "server") + " is down: " + word(event, "reason"),
                    colours);
            default -> null;
          });
    }

    /// Agent and tool. Older daemons omit the agent when a pending call ends.
    private String tool(JsonNode event) {
      String who = event.hasNonNull("agent") ? who(event) + "  " : "";
      return who + TextStyle.STRONG.paint(word(event, "toolName"), colours) + ": ";
    }

    /// Progress or result of a call: its text if it is one, else JSON.
    private static String output(JsonNode event) {
      JsonNode output = event.path("output");
      if (output.path("error").asBoolean()) {
        return word(output, "message");
      }
      JsonNode only = output.size() == 1 ? output.iterator().next() : output;
      String text =
          only.isTextual() ? only.asText() : output.isMissingNode() ? "" : JsonTree.text(output);
      return TerminalText.cut(text, WIDTH);
    }

    private static String pending(JsonNode event) {
      String status = word(event, "status");
      boolean isExecuting = event.path("executing").asBoolean() && status.equals("pending");
      return "call %s of %s  is %s"
          .formatted(
              word(event, "callId"), word(event, "tool"), isExecuting ? "executing" : status);
    }

    private String called(JsonNode event) {
      JsonNode arguments = event.path("arguments");
      String shown = arguments.isTextual() ? arguments.asText() : JsonTree.text(arguments);
      boolean isWrong = event.has("ok") && !event.path("ok").asBoolean();
      return who(event)
          + "  calls "
          + TextStyle.STRONG.paint(word(event, "tool"), colours)
          + (arguments.isMissingNode() ? "" : " " + TerminalText.cut(shown, WIDTH))
          + (isWrong ? bad("  ✗ " + (isFailed(event) ? "failed" : "rejected") + why(event)) : "");
    }

    /// True if the call was executed and failed, as `run list` counts it. Unknown codes of newer
    /// daemons count as refused.
    private static boolean isFailed(JsonNode event) {
      String name = event.path("code").asText();
      return Stream.of(ErrorCode.values())
          .filter(code -> code.kind() == ErrorKind.OUTSIDE || code.kind() == ErrorKind.BUG)
          .anyMatch(code -> code.name().equals(name));
    }

    /// Older daemons report only the message.
    private static String why(JsonNode event) {
      return prefixed(" ", word(event, "code")) + prefixed(": ", word(event, "error"));
    }

    private String who(JsonNode event) {
      String handle = word(event, "agent");
      return TextStyle.NAME.paint(handle.isEmpty() ? word(event, "agentId") : handle, colours);
    }

    private String bad(String text) {
      return TextStyle.BAD.paint(text, colours);
    }
  }
}

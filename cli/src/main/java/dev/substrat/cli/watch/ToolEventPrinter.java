package dev.substrat.cli.watch;

import static dev.substrat.cli.watch.EventPrinter.WIDTH;
import static dev.substrat.cli.watch.EventPrinter.prefixed;
import static dev.substrat.cli.watch.EventPrinter.word;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextStyle;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.ErrorCode.Kind;
import java.util.Optional;
import java.util.stream.Stream;

/// Formats events about tools and their calls, for [EventPrinter].
record ToolEventPrinter(boolean colours) {

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
        .formatted(word(event, "callId"), word(event, "tool"), isExecuting ? "executing" : status);
  }

  private String called(JsonNode event) {
    JsonNode arguments = event.path("arguments");
    String shown = arguments.isTextual() ? arguments.asText() : JsonTree.text(arguments);
    boolean isWrong = event.has("ok") && !event.path("ok").asBoolean();
    return who(event)
        + "  calls "
        + TextStyle.STRONG.paint(word(event, "tool"), colours)
        + (arguments.isMissingNode() ? "" : " " + TerminalText.cut(shown, WIDTH))
        + (isWrong ? bad("  ✗ " + (isFailed(event) ? "failed" : "refused") + why(event)) : "");
  }

  /// True if the call was executed and failed, as `run list` counts it. Unknown codes of newer
  /// daemons count as refused.
  private static boolean isFailed(JsonNode event) {
    String name = event.path("code").asText();
    return Stream.of(ErrorCode.values())
        .filter(code -> code.kind() == Kind.OUTSIDE || code.kind() == Kind.BUG)
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

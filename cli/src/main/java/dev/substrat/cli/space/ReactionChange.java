package dev.substrat.cli.space;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;

/// A sign that somebody puts on a message, or takes back.
record ReactionChange(String emoji, boolean isTakenBack) {

  /// `message` is named as people name messages.
  JsonNode on(String message, DaemonClient daemon) {
    if (!isTakenBack) {
      requireSign();
    }
    String id = new MessageReference(daemon).id(message);
    String target = DaemonClient.path("/api/messages/", id) + "/reactions";
    JsonNode body = JsonTree.object().put("emoji", emoji);
    return isTakenBack ? daemon.delete(target, body) : daemon.post(target, body);
  }

  /// Programs may have names for signs; whoever types one sees it as a word afterwards.
  private void requireSign() {
    if (emoji.chars().allMatch(c -> c < 0x80)) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "'%s' is not an emoji".formatted(emoji),
          "paste the sign itself, for example 👍");
    }
  }

  /// What came of it.
  String told(JsonNode done) {
    if (done.path("changed").asBoolean(true)) {
      return (isTakenBack ? "took back " : "put ") + emoji;
    }
    return (isTakenBack ? "no %s of yours is there" : "your %s is there already").formatted(emoji);
  }
}

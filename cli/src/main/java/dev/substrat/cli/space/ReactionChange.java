package dev.substrat.cli.space;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;

/// Adds or removes an emoji reaction.
record ReactionChange(String emoji, boolean isRemoval) {

  /// `message` is a reference such as `general#12`, or an id.
  JsonNode on(String message, DaemonClient daemon) {
    if (!isRemoval) {
      requireSign();
    }
    String id = new MessageReference(daemon).id(message);
    String target = DaemonClient.path("/api/messages/", id) + "/reactions";
    JsonNode body = JsonTree.object().put("emoji", emoji);
    return isRemoval ? daemon.delete(target, body) : daemon.post(target, body);
  }

  /// Rejects names such as `thumbsup`, which the API accepts but which would be shown as text.
  private void requireSign() {
    if (emoji.chars().allMatch(c -> c < 0x80)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "'%s' is not an emoji".formatted(emoji), "paste the emoji itself, for example 👍");
    }
  }

  /// Message about the result.
  String message(JsonNode done) {
    if (done.path("changed").asBoolean(true)) {
      return (isRemoval ? "removed " : "added ") + emoji;
    }
    return (isRemoval ? "you have no reaction %s on it" : "you have already reacted with %s")
        .formatted(emoji);
  }
}

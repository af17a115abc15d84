package dev.substrat.server.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.spaces.ToolCard;
import dev.substrat.server.console.approvals.QuestionReader;
import dev.substrat.store.Tx;
import dev.substrat.toolset.custom.Attachments;
import java.util.Optional;
import java.util.regex.Pattern;

/// Images that tools have made, beside their calls.
public final class CallImages {
  /// What a service answers may claim to be an image of ours, in any words.
  private static final Pattern ID = Pattern.compile("[0-9a-f-]{36}");

  private CallImages() {}

  /// The image that a call has made, if it was kept here and belongs to `space`. Nothing else is
  /// shown as one, whatever the result says and whatever address it names.
  public static Optional<ToolCard.Picture> find(Tx tx, String space, JsonNode metadata) {
    String id = metadata.at("/output/attachmentId").asText();
    if (!ID.matcher(id).matches() || !Attachments.isSeen(tx, id, space)) {
      return Optional.empty();
    }
    String wish = metadata.at("/input/prompt").asText().strip();
    String words = wish.isEmpty() ? "An image made by " + metadata.path("toolName").asText() : wish;
    return Optional.of(
        new ToolCard.Picture("/api/attachments/" + id, QuestionReader.excerpt(words)));
  }
}

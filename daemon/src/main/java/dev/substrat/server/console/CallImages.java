package dev.substrat.server.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.spaces.ToolCallCard;
import dev.substrat.server.console.approvals.QuestionReader;
import dev.substrat.store.Tx;
import dev.substrat.toolset.custom.Attachments;
import java.util.Optional;
import java.util.regex.Pattern;

/// Images created by tool calls.
public final class CallImages {
  /// Form of an attachment id; results of remote services are not trusted.
  private static final Pattern ID = Pattern.compile("[0-9a-f-]{36}");

  private CallImages() {}

  /// Image of a call, if it is stored as an attachment of `space`. Other addresses in the result
  /// are never shown as images.
  public static Optional<ToolCallCard.ToolImage> find(Tx tx, String space, JsonNode metadata) {
    String id = metadata.at("/output/attachmentId").asText();
    if (!ID.matcher(id).matches() || !Attachments.isSeen(tx, id, space)) {
      return Optional.empty();
    }
    String wish = metadata.at("/input/prompt").asText().strip();
    String words = wish.isEmpty() ? "Image created by " + metadata.path("toolName").asText() : wish;
    return Optional.of(
        new ToolCallCard.ToolImage("/api/attachments/" + id, QuestionReader.excerpt(words)));
  }
}

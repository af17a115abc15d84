package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.platform.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ids that clients give their calls, recorded so that a call in a client's log can be found here.
/// No other client metadata is stored.
final class ClientCallIds {
  /// Metadata keys of Claude Code, Codex and goose.
  private static final List<String> KEPT =
      List.of(
          "claudecode/toolUseId",
          "callId",
          "x-codex-turn-metadata",
          "agent-session-id",
          "agent-tool-call-request-id");

  /// Longer values are not stored: ids are shorter.
  private static final int LONGEST = 1_000;

  private ClientCallIds() {}

  static @Nullable ObjectNode of(ObjectNode meta) {
    var kept = Json.object();
    for (String key : KEPT) {
      if (meta.hasNonNull(key)) {
        kept.set(key, bounded(meta.get(key)));
      }
    }
    return kept.isEmpty() ? null : kept;
  }

  private static JsonNode bounded(JsonNode value) {
    String text = value.isTextual() ? value.textValue() : Json.text(value);
    if (text.length() <= LONGEST) {
      return value;
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return new TextNode(text.substring(0, end) + "…");
  }
}

package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Parses the arguments of a call as a model wrote them.
public final class CallArgumentParser {
  private CallArgumentParser() {}

  /// The arguments, if they are an object.
  public static Optional<ObjectNode> parse(String written) {
    try {
      return Json.parseLenient(written.getBytes(StandardCharsets.UTF_8))
              instanceof ObjectNode object
          ? Optional.of(object)
          : Optional.empty();
    } catch (Fault e) {
      return Optional.empty();
    }
  }

  /// For APIs that accept only an object.
  static ObjectNode orEmpty(ConversationEntry.RequestedCall call) {
    return parse(call.arguments()).orElseGet(Json::object);
  }
}

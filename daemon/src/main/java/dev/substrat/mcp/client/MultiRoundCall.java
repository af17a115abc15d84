package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.RemoteFailure.Reason;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Bytes;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Call that may need several requests: in the modern era a server can request input, and the
/// client repeats the request with it.
///
/// Input from a person is not available, so such requests are answered with `cancel`; the server
/// decides whether to continue.
final class MultiRoundCall {
  private static final int MOST_ROUNDS = 4;

  /// Longer results are more than an agent could read.
  private static final int LONGEST_RESULT = 1 << 20;

  private MultiRoundCall() {}

  static ObjectNode run(ObjectNode params, UnaryOperator<ObjectNode> ask) {
    ObjectNode asked = params;
    for (int round = 0; round < MOST_ROUNDS; round++) {
      ObjectNode result = ask.apply(asked);
      String type = result.path("resultType").asText("complete");
      switch (type) {
        case "complete" -> {
          return checked(result);
        }
        case "input_required" -> asked = again(params, result);
        default -> throw RemoteFailure.protocol("the server returned an unknown resultType");
      }
    }
    throw inputUnsupported();
  }

  private static ObjectNode checked(ObjectNode result) {
    if (!result.path("content").isArray() && !result.has("structuredContent")) {
      throw RemoteFailure.protocol("the server returned a result without content");
    }
    if (Json.bytes(result).length > LONGEST_RESULT) {
      throw RemoteFailure.because(
          Reason.TOO_LARGE, "the result is larger than " + Bytes.words(LONGEST_RESULT));
    }
    return result;
  }

  /// The same request with the input that the server requested, as far as available.
  private static ObjectNode again(ObjectNode params, ObjectNode result) {
    ObjectNode next = params.deepCopy();
    if (result.path("requestState").isTextual()) {
      next.put("requestState", result.path("requestState").textValue());
    }
    if (result.path("inputRequests") instanceof ObjectNode questions && !questions.isEmpty()) {
      var answers = next.putObject("inputResponses");
      for (Map.Entry<String, JsonNode> question : questions.properties()) {
        if (!question.getValue().path("method").asText().equals("elicitation/create")) {
          throw inputUnsupported();
        }
        answers.putObject(question.getKey()).put("action", "cancel");
      }
    }
    return next;
  }

  private static RemoteFailure inputUnsupported() {
    return RemoteFailure.because(
        Reason.REFUSED, "the server requests user or model input, which is not supported");
  }
}

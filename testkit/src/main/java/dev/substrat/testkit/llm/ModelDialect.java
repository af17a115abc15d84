package dev.substrat.testkit.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.testkit.llm.ScriptedAnswer.TextAnswer;
import java.util.List;
import java.util.Optional;

/// Request and response format of one model API.
sealed interface ModelDialect
    permits ChatDialect, ResponsesDialect, AnthropicDialect, GeminiDialect {
  String name();

  /// `model` comes from the path, if it has one; `key` is the API key of the request.
  ModelPrompt read(RequestHead head, JsonNode body);

  /// Values of a request outside of its body.
  record RequestHead(String model, boolean isStreamed, String key) {}

  /// Reason why the API would reject the request before calling the model.
  default Optional<String> complaint(ModelPrompt asked) {
    return Optional.empty();
  }

  ObjectNode whole(ModelPrompt asked, TextAnswer says);

  /// The stream, piece by piece, as bytes on the wire will have it.
  List<String> pieces(ModelPrompt asked, TextAnswer says);

  /// The body of an error.
  ObjectNode error(int status, String message);

  /// Body of the error for a request that is too long; its status is 400.
  ObjectNode tooLong();
}

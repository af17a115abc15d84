package dev.substrat.testkit.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.testkit.llm.ScriptedAnswer.Says;
import java.util.List;
import java.util.Optional;

/// Request and response format of one model API.
sealed interface ModelDialect
    permits ChatDialect, ResponsesDialect, AnthropicDialect, GeminiDialect {
  String name();

  /// `model` is what the address says, if it does; `key` what let the client in.
  ModelPrompt read(Head head, JsonNode body);

  /// What is known of a request beside its body.
  record Head(String model, boolean isStreamed, String key) {}

  /// Why the API would refuse the request, whatever its model would say.
  default Optional<String> complaint(ModelPrompt asked) {
    return Optional.empty();
  }

  ObjectNode whole(ModelPrompt asked, Says says);

  /// The stream, piece by piece, as bytes on the wire will have it.
  List<String> pieces(ModelPrompt asked, Says says);

  /// The body of an error.
  ObjectNode error(int status, String message);

  /// The body that says that a request is too long; its status is 400.
  ObjectNode tooLong();
}

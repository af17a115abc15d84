package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/// Wire format of one vendor's API.
public interface LlmWire {
  /// Where a question goes, below `base`.
  String address(String base, String model);

  /// Where the API lists its models.
  String modelsAddress(String base);

  Map<String, String> headers(String key);

  ObjectNode body(ModelRequest question);

  ReplyReader reader(ReplyListener hearing);

  /// True if an error says that the question is longer than the model can take.
  boolean isTooLong(JsonNode error);

  /// The name that a list of models has for one.
  String modelName(JsonNode listed);
}

package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/// Wire format of one vendor's API.
public interface LlmWire {
  /// URL of a request, below `base`.
  String address(String base, String model);

  /// URL of the list of models.
  String modelsAddress(String base);

  Map<String, String> headers(String key);

  ObjectNode body(ModelRequest question);

  ReplyReader reader(ReplyListener hearing);

  /// True if the error says that the request exceeds the context of the model.
  boolean isTooLong(JsonNode error);

  /// Name of a model in the list of models.
  String modelName(JsonNode listed);
}

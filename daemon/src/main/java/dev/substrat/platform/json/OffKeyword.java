package dev.substrat.platform.json;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;

/// Marks a string property that may have the value `off`. YAML reads an unquoted `off` as false, so
/// false is accepted for it.
@JacksonAnnotationsInside
@JsonDeserialize(using = OffKeyword.OffKeywordDeserializer.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER})
public @interface OffKeyword {

  /// Form in the schema.
  final class OffKeywordSchema {
    private static final String CHOICE = "/anyOf";

    private OffKeywordSchema() {}

    static ObjectNode schema() {
      var schema = Json.object();
      ArrayNode choice = schema.putArray("anyOf");
      choice.addObject().put("type", "string");
      choice.addObject().put("const", false);
      return schema;
    }

    /// Description of the allowed values, if the violated rule at `place` belongs to such a
    /// property.
    static Optional<String> words(JsonNode schema, String place) {
      int end = place.lastIndexOf(CHOICE);
      JsonNode whole = schema.at(end < 0 ? "" : place.substring(0, end));
      return end >= 0 && whole.path("anyOf").equals(schema().path("anyOf"))
          ? Optional.of(whole.path("description").asText("a text"))
          : Optional.empty();
    }
  }

  /// Reads false as `off`, and a text as it is.
  final class OffKeywordDeserializer extends JsonDeserializer<String> {
    @Override
    public String deserialize(JsonParser in, DeserializationContext context) throws IOException {
      if (in.hasToken(JsonToken.VALUE_FALSE)) {
        return "off";
      }
      if (in.hasToken(JsonToken.VALUE_STRING)) {
        return in.getText();
      }
      throw context.wrongTokenException(
          in, String.class, JsonToken.VALUE_STRING, "must be a string");
    }
  }
}

package dev.substrat.json;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A text that may be the word off. YAML reads that as false if it stands there without quotes;
/// whoever wrote it meant the word.
@JacksonAnnotationsInside
@JsonDeserialize(using = BareOff.Reader.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER})
public @interface BareOff {

  /// Takes false for the word, and a text for what it is.
  final class Reader extends JsonDeserializer<String> {
    @Override
    public String deserialize(JsonParser in, DeserializationContext context) throws IOException {
      if (in.hasToken(JsonToken.VALUE_FALSE)) {
        return "off";
      }
      if (in.hasToken(JsonToken.VALUE_STRING)) {
        return in.getText();
      }
      throw context.wrongTokenException(
          in, String.class, JsonToken.VALUE_STRING, "it must be a text");
    }
  }
}

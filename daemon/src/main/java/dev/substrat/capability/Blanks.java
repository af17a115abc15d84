package dev.substrat.capability;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.fault.Fault;
import dev.substrat.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Spelling;
import java.util.List;
import java.util.regex.Pattern;

/// Blanks in what is sent somewhere: one that nothing is filled into would be sent as it stands.
final class Blanks {
  private static final Pattern BLANK = Pattern.compile("\\{\\{\\s*([A-Za-z_$][^\\s.{}]*)[^{}]*}}");

  /// Where words are meant for a service and not for a person or a model.
  private static final List<String> SENT =
      List.of("url", "webhookUrl", "headers", "queryParams", "body");

  private Blanks() {}

  static void require(String place, Execution execution) {
    JsonNode all = Json.tree(execution);
    SENT.forEach(key -> require(all.path(key), place + "/" + key));
  }

  private static void require(JsonNode value, String place) {
    if (value.isTextual()) {
      requireText(value.asText(), place);
    } else if (value.isArray()) {
      value.forEach(item -> require(item, place));
    } else {
      value.properties().forEach(entry -> require(entry.getValue(), place + "/" + entry.getKey()));
    }
  }

  private static void requireText(String text, String place) {
    var found = BLANK.matcher(text);
    while (found.find()) {
      if (!Filling.PLACE.matcher(found.group()).matches()) {
        throw new Fault(
            ErrorCode.INVALID_CONFIG,
            "%s has a blank that nothing is filled into: %s".formatted(place, found.group()),
            Spelling.question(found.group(1), List.of("input"))
                + "an argument is {{input.NAME}}, a secret ${env.NAME}");
      }
    }
  }
}

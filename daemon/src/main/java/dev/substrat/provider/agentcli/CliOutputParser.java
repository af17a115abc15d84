package dev.substrat.provider.agentcli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.ProviderEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Parser of the output of one process. Later lines may depend on earlier ones, so each process has
/// its own parser.
public interface CliOutputParser {
  List<ProviderEvent> parse(String line);

  /// Events at the end of the output.
  default List<ProviderEvent> end() {
    return List.of();
  }

  /// Whether the line is a diagnostic of the program itself, so that neither the model nor a tool
  /// can have written it.
  default boolean isDiagnostic(String line) {
    return false;
  }

  /// Parser of a program whose lines are JSON; other lines are ignored.
  interface JsonLineParser extends CliOutputParser {
    /// A truncated JSON line is not a diagnostic: it contains text of the model.
    @Override
    default boolean isDiagnostic(String line) {
      return !line.stripLeading().startsWith("{");
    }

    List<ProviderEvent> parse(JsonNode line);

    @Override
    default List<ProviderEvent> parse(String line) {
      if (line.isBlank()) {
        return List.of();
      }
      try {
        return parse(Json.parseLenient(line.getBytes(StandardCharsets.UTF_8)));
      } catch (Fault notJson) {
        return List.of(new ProviderEvent.UnknownEvent(line));
      }
    }
  }
}

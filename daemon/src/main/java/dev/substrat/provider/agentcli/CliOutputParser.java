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

  /// What it means that nothing more comes.
  default List<ProviderEvent> end() {
    return List.of();
  }

  /// Whether it printed this beside what it says, so that neither its model nor its tools can have
  /// written it: complaints of some programs look so.
  default boolean isDiagnostic(String line) {
    return false;
  }

  /// Of a program whose lines are JSON; whatever else it prints has no meaning.
  interface OfJson extends CliOutputParser {
    /// One that was cut off is no JSON, but what it says is its model's all the same.
    @Override
    default boolean isDiagnostic(String line) {
      return !line.stripLeading().startsWith("{");
    }

    List<ProviderEvent> hear(JsonNode line);

    @Override
    default List<ProviderEvent> parse(String line) {
      if (line.isBlank()) {
        return List.of();
      }
      try {
        return hear(Json.parseLenient(line.getBytes(StandardCharsets.UTF_8)));
      } catch (Fault notJson) {
        return List.of(new ProviderEvent.Unknown(line));
      }
    }
  }
}

package dev.substrat.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.agent.ConfigFile;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A provider to test: its settings and the time limit.
record ProviderTrial(ObjectNode provider, Duration timeout) {
  /// Enough for the first start of a CLI in a new home directory and a slow model.
  private static final Duration USUAL = Duration.ofMinutes(3);

  /// `wanted` is a provider's name or a file with its settings. The typed timeout overrides the
  /// file's `maxTurnSeconds`, which overrides the default.
  static ProviderTrial of(String wanted, @Nullable Duration typed) {
    Path file = Path.of(wanted);
    if (!Files.isRegularFile(file)) {
      if (wanted.contains("/") || wanted.contains(".")) {
        throw ErrorCode.NOT_FOUND.fault(
            "there is no file " + wanted, "pass a provider name or a configuration file");
      }
      return new ProviderTrial(
          JsonTree.object().put("name", wanted), typed == null ? USUAL : typed);
    }
    ObjectNode settings = ConfigFile.read(file);
    ObjectNode provider =
        settings.path("provider") instanceof ObjectNode inside ? inside : settings;
    JsonNode own = settings.at("/limits/maxTurnSeconds");
    Duration said = own.isIntegralNumber() ? Duration.ofSeconds(own.asLong()) : USUAL;
    return new ProviderTrial(provider, typed == null ? said : typed);
  }

  String name() {
    return provider.path("name").asText();
  }

  /// Configuration of an agent whose budget allows one turn of that length.
  ObjectNode agent() {
    ObjectNode agent = JsonTree.object().put("name", "doctor");
    agent.set("provider", provider);
    agent
        .putObject("limits")
        .put("maxTurnSeconds", Math.max(1, timeout.toSeconds()))
        .put("budgetTurns", 1);
    return agent;
  }
}

package dev.substrat.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.agent.ConfigFile;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What is to be tried: a provider with its settings, and for how long at most.
record ProviderTrial(ObjectNode provider, Duration patience) {
  /// Enough for a CLI's first start in a new home and a model that thinks.
  private static final Duration USUAL = Duration.ofMinutes(3);

  /// `wanted` is a provider's name, or a file with its settings. What was typed as the time counts
  /// before what the file says, and that before what is usual.
  static ProviderTrial of(String wanted, @Nullable Duration typed) {
    Path file = Path.of(wanted);
    if (!Files.isRegularFile(file)) {
      if (wanted.contains("/") || wanted.contains(".")) {
        throw new Fault(
            ErrorCode.NOT_FOUND, "there is no file " + wanted, "give a provider's name, or a file");
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

  /// Somebody who can take one turn of that length and no other, also if nobody is left to end it.
  ObjectNode agent() {
    ObjectNode agent = JsonTree.object().put("name", "doctor");
    agent.set("provider", provider);
    agent
        .putObject("limits")
        .put("maxTurnSeconds", Math.max(1, patience.toSeconds()))
        .put("budgetTurns", 1);
    return agent;
  }
}

package dev.substrat.cli.team;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;
import dev.substrat.cli.agent.ConfigFile;
import dev.substrat.cli.wire.Json;
import dev.substrat.fault.Fault;
import java.nio.charset.StandardCharsets;

/// A team written as YAML, with as few quotes as it can do with.
final class TeamYaml {
  private TeamYaml() {}

  /// The text is read again before anybody gets it. YAML takes some bare words for something else
  /// than text; should one slip through, everything is quoted instead.
  static String text(ObjectNode team) {
    String plain = Json.text(team, factory(true));
    return isRead(plain, team) ? plain : Json.text(team, factory(false));
  }

  private static boolean isRead(String text, ObjectNode team) {
    try {
      return ConfigFile.parse("yaml", text.getBytes(StandardCharsets.UTF_8)).equals(team);
    } catch (Fault _) {
      return false;
    }
  }

  private static JsonFactory factory(boolean bareWords) {
    var factory =
        YAMLFactory.builder()
            .disable(Feature.WRITE_DOC_START_MARKER)
            .disable(Feature.SPLIT_LINES)
            .enable(Feature.INDENT_ARRAYS_WITH_INDICATOR)
            .enable(Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS);
    return bareWords
        ? factory.enable(Feature.MINIMIZE_QUOTES).enable(Feature.LITERAL_BLOCK_STYLE).build()
        : factory.build();
  }
}

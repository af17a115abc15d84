package dev.substrat.cli.agent;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.Fault;
import java.nio.charset.StandardCharsets;

/// Writes a configuration as YAML with minimal quoting.
public final class ConfigYaml {
  private ConfigYaml() {}

  /// Parses the result to verify it. YAML reads some unquoted words as other types; if the result
  /// differs, every text is quoted.
  public static String text(ObjectNode config) {
    String plain = JsonTree.text(config, factory(true));
    return isRead(plain, config) ? plain : JsonTree.text(config, factory(false));
  }

  private static boolean isRead(String text, ObjectNode config) {
    try {
      return ConfigFile.parse("yaml", text.getBytes(StandardCharsets.UTF_8)).equals(config);
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

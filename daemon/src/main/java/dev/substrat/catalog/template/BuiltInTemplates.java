package dev.substrat.catalog.template;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The built-in templates, read on first use.
final class BuiltInTemplates {
  private static final List<String> IDS =
      List.of("release-manager", "researcher", "reviewer", "support-triage", "team-lead", "writer");

  private BuiltInTemplates() {}

  static List<AgentTemplate> all() {
    return Read.ALL;
  }

  private static final class Read {
    static final List<AgentTemplate> ALL = IDS.stream().map(BuiltInTemplates::read).toList();
  }

  private static AgentTemplate read(String id) {
    var config = (ObjectNode) Yaml.own(text(id));
    String name = config.remove("title").asText();
    return new AgentTemplate(id, name, config.path("description").asText(), true, config, null);
  }

  private static String text(String id) {
    try (var stream = BuiltInTemplates.class.getResourceAsStream("/templates/" + id + ".yaml")) {
      if (stream == null) {
        throw new IllegalStateException("the template " + id + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.substrat.catalog.template;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.ResultRow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A template for agents: a configuration without name and parent. `builtIn` templates are part of
/// the program and cannot be deleted.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgentTemplate(
    String id,
    String name,
    String description,
    boolean builtIn,
    ObjectNode config,
    @Nullable Instant createdAt) {

  static AgentTemplate of(ResultRow row) {
    var config = (ObjectNode) Json.own(row.text("config"));
    return new AgentTemplate(
        row.text("id"),
        row.text("name"),
        config.path("description").asText(""),
        false,
        config,
        row.instant("created_at"));
  }
}

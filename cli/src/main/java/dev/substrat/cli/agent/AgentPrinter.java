package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.substrat.cli.terminal.FactTable;
import dev.substrat.cli.terminal.RelativeTime;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One agent, as people read it. Of `config` only what `agent` does not tell; `run` is its last,
/// `parent` the handle of its parent, `held` what to add about messages that are held.
///
/// Nothing here may show a key: what is printed is chosen key by key.
record AgentPrinter(JsonNode agent, JsonNode config, JsonNode run, String parent, String held) {

  FactTable facts() {
    return about(new FactTable())
        .with("baseUrl", address(agent.path("provider").path("baseUrl").asText("")))
        .with("toolsets", words(agent.path("toolsets")))
        .with("own tools", names(agent.path("tools")))
        .with("MCP servers", names(agent.path("mcpServers")))
        .with("workspace", workspace(config.path("workspace")))
        .with("views", views(config.path("workspace").path("views")))
        .with("spaces", settings(config.path("spaces")))
        .with("skills", skills(agent.path("skills")))
        .with("context", words(agent.path("contextRefs")))
        .with("limits", settings(config.path("limits")))
        .with("budgets", BudgetPrinter.lines(agent.path("budgets")))
        .with("created", RelativeTime.time(agent.path("createdAt")))
        .with("forked from", origin(agent.path("forkedFrom")))
        .with("instructions", agent.path("systemPrompt"));
  }

  private FactTable about(FactTable facts) {
    JsonNode provider = agent.path("provider");
    return facts
        .with("agent", agent.path("handle"))
        .with("id", agent.path("id"))
        .with("name", agent.path("name"))
        .with("description", agent.path("description"))
        .with("role", agent.path("role"))
        .with("parent", parent)
        .with("state", state())
        .with("reason", hasCondition() ? "" : agent.path("stateReason").asText(""))
        .with("last turn", failure())
        .with("last said", lastSaid())
        .with("next try", hasCondition() ? "" : RelativeTime.time(agent.path("nextTryAt")))
        .with("waiting", agent.path("pendingCount"))
        .with("executing", executing(agent))
        .with(
            "provider",
            (provider.path("name").asText("") + " " + provider.path("model").asText("")).strip());
  }

  /// Daemons of older versions do not report it.
  private boolean hasCondition() {
    return agent.has("condition");
  }

  private String state() {
    return hasCondition()
        ? String.join("\n", ConditionText.sentences(agent.path("condition"))) + held
        : agent.path("state").asText();
  }

  /// The calls that the daemon executes for an agent, one per line.
  static String executing(JsonNode agent) {
    return agent
        .path("executing")
        .valueStream()
        .map(call ->
            "%s (call %s, for %s)"
                .formatted(
                    call.path("tool").asText(),
                    call.path("callId").asText(),
                    RelativeTime.between(call.path("since"), NullNode.getInstance())))
        .collect(Collectors.joining("\n"));
  }

  /// Empty unless its last turn failed. The reason is not said twice.
  private String failure() {
    if (!run.path("status").asText().equals("failed")) {
      return "";
    }
    String why = run.path("stopReason").asText("");
    boolean isSaid = why.isEmpty() || why.equals(agent.path("stateReason").asText(""));
    return "failed at " + RelativeTime.time(run.path("endedAt")) + (isSaid ? "" : ": " + why);
  }

  /// Empty unless one of its last turns ended with a text.
  private String lastSaid() {
    JsonNode said = agent.path("lastSaid");
    String text = textOrHidden(said).strip();
    return text.isEmpty() ? "" : "%s (%s)".formatted(text, RelativeTime.time(said.path("at")));
  }

  /// The text of an entry, or why the token is not shown it.
  static String textOrHidden(JsonNode entry) {
    return entry.has("hidden")
        ? "(hidden: %s)".formatted(entry.path("hidden").asText())
        : entry.path("text").asText("");
  }

  /// Without what may be a secret in it.
  private static String address(String url) {
    return url.replaceFirst("//[^/@]*@", "//").replaceFirst("[?#].*", "");
  }

  private static String workspace(JsonNode workspace) {
    String path = workspace.path("path").asText("");
    String more =
        Stream.of("mode", "sandbox", "network")
            .filter(workspace::hasNonNull)
            .map(key -> key + " " + workspace.path(key).asText())
            .collect(Collectors.joining(", "));
    return path.isEmpty() || more.isEmpty() ? path + more : "%s (%s)".formatted(path, more);
  }

  private static String views(JsonNode views) {
    return views
        .valueStream()
        .map(view ->
            "%s%s (%s)"
                .formatted(
                    view.path("path").asText(),
                    view.hasNonNull("as") ? " at " + view.path("as").asText() : "",
                    view.path("mode").asText("ro")))
        .collect(Collectors.joining("\n"));
  }

  private static String settings(JsonNode limits) {
    return limits
        .propertyStream()
        .filter(limit -> !limit.getValue().isNull())
        .map(limit -> limit.getKey() + " " + limit.getValue().asText())
        .collect(Collectors.joining(", "));
  }

  /// With what keeps one from counting.
  private static String skills(JsonNode skills) {
    return skills
        .valueStream()
        .map(skill -> {
          String why =
              skill.path("enabled").asBoolean(true)
                  ? skill.path("inactiveBecause").asText("")
                  : "off";
          return skill.path("name").asText() + (why.isEmpty() ? "" : " (" + why + ")");
        })
        .collect(Collectors.joining(", "));
  }

  private static String origin(JsonNode fork) {
    return fork.hasNonNull("run")
        ? "step %s of run %s".formatted(fork.path("step").asText(), fork.path("run").asText())
        : "";
  }

  private static String names(JsonNode list) {
    return list.valueStream()
        .map(one -> one.path("name").asText())
        .collect(Collectors.joining(", "));
  }

  private static String words(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).collect(Collectors.joining(", "));
  }
}

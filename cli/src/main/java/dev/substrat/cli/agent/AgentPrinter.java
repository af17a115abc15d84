package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RelativeTime;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Prints the details of an agent. `config` adds fields that `agent` lacks, `run` is the last run,
/// `parent` the handle of the parent, `held` a note about held messages.
///
/// Prints only listed fields, so that no API key is printed.
record AgentPrinter(JsonNode agent, JsonNode config, JsonNode run, String parent, String held) {

  KeyValueTable facts() {
    return about(new KeyValueTable())
        .with("baseUrl", address(agent.path("provider").path("baseUrl").asText("")))
        .with("toolsets", JsonTree.words(agent.path("toolsets")))
        .with("custom tools", names(agent.path("tools")))
        .with("MCP servers", names(agent.path("mcpServers")))
        .with("workspace", workspace(config.path("workspace")))
        .with("views", views(config.path("workspace").path("views")))
        .with("spaces", settings(config.path("spaces")))
        .with("skills", skills(agent.path("skills")))
        .with("context", JsonTree.words(agent.path("contextRefs")))
        .with("limits", settings(config.path("limits")))
        .with("budgets", BudgetPrinter.lines(agent.path("budgets")))
        .with("created", RelativeTime.time(agent.path("createdAt")))
        .with("forked from", origin(agent.path("forkedFrom")))
        .with("instructions", agent.path("systemPrompt"));
  }

  private KeyValueTable about(KeyValueTable facts) {
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
        .with("last output", lastSaid())
        .with("next try", hasCondition() ? "" : RelativeTime.time(agent.path("nextTryAt")))
        .with("waiting", agent.path("pendingCount"))
        .with("executing", executing(agent))
        .with(
            "provider",
            (provider.path("name").asText("") + " " + provider.path("model").asText("")).strip());
  }

  /// Whether the daemon reports the condition; older versions do not.
  private boolean hasCondition() {
    return agent.has("condition");
  }

  private String state() {
    return hasCondition()
        ? String.join("\n", AgentConditionText.sentences(agent.path("condition"))) + held
        : agent.path("state").asText();
  }

  /// Calls that the daemon executes for the agent, one per line.
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

  /// Failure of the last turn, or empty. Leaves out a reason that the state already shows.
  private String failure() {
    if (!run.path("status").asText().equals("failed")) {
      return "";
    }
    String why = run.path("stopReason").asText("");
    boolean isSaid = why.isEmpty() || why.equals(agent.path("stateReason").asText(""));
    return "failed at " + RelativeTime.time(run.path("endedAt")) + (isSaid ? "" : ": " + why);
  }

  /// Final text of the last turn that had one, or empty.
  private String lastSaid() {
    JsonNode said = agent.path("lastSaid");
    String text = textOrHidden(said).strip();
    return text.isEmpty() ? "" : "%s (%s)".formatted(text, RelativeTime.time(said.path("at")));
  }

  /// Text of an entry, or the reason why this token may not read it.
  static String textOrHidden(JsonNode entry) {
    return entry.has("hidden")
        ? "(hidden: %s)".formatted(entry.path("hidden").asText())
        : entry.path("text").asText("");
  }

  /// URL without user info, query and fragment, which may contain secrets.
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

  /// Skills, each inactive one with its reason.
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
}

package dev.substrat.provider.agentcli.custom;

import dev.substrat.provider.agentcli.CliTurnParameters;
import dev.substrat.provider.agentcli.ToolEndpoint;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Fills the placeholders `{{name}}` in the configuration of a custom CLI.
final class CliPlaceholders {
  static final String TOKEN = "mcp.token";
  static final String PROMPT = "prompt";
  static final String CONFIG_FILE = "mcp.configFile";
  static final Set<String> NAMES =
      Set.of(PROMPT, "system", "session", "model", "mcp.url", TOKEN, CONFIG_FILE);

  private static final Pattern BLANK = Pattern.compile("\\{\\{\\s*([\\w.]+)\\s*}}");

  private final Map<String, String> values = new LinkedHashMap<>();

  CliPlaceholders(CliTurnParameters turn, String configFile) {
    values.put(PROMPT, turn.prompt().turn());
    values.put("system", turn.prompt().system());
    values.put("session", turn.conversation());
    values.put("model", turn.model() == null ? "" : turn.model());
    values.put(
        "mcp.url", turn.endpoint() instanceof ToolEndpoint.HttpEndpoint http ? http.url() : "");
    values.put(
        TOKEN, turn.endpoint() instanceof ToolEndpoint.HttpEndpoint http ? http.token() : "");
    values.put(CONFIG_FILE, configFile);
  }

  /// In one pass: inserted values are not searched for placeholders.
  String fill(String template) {
    return BLANK
        .matcher(template)
        .replaceAll(match -> Matcher.quoteReplacement(values.getOrDefault(match.group(1), "")));
  }

  static Set<String> findIn(String template) {
    return Set.copyOf(BLANK.matcher(template).results().map(match -> match.group(1)).toList());
  }
}

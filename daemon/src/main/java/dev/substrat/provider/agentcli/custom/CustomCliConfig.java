package dev.substrat.provider.agentcli.custom;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Configuration of a custom CLI. Its texts may contain placeholders, see [CliPlaceholders].
///
/// `args` follow the command in the first turn of a conversation, `resume` in later ones; without
/// `resume` all turns are started with `args`. `input` is written to stdin. Default: the prompt,
/// unless another text contains it. `files` are written to its home directory. `forgotten` are
/// phrases by which it reports an unknown conversation.
public record CustomCliConfig(
    @Nullable List<String> args,
    @Nullable List<String> resume,
    @Nullable String input,
    @Nullable OutputFormat format,
    @Nullable Map<String, String> env,
    @Nullable Map<String, String> files,
    @Nullable String forgotten) {

  /// Format of the output.
  public enum OutputFormat {
    @JsonProperty("claude-stream-json")
    CLAUDE,
    @JsonProperty("codex-json")
    CODEX,
    @JsonProperty("goose-json")
    GOOSE,
    @JsonProperty("text")
    TEXT
  }

  public static CustomCliConfig parse(@Nullable JsonNode json) {
    if (json == null || !json.isObject()) {
      throw invalid("/provider/cli must describe how to run the CLI", "see docs/providers/cli.md");
    }
    CustomCliConfig spec;
    try {
      spec = Json.as(json, CustomCliConfig.class);
    } catch (Fault fault) {
      throw invalid("/provider/cli" + fault.message(), "see docs/providers/cli.md");
    }
    spec.check();
    return spec;
  }

  private void check() {
    var unknown = new TreeSet<String>();
    texts().forEach(text -> unknown.addAll(CliPlaceholders.findIn(text)));
    unknown.removeAll(CliPlaceholders.NAMES);
    if (!unknown.isEmpty()) {
      throw invalid(
          "/provider/cli has unknown placeholders: " + String.join(", ", unknown),
          "available placeholders: " + String.join(", ", new TreeSet<>(CliPlaceholders.NAMES)));
    }
    if (words().anyMatch(word -> CliPlaceholders.findIn(word).contains(CliPlaceholders.TOKEN))) {
      throw invalid(
          "/provider/cli puts the turn's token on a command line, where other users "
              + "can read it",
          "put the token into `env`, `files` or `input`; or use {{mcp.configFile}}");
    }
    for (String name : filesOrNone().keySet()) {
      if (name.isBlank() || name.startsWith("/") || List.of(name.split("/")).contains("..")) {
        throw invalid(
            "/provider/cli/files: " + name + " is outside the agent's home directory",
            "use a plain file name");
      }
    }
  }

  private Stream<String> words() {
    return Stream.concat(argsOrNone().stream(), resumeOrArgs().stream());
  }

  private Stream<String> texts() {
    String stdin = inputOrPrompt();
    return Stream.of(
            words(),
            Stream.ofNullable(stdin),
            envOrNone().values().stream(),
            filesOrNone().values().stream())
        .flatMap(all -> all);
  }

  List<String> argsOrNone() {
    return args == null ? List.of() : args;
  }

  List<String> resumeOrArgs() {
    return resume == null ? argsOrNone() : resume;
  }

  Map<String, String> envOrNone() {
    return env == null ? Map.of() : env;
  }

  Map<String, String> filesOrNone() {
    return files == null ? Map.of() : files;
  }

  OutputFormat formatOrText() {
    return format == null ? OutputFormat.TEXT : format;
  }

  @Nullable String inputOrPrompt() {
    boolean isPlaced =
        Stream.concat(words(), filesOrNone().values().stream())
            .anyMatch(text -> CliPlaceholders.findIn(text).contains(CliPlaceholders.PROMPT));
    return input != null ? input : isPlaced ? null : "{{" + CliPlaceholders.PROMPT + "}}";
  }

  private static Fault invalid(String message, String hint) {
    return ErrorCode.INVALID_CONFIG.fault(message, hint);
  }
}

package dev.substrat.provider.cli.custom;

import dev.substrat.platform.json.Json;
import dev.substrat.provider.Capabilities.SystemPrompt;
import dev.substrat.provider.Capabilities;
import dev.substrat.provider.cli.AgentCli;
import dev.substrat.provider.cli.Assignment;
import dev.substrat.provider.cli.Hearing;
import dev.substrat.provider.cli.Start;
import dev.substrat.provider.cli.known.CodexJson;
import dev.substrat.provider.cli.known.GooseJson;
import dev.substrat.provider.cli.known.McpFile;
import dev.substrat.provider.cli.known.StreamJson;
import dev.substrat.provider.cli.known.Words;
import dev.substrat.team.ProviderConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An agent CLI that we do not know, as its user describes it.
public record CustomCli(List<String> command, CustomSpec spec) implements AgentCli {
  public static final String NAME = "cli";

  public static final Capabilities CAPABILITIES =
      Capabilities.ofCli("{tool}", SystemPrompt.MESSAGE);

  private static final String SERVER_FILE = "mcp.json";

  public CustomCli {
    command = List.copyOf(command);
  }

  /// Throws a fault if the description is no good.
  public static CustomCli of(ProviderConfig mind) {
    return new CustomCli(
        mind.command() == null ? List.of() : mind.command(), CustomSpec.parse(mind.cli()));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Start start(Assignment turn) {
    var blanks = new Blanks(turn, turn.file(SERVER_FILE));
    var words = new Words(turn.command());
    List<String> own = turn.session() == null ? spec.argsOrNone() : spec.resumeOrArgs();
    own.forEach(word -> words.add(blanks.fill(word)));
    var files = new LinkedHashMap<String, String>();
    files.put(SERVER_FILE, Json.text(McpFile.of(McpFile.typed(turn.door()))));
    spec.filesOrNone().forEach((name, content) -> files.put(name, blanks.fill(content)));
    var environment = new LinkedHashMap<String, String>();
    spec.envOrNone().forEach((name, value) -> environment.put(name, blanks.fill(value)));
    String input = spec.inputOrPrompt();
    return new Start(
        words.addAll(turn.arguments()).list(),
        environment,
        Map.copyOf(files),
        input == null ? null : blanks.fill(input));
  }

  @Override
  public Hearing hearing(Assignment turn) {
    return switch (spec.formatOrText()) {
      case CLAUDE -> new StreamJson();
      case CODEX -> new CodexJson();
      case GOOSE -> new GooseJson(turn.conversation());
      case TEXT -> new PlainText(turn.conversation());
    };
  }

  /// Without such words a lost conversation is a failure like any other.
  @Override
  public boolean hasForgotten(String words) {
    return spec.forgotten() != null && words.contains(spec.forgotten());
  }

  @Override
  public Counting counting() {
    return switch (spec.formatOrText()) {
      case CODEX, GOOSE -> Counting.OF_CONVERSATION;
      case CLAUDE -> Counting.COST_OF_CONVERSATION;
      case TEXT -> Counting.OF_TURN;
    };
  }
}

package dev.substrat.provider.agentcli.custom;

import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderCapabilities.SystemPromptMethod;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.AgentCli;
import dev.substrat.provider.agentcli.CliLaunch;
import dev.substrat.provider.agentcli.CliOutputParser;
import dev.substrat.provider.agentcli.CliTurnParameters;
import dev.substrat.provider.agentcli.known.CodexOutput;
import dev.substrat.provider.agentcli.known.CommandLineBuilder;
import dev.substrat.provider.agentcli.known.GooseOutput;
import dev.substrat.provider.agentcli.known.McpConfigFile;
import dev.substrat.provider.agentcli.known.StreamJsonOutput;
import dev.substrat.team.ProviderConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An agent CLI described in the configuration.
public record CustomCli(List<String> command, CustomCliConfig spec) implements AgentCli {
  public static final String NAME = "cli";

  public static final ProviderCapabilities CAPABILITIES =
      ProviderCapabilities.ofCli("{tool}", SystemPromptMethod.MESSAGE);

  private static final String SERVER_FILE = "mcp.json";

  public CustomCli {
    command = List.copyOf(command);
  }

  /// Throws a fault if the description is invalid.
  public static CustomCli of(ProviderConfig config) {
    return new CustomCli(
        config.command() == null ? List.of() : config.command(),
        CustomCliConfig.parse(config.cli()));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ProviderCapabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public CliLaunch start(CliTurnParameters turn) {
    var blanks = new CliPlaceholders(turn, turn.file(SERVER_FILE));
    var words = new CommandLineBuilder(turn.command());
    List<String> own = turn.session() == null ? spec.argsOrNone() : spec.resumeOrArgs();
    own.forEach(word -> words.add(blanks.fill(word)));
    var files = new LinkedHashMap<String, String>();
    files.put(SERVER_FILE, Json.text(McpConfigFile.of(McpConfigFile.typed(turn.endpoint()))));
    spec.filesOrNone().forEach((name, content) -> files.put(name, blanks.fill(content)));
    var environment = new LinkedHashMap<String, String>();
    spec.envOrNone().forEach((name, value) -> environment.put(name, blanks.fill(value)));
    String input = spec.inputOrPrompt();
    return new CliLaunch(
        words.addAll(turn.arguments()).list(),
        environment,
        Map.copyOf(files),
        input == null ? null : blanks.fill(input));
  }

  @Override
  public CliOutputParser outputParser(CliTurnParameters turn) {
    return switch (spec.formatOrText()) {
      case CLAUDE -> new StreamJsonOutput();
      case CODEX -> new CodexOutput();
      case GOOSE -> new GooseOutput(turn.conversation());
      case TEXT -> new PlainTextOutput(turn.conversation());
    };
  }

  /// Without configured phrases a lost conversation is an ordinary failure.
  @Override
  public boolean isUnknownSession(String words) {
    return spec.forgotten() != null && words.contains(spec.forgotten());
  }

  @Override
  public UsageCounting counting() {
    return switch (spec.formatOrText()) {
      case CODEX, GOOSE -> UsageCounting.OF_CONVERSATION;
      case CLAUDE -> UsageCounting.COST_OF_CONVERSATION;
      case TEXT -> UsageCounting.OF_TURN;
    };
  }

  /// Output parser of a program that prints its answer as plain text. Whether the text is an answer
  /// is decided by the exit code.
  private static final class PlainTextOutput implements CliOutputParser {
    private static final int LONGEST_ANSWER = 1 << 20;

    private final String session;
    private final StringBuilder answer = new StringBuilder();
    private boolean hasBegun;

    PlainTextOutput(String session) {
      this.session = session;
    }

    @Override
    public List<ProviderEvent> parse(String line) {
      var events = new ArrayList<ProviderEvent>();
      if (!hasBegun) {
        hasBegun = true;
        events.add(new ProviderEvent.SessionStarted(session));
      }
      if (answer.length() + line.length() <= LONGEST_ANSWER) {
        answer.append(line).append('\n');
        events.add(new ProviderEvent.TextDelta(line + "\n"));
      }
      return events;
    }

    @Override
    public List<ProviderEvent> end() {
      return List.of(new ProviderEvent.TurnEnded(true, answer.toString().strip()));
    }
  }
}

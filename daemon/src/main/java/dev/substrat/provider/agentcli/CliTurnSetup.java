package dev.substrat.provider.agentcli;

import dev.substrat.platform.json.Json;
import dev.substrat.platform.process.ChildProcess;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.team.ProviderConfig;
import dev.substrat.team.toolconfig.PlaceholderFiller;
import dev.substrat.team.toolconfig.UsedSecrets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Environment of an agent's CLI during one turn: home directory, working directory, settings with
/// resolved placeholders, and the secrets to redact.
public final class CliTurnSetup {
  /// Environment variable that marks its processes, also after the daemon that started them was
  /// killed.
  public static final String MARK = "SUBSTRAT_MIND";

  private static final String TOKEN_FILE = "turn.token";

  private final CliHost machine;
  private final CliHomeDirectory home;
  private final CliSandbox sandbox;
  private final List<String> command;
  private final ProviderConfig config;
  private final UsedSecrets secrets = new UsedSecrets();
  private final PlaceholderFiller placeholders;
  private final String token;

  public CliTurnSetup(
      CliHost machine,
      CliHomeDirectory home,
      CliSandbox sandbox,
      List<String> command,
      ProviderConfig config,
      String token) {
    this.machine = machine;
    this.home = home;
    this.sandbox = sandbox;
    this.command = command;
    this.config = config;
    this.token = token;
    this.placeholders = new PlaceholderFiller(machine.environment(), Json.object(), secrets);
  }

  public CliTurnParameters assignment(ProviderTurn turn, @Nullable String session)
      throws IOException {
    return new CliTurnParameters(
        command,
        config.args() == null ? List.of() : config.args(),
        home.path(),
        sandbox.directory(),
        sandbox.isSandboxed(),
        config.model(),
        filled(config.baseUrl()),
        filled(config.apiKey()),
        turn.prompt(),
        session,
        UUID.randomUUID().toString(),
        toolEndpoint(turn));
  }

  private @Nullable String filled(@Nullable String template) {
    return template == null ? null : placeholders.text(template);
  }

  private ToolEndpoint toolEndpoint(ProviderTurn turn) throws IOException {
    // Without network the URL is not reachable, but the Unix socket is.
    boolean overHttp = !CliSettingsValidation.wantsStdio(config) && sandbox.hasNetwork();
    if (overHttp) {
      String url =
          machine.mcp().get().orElseThrow(() -> new IOException("the daemon has no MCP server"));
      return new ToolEndpoint.HttpEndpoint(url, token);
    }
    Path file = home.write(TOKEN_FILE, token + "\n");
    var words = new ArrayList<>(machine.bridge());
    words.addAll(List.of("--data", machine.data().toString()));
    words.addAll(List.of("--agent", turn.agent().id().value()));
    words.addAll(List.of("--token-file", file.toString()));
    return new ToolEndpoint.StdioEndpoint(words);
  }

  /// Writes the files and returns the parameters of the start. Configured variables override the
  /// defaults, except those that make the home directory private.
  public ChildProcess.LaunchParameters launch(
      CliLaunch start, ToolEndpoint endpoint, int longestLine) throws IOException {
    for (var file : start.files().entrySet()) {
      home.write(file.getKey(), file.getValue());
    }
    var environment = new HashMap<>(start.with(configured()).environment());
    environment.put("HOME", home.path().toString());
    environment.put("PWD", sandbox.directory().toString());
    environment.put(MARK, home.path().toString());
    var launch =
        new ChildProcess.LaunchParameters(
            start.words(), sandbox.directory(), environment, this::redact, longestLine);
    return sandbox.around(launch, home, endpoint);
  }

  private Map<String, String> configured() {
    var filled = new LinkedHashMap<String, String>();
    if (config.env() != null) {
      config.env().forEach((name, template) -> filled.put(name, placeholders.text(template)));
    }
    return filled;
  }

  /// Text about the limit that stopped a process; empty if none did.
  String limitReached(ChildProcess child, OptionalInt exitCode, String output) {
    return sandbox.limitReached(child, exitCode, output).map(limit -> "; " + limit).orElse("");
  }

  /// Removes secrets from a text.
  String redact(String text) {
    return secrets.redact(text.replace(token, "[the turn's token]"));
  }
}

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

/// Where an agent's CLI sits during one turn: its home, its directory, its settings with everything
/// filled in, and the secrets that must not leave it.
public final class CliTurnSetup {
  /// By this its processes are known, also after the daemon that started them was killed.
  public static final String MARK = "SUBSTRAT_MIND";

  private static final String TOKEN_FILE = "turn.token";

  private final CliHost machine;
  private final CliHomeDirectory home;
  private final CliSandbox enclosure;
  private final List<String> command;
  private final ProviderConfig mind;
  private final UsedSecrets secrets = new UsedSecrets();
  private final PlaceholderFiller filling;
  private final String token;

  public CliTurnSetup(
      CliHost machine,
      CliHomeDirectory home,
      CliSandbox enclosure,
      List<String> command,
      ProviderConfig mind,
      String token) {
    this.machine = machine;
    this.home = home;
    this.enclosure = enclosure;
    this.command = command;
    this.mind = mind;
    this.token = token;
    this.filling = new PlaceholderFiller(machine.environment(), Json.object(), secrets);
  }

  public CliAssignment assignment(ProviderTurn turn, @Nullable String session) throws IOException {
    return new CliAssignment(
        command,
        mind.args() == null ? List.of() : mind.args(),
        home.path(),
        enclosure.directory(),
        enclosure.isWalled(),
        mind.model(),
        filled(mind.baseUrl()),
        filled(mind.apiKey()),
        turn.prompt(),
        session,
        UUID.randomUUID().toString(),
        door(turn));
  }

  private @Nullable String filled(@Nullable String template) {
    return template == null ? null : filling.text(template);
  }

  private ToolEndpoint door(ProviderTurn turn) throws IOException {
    // Where there is no network there is no way to that address, but there is one to the socket.
    boolean overHttp = !CliSettings.wantsStdio(mind) && enclosure.hasNetwork();
    if (overHttp) {
      String url = machine.mcp().get().orElseThrow(() -> new IOException("the daemon has no door"));
      return new ToolEndpoint.Http(url, token);
    }
    Path file = home.write(TOKEN_FILE, token + "\n");
    var words = new ArrayList<>(machine.bridge());
    words.addAll(List.of("--data", machine.data().toString()));
    words.addAll(List.of("--agent", turn.agent().id().value()));
    words.addAll(List.of("--token-file", file.toString()));
    return new ToolEndpoint.Stdio(words);
  }

  /// Writes the files and says how the process is started. What a person has configured wins over
  /// what we would choose, but for what makes the home private.
  public ChildProcess.Launch launch(CliLaunch start, ToolEndpoint door, int longestLine)
      throws IOException {
    for (var file : start.files().entrySet()) {
      home.write(file.getKey(), file.getValue());
    }
    var environment = new HashMap<>(start.with(configured()).environment());
    environment.put("HOME", home.path().toString());
    environment.put("PWD", enclosure.directory().toString());
    environment.put(MARK, home.path().toString());
    var launch =
        new ChildProcess.Launch(
            start.words(), enclosure.directory(), environment, this::redact, longestLine);
    return enclosure.around(launch, home, door);
  }

  private Map<String, String> configured() {
    var filled = new LinkedHashMap<String, String>();
    if (mind.env() != null) {
      mind.env().forEach((name, template) -> filled.put(name, filling.text(template)));
    }
    return filled;
  }

  /// A sentence about the limit that a process has met which ended so; empty if it met none.
  String limitReached(ChildProcess child, OptionalInt exitCode, String output) {
    return enclosure.limitReached(child, exitCode, output).map(limit -> "; " + limit).orElse("");
  }

  /// Takes out of a text what nobody may read.
  String redact(String text) {
    return secrets.redact(text.replace(token, "[the turn's token]"));
  }
}

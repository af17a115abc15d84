package dev.substrat.provider.agentcli;

import dev.substrat.platform.log.Log;
import dev.substrat.platform.process.OrphanedProcesses;
import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderProbe;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.team.Agent;
import dev.substrat.team.ProviderConfig;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Provider that runs an agent CLI: a known one, or one described in the configuration.
public final class CliProvider implements Provider {
  private static final Log LOG = Log.of(CliProvider.class);

  private final String name;
  private final ProviderCapabilities capabilities;
  private final Function<ProviderConfig, AgentCli> choice;
  private final @Nullable CliProgram usual;
  private final CliHost machine;

  /// Home directories without processes of an earlier daemon.
  private final Set<CliHomeDirectory> cleared = ConcurrentHashMap.newKeySet();

  private CliProvider(
      String name,
      ProviderCapabilities capabilities,
      Function<ProviderConfig, AgentCli> choice,
      @Nullable CliProgram usual,
      CliHost machine) {
    this.name = name;
    this.capabilities = capabilities;
    this.choice = choice;
    this.usual = usual;
    this.machine = machine;
  }

  /// A supported CLI.
  public static CliProvider of(AgentCli cli, CliHost machine) {
    return new CliProvider(
        cli.name(), cli.capabilities(), _ -> cli, new CliProgram(cli.command()), machine);
  }

  /// A CLI that each agent describes in its configuration.
  public static CliProvider described(
      String name,
      ProviderCapabilities capabilities,
      Function<ProviderConfig, AgentCli> choice,
      CliHost machine) {
    return new CliProvider(name, capabilities, choice, null, machine);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ProviderCapabilities capabilities() {
    return capabilities;
  }

  @Override
  public ProviderConfig prepare(ProviderConfig settings) {
    if (usual != null && settings.cli() != null) {
      throw CliSettingsValidation.invalid(
          "/provider/cli is only for CLIs without built-in support; built in: " + name,
          "omit the key, or write name: cli");
    }
    return new CliSettingsValidation(machine).prepare(settings, choice.apply(settings).command());
  }

  @Override
  public ProviderProbe probe() {
    if (usual == null) {
      return ProviderProbe.ready(null, "runs any program; each agent configures the command");
    }
    String program = usual.words().getFirst();
    if (!usual.isInstalled()) {
      return ProviderProbe.missing(
          program + " is not on the daemon's PATH", "see docs/providers/" + name + ".md");
    }
    return usual
        .version(machine.workspaces().sandbox())
        .map(version -> ProviderProbe.ready(version, "agents need an API key or a login"))
        .orElseGet(() ->
            ProviderProbe.missing(
                program + " does not print its version", "run the program by hand"));
  }

  @Override
  public boolean hasOwnEndpoint(ProviderConfig settings) {
    return settings.command() != null;
  }

  /// A model with its own base URL may need no key, and a variable may contain one.
  @Override
  public boolean lacksLogin(Agent agent) {
    ProviderConfig settings = agent.config().provider();
    if (settings == null || settings.apiKey() != null || settings.baseUrl() != null) {
      return false;
    }
    boolean hasVariables = settings.env() != null && !settings.env().isEmpty();
    List<String> logins = choice.apply(settings).loginFiles();
    CliHomeDirectory home = CliHomeDirectory.at(machine.data(), agent.id(), name);
    return !hasVariables && !logins.isEmpty() && logins.stream().noneMatch(home::has);
  }

  @Override
  public Optional<String> findProblem(Agent agent) {
    return lacksLogin(agent)
        ? Optional.of(
            "%s has neither an API key nor a login; see docs/providers/agent-clis.md"
                .formatted(agent.handle()))
        : Optional.empty();
  }

  @Override
  public TurnOutcome runTurn(ProviderTurn turn) throws InterruptedException {
    ProviderConfig settings = turn.agent().config().provider();
    if (settings == null) {
      return new TurnOutcome.TurnFailed("the agent has no provider");
    }
    AgentCli cli = choice.apply(settings);
    try {
      CliHomeDirectory home = CliHomeDirectory.of(machine.data(), turn.agent().id(), name);
      clear(home);
      List<String> command = settings.command() == null ? cli.command() : settings.command();
      var sandbox = CliSandbox.of(machine, turn, settings);
      var setup =
          new CliTurnSetup(machine, home, sandbox, command, settings, turn.credential().text());
      return new CliTurn(cli, turn, setup).run();
    } catch (IOException e) {
      return new TurnOutcome.TurnFailed(name + " has no home directory: " + e.getMessage());
    }
  }

  /// Kills CLIs that a killed daemon left running. Their tokens are revoked, but they could still
  /// write to the conversation.
  private void clear(CliHomeDirectory home) {
    if (cleared.add(home)) {
      int left = OrphanedProcesses.kill(CliTurnSetup.MARK, home.path().toString());
      if (left > 0) {
        LOG.warn(
            "killed processes that an earlier daemon had started",
            "home",
            home.path(),
            "processes",
            left);
      }
    }
  }
}

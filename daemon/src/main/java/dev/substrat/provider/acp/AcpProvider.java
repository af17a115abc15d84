package dev.substrat.provider.acp;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.process.OrphanedProcesses;
import dev.substrat.provider.Provider;
import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderCapabilities.EventInjection;
import dev.substrat.provider.ProviderCapabilities.SystemPromptMethod;
import dev.substrat.provider.ProviderProbe;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.agentcli.CliHomeDirectory;
import dev.substrat.provider.agentcli.CliHost;
import dev.substrat.provider.agentcli.CliLaunch;
import dev.substrat.provider.agentcli.CliSandbox;
import dev.substrat.provider.agentcli.CliSettingsValidation;
import dev.substrat.provider.agentcli.CliTurnParameters;
import dev.substrat.provider.agentcli.CliTurnSetup;
import dev.substrat.team.ProviderConfig;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Provider that runs programs speaking the Agent Client Protocol. A program keeps running between
/// turns until it is idle for too long or too many others run.
///
/// Safe for many threads: a program is used by one turn at a time.
public final class AcpProvider implements Provider {
  /// An idle program uses memory only; if it is needed again soon, its start is saved.
  private static final Duration MAX_IDLE_TIME = Duration.ofMinutes(5);

  private static final int MAX_IDLE_PROCESSES = 8;
  private static final int MAX_LINE_LENGTH = 8 << 20;

  private final CliHost machine;
  private final InstantSource clock;

  /// Idle programs, longest idle first.
  private final Map<AgentId, AcpSession> resting = new LinkedHashMap<>();

  private boolean isClosed;

  public AcpProvider(CliHost machine, InstantSource clock) {
    this.machine = machine;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "acp";
  }

  @Override
  public ProviderCapabilities capabilities() {
    return new ProviderCapabilities(
        true,
        true,
        true,
        true,
        true,
        true,
        false,
        true,
        Integer.MAX_VALUE,
        "{tool}",
        SystemPromptMethod.MESSAGE,
        EventInjection.LIVE);
  }

  @Override
  public ProviderConfig prepare(ProviderConfig settings) {
    if (settings.cli() != null) {
      throw CliSettingsValidation.invalid("/provider/cli is not supported by acp", "omit the key");
    }
    List<String> command = settings.command() == null ? List.of() : settings.command();
    return new CliSettingsValidation(machine).prepare(settings, command);
  }

  @Override
  public ProviderProbe probe() {
    return ProviderProbe.ready(null, "runs any ACP program; each agent configures its command");
  }

  @Override
  public TurnOutcome runTurn(ProviderTurn turn) throws InterruptedException {
    ProviderConfig settings = turn.agent().config().provider();
    if (settings == null) {
      return new TurnOutcome.TurnFailed("the agent has no provider");
    }
    boolean isGood = false;
    AcpSession session = null;
    try {
      session = take(turn, settings);
      TurnOutcome outcome = new AcpTurn(session, turn, settings.model()).run();
      isGood = outcome instanceof TurnOutcome.TurnFinished;
      return outcome;
    } catch (IOException e) {
      return new TurnOutcome.TurnFailed("cannot start the ACP program: " + e.getMessage());
    } finally {
      // After an interrupt or a failure the program is in an unknown state.
      if (session != null && !(isGood && putBack(turn.agent().id(), session))) {
        session.close();
      }
    }
  }

  private AcpSession take(ProviderTurn turn, ProviderConfig settings)
      throws IOException, InterruptedException {
    // Checked in each turn: workspace and sandbox may have changed.
    var sandbox = CliSandbox.of(machine, turn, settings);
    AcpSession known = takeResting(turn.agent().id());
    if (known != null && known.is(settings, sandbox) && !known.process().hasEnded()) {
      return known;
    }
    if (known != null) {
      known.close();
    }
    CliHomeDirectory home = CliHomeDirectory.of(machine.data(), turn.agent().id(), name());
    // A killed daemon leaves its programs running.
    OrphanedProcesses.kill(CliTurnSetup.MARK, home.path().toString());
    List<String> command = settings.command() == null ? List.of() : settings.command();
    String key = turn.standingCredential().text();
    var setup = new CliTurnSetup(machine, home, sandbox, command, settings, key);
    CliTurnParameters assignment = setup.assignment(turn, null);
    var words = new ArrayList<>(assignment.command());
    words.addAll(assignment.arguments());
    var start = new CliLaunch(words, Map.of(), Map.of(), null);
    var process = AcpProcess.start(setup.launch(start, assignment.endpoint(), MAX_LINE_LENGTH));
    return new AcpSession(settings, sandbox, assignment, process);
  }

  private synchronized @Nullable AcpSession takeResting(AgentId agent) {
    return resting.remove(agent);
  }

  /// False if the provider is closed.
  private synchronized boolean putBack(AgentId agent, AcpSession session) {
    if (isClosed) {
      return false;
    }
    session.markIdle(clock.instant());
    resting.put(agent, session);
    while (resting.size() > MAX_IDLE_PROCESSES) {
      end(resting.keySet().iterator().next());
    }
    return true;
  }

  private void end(AgentId agent) {
    AcpSession session = resting.remove(agent);
    if (session != null) {
      session.close();
    }
  }

  @Override
  public synchronized int closeIdle() {
    var limit = clock.instant().minus(MAX_IDLE_TIME);
    List<AgentId> tired =
        resting.entrySet().stream()
            .filter(entry -> entry.getValue().isIdleSince(limit))
            .map(Map.Entry::getKey)
            .toList();
    tired.forEach(this::end);
    return tired.size();
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    List.copyOf(resting.keySet()).forEach(this::end);
  }
}

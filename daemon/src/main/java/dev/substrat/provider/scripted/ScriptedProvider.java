package dev.substrat.provider.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.config.DurationParser;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.sandbox.ProgramFiles;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.provider.Provider;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import dev.substrat.tool.transcript.ModelUsage;
import dev.substrat.toolset.workspace.Workspaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Provider of scripted agents, which follow a playbook or run a program: for demos, for tests, and
/// for trying a team without a model.
///
/// It calls tools through the same pipeline as any other provider.
public final class ScriptedProvider implements Provider {
  /// The default playbook: it confirms that messages arrive.
  private static final JsonNode ECHO =
      Yaml.own(
          "- do: [ { say: 'I have no playbook yet, but I got your message: {{event.text}}' } ]");

  private final Supplier<Optional<String>> mcp;
  private final @Nullable Workspaces workspaces;

  /// Programs call tools with lines only, and run without a sandbox in the daemon's directory.
  public ScriptedProvider() {
    this(Optional::empty, null);
  }

  /// `mcp` is the URL of the MCP server, if there is one. With `workspaces`, programs run there in
  /// a sandbox.
  public ScriptedProvider(Supplier<Optional<String>> mcp, @Nullable Workspaces workspaces) {
    this.mcp = mcp;
    this.workspaces = workspaces;
  }

  @Override
  public String name() {
    return ProviderConfig.SCRIPTED;
  }

  @Override
  public ProviderConfig prepare(ProviderConfig settings) {
    return prepare(settings, ScriptCommand.DefaultDirectory.DAEMON);
  }

  @Override
  public ProviderConfig prepare(ProviderConfig settings, AgentConfig agent) {
    return prepare(
        settings,
        workspaces != null
            ? ScriptCommand.DefaultDirectory.WORKSPACE
            : ScriptCommand.DefaultDirectory.DAEMON);
  }

  private static ProviderConfig prepare(
      ProviderConfig settings, ScriptCommand.DefaultDirectory home) {
    if (settings.chaos() != null) {
      ChaosConfig.parse(settings.chaos());
    }
    if (settings.command() != null || settings.directory() != null) {
      return ScriptCommand.prepare(settings, home);
    }
    String file = settings.playbookFile();
    JsonNode playbook = settings.playbook();
    if (playbook == null && file != null) {
      playbook = Yaml.read(Path.of(file));
    }
    if (playbook != null) {
      Playbook.parse(playbook);
    }
    return ProviderConfig.scripted(
        settings.name(), settings.model(), playbook, settings.chaos(), null, null);
  }

  @Override
  public Optional<String> findProblem(Agent agent) {
    ProviderConfig settings = agent.config().provider();
    if (settings != null && (settings.playbook() != null || settings.command() != null)) {
      return Optional.empty();
    }
    return Optional.of(
        ("%1$s has no model and no playbook, so it only echoes the messages it receives; set provider: in its"
                + " file (./substrat agent update %1$s --config FILE)")
            .formatted(agent.handle()));
  }

  @Override
  public TurnOutcome runTurn(ProviderTurn turn) throws InterruptedException {
    ProviderConfig settings = turn.agent().config().provider();
    return settings == null || settings.chaos() == null
        ? play(turn)
        : ChaosTurn.run(turn, ChaosConfig.parse(settings.chaos()), this::play);
  }

  private TurnOutcome play(ProviderTurn turn) throws InterruptedException {
    ProviderConfig settings = turn.agent().config().provider();
    if (settings != null && settings.command() != null) {
      Agent agent = turn.agent();
      return workspaces == null
          ? CommandTurn.run(
              turn, ScriptCommand.of(settings), mcp.get(), CommandTurn.CommandSandbox.NOT)
          : new SandboxedCommand(workspaces, agent).think(turn, settings, mcp.get());
    }
    Playbook playbook =
        Playbook.parse(
            settings == null || settings.playbook() == null ? ECHO : settings.playbook());
    var performance = new PlaybookRun(turn);
    if (playbook.readsSubject()) {
      turn.subject().ifPresent(subject -> performance.known.set(Playbook.SUBJECT, subject));
    }
    for (InboxEvent event : turn.events()) {
      turn.show(event);
      for (var rule : playbook.rules()) {
        if (rule.when() == null || rule.when().matches(event.payload())) {
          performance.play(rule, event);
          break;
        }
      }
      if (performance.failure != null) {
        return new TurnOutcome.TurnFailed(performance.failure);
      }
    }
    turn.beginStep();
    return new TurnOutcome.TurnFinished(String.join("\n", performance.said));
  }

  /// Executes the steps of one turn, with the texts and values that they produced so far.
  private static final class PlaybookRun {
    private final ProviderTurn turn;
    private final ObjectNode known = Json.object();
    private final ScriptTemplate template = new ScriptTemplate(known);
    private final List<String> said = new ArrayList<>();
    private @Nullable String failure;

    PlaybookRun(ProviderTurn turn) {
      this.turn = turn;
    }

    void play(Playbook.PlaybookRule rule, InboxEvent event) throws InterruptedException {
      known.set("event", event.payload());
      for (var step : rule.steps()) {
        play(step);
        if (failure != null) {
          return;
        }
      }
    }

    private void play(Playbook.PlaybookStep step) throws InterruptedException {
      if (step.call() != null) {
        call(step.call(), step);
      } else if (step.say() != null) {
        said.add(template.text(step.say()));
      } else if (step.sleep() != null) {
        turn.pause(DurationParser.parse(step.sleep()));
      } else if (step.use() != null) {
        use(step.use().amount());
      } else if (step.fail() != null) {
        failure = template.text(step.fail());
      } else if (Boolean.TRUE.equals(step.crash())) {
        throw new ProviderCrash();
      } else if (Boolean.TRUE.equals(step.hang())) {
        turn.pause(ProviderTurn.FOREVER);
      }
    }

    private void use(BudgetReservation amount) {
      turn.beginStep(amount);
      turn.endStep("scripted", new ModelUsage(0, amount.tokens(), amount.costMicros()));
    }

    private void call(String tool, Playbook.PlaybookStep step) {
      ObjectNode arguments =
          step.arguments() == null ? Json.object() : template.object(step.arguments());
      // A model would be asked before each call.
      turn.beginStep();
      ObjectNode result = turn.call(tool, arguments).reply().json();
      if (step.save() != null) {
        known.set(step.save(), result);
      }
    }
  }

  /// Effect of `crash: true`: the provider crashes without a message.
  private static final class ProviderCrash extends RuntimeException {
    ProviderCrash() {
      super("the playbook crashed the turn (crash)");
    }
  }

  /// The program of a scripted agent, run in its workspace in a sandbox. A configured directory
  /// stays its working directory and is mounted beside the workspace.
  private record SandboxedCommand(Workspaces workspaces, Agent agent) {

    TurnOutcome think(ProviderTurn turn, ProviderConfig settings, Optional<String> mcp)
        throws InterruptedException {
      ScriptCommand given = ScriptCommand.of(settings);
      boolean isPlaced = settings.directory() != null && given.directory().getNameCount() > 0;
      ScriptCommand command = isPlaced ? given : given.in(workspaces.directory(agent));
      SandboxPolicy policy = around(command, isPlaced);
      Sandbox.SandboxState state = workspaces.sandbox().state();
      if (policy.strength() != SandboxPolicy.SandboxLevel.OFF && !state.works()) {
        turn.publish(new ProviderEvent.SandboxUnavailable(state.detail()));
      }
      // Without network the MCP URL is not reachable: the program calls tools with lines.
      Optional<String> reachable = policy.hasNetwork() ? mcp : Optional.empty();
      var confined = new CommandTurn.CommandSandbox(workspaces.sandbox(), policy);
      return CommandTurn.run(turn, command, reachable, confined);
    }

    /// Shows the program, the files named in its command, and their packages. Other files need
    /// views.
    private SandboxPolicy around(ScriptCommand command, boolean isPlaced) {
      SandboxPolicy policy = workspaces.sandboxPolicy(agent);
      if (policy.strength() == SandboxPolicy.SandboxLevel.OFF) {
        return policy;
      }
      if (isPlaced) {
        policy = placed(policy, command.directory());
      }
      Path inside = command.directory();
      List<Path> outside =
          command
              .files()
              .filter(file -> !file.startsWith(inside))
              .filter(workspaces::mayShow)
              .toList();
      try {
        return ProgramFiles.ofAll(outside).in(policy);
      } catch (IOException e) {
        throw ErrorCode.PATH_BLOCKED.fault(
            "provider.command cannot run in the sandbox: " + e.getMessage(),
            "check that its files exist",
            e);
      }
    }

    /// The directory often contains only the script, so read access is sufficient.
    private SandboxPolicy placed(SandboxPolicy policy, Path directory) {
      try {
        return workspaces.sandbox().canWrite(directory)
            ? workspaces.working(policy, agent, directory)
            : policy.reading(directory);
      } catch (IOException e) {
        throw ErrorCode.PATH_BLOCKED.fault(
            "provider.directory cannot be used: " + e.getMessage(),
            "check that the directory exists",
            e);
      }
    }
  }
}

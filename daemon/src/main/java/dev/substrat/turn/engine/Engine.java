package dev.substrat.turn.engine;

import dev.substrat.access.budget.Budgets;
import dev.substrat.access.credential.CredentialPurge;
import dev.substrat.access.credential.Credentials;
import dev.substrat.access.credential.TokenRotation;
import dev.substrat.access.limit.TokenBuckets;
import dev.substrat.memory.Memory;
import dev.substrat.messaging.message.Messages;
import dev.substrat.messaging.message.UnreadMessages;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.provider.Providers;
import dev.substrat.provider.prompt.PromptBuilder;
import dev.substrat.schedule.GoalsAndPlans;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agents;
import dev.substrat.tool.CallLimits;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.execution.CallKeyPurge;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.tool.transcript.RunSteps;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.toolset.approval.ProviderApprovals;
import dev.substrat.toolset.custom.CustomTools;
import dev.substrat.toolset.remote.RemoteServers;
import dev.substrat.toolset.team.AgentInspection;
import dev.substrat.toolset.team.Reminders;
import dev.substrat.toolset.team.TurnSubscriptions;
import dev.substrat.toolset.workspace.WorkReports;
import dev.substrat.turn.TimedWork;
import dev.substrat.turn.TurnCancellation;
import dev.substrat.turn.TurnDispatcher;
import dev.substrat.turn.TurnParts;
import dev.substrat.turn.replay.RunForks;
import dev.substrat.turn.replay.RunReplays;
import dev.substrat.turn.run.ExternalRuns;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.run.TurnSpending;
import dev.substrat.turn.slot.QueueStatus;
import dev.substrat.turn.slot.RunningTurns;
import dev.substrat.turn.slot.Slots;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.IntSupplier;

/// All features on one database, without HTTP. Constructing it starts nothing: its owner calls
/// [#start], or a test drives it step by step.
public final class Engine {
  private final EngineDependencies ground;
  private final Messages messages;
  private final Spaces spaces;
  private final RunningTurns running;
  private final TurnSubscriptions subscriptions;
  private final TurnSpending spending;
  private final Agents agents;
  private final Providers providers;
  private final Transcript transcript;
  private final AgentInspection inspection;
  private final Reminders reminders;
  private final GoalsAndPlans intentions;
  private final ToolPipeline toolbox;
  private final RunForks forks;
  private final SubAgentTurns subAgents;
  private final PendingCalls pendingCalls;
  private final CustomTools gateway;
  private final RemoteServers servers;
  private final WorkReports harvest;
  private final Memory memory;

  /// One without doors: its agents call their tools through their providers only.
  public Engine(EngineDependencies ground) {
    this(ground, AgentEndpoints.NONE);
  }

  /// With doors through which programs that think for agents reach their tools.
  public Engine(EngineDependencies ground, AgentEndpoints doors) {
    this(ground, doors.providers(ground));
  }

  /// With providers chosen by the caller.
  public Engine(EngineDependencies ground, Providers providers) {
    this.ground = ground;
    this.providers = providers;
    Database database = ground.database();
    EventLog events = ground.events();
    InstantSource clock = ground.clock();
    this.messages = new Messages(database, events, clock);
    this.spaces = new Spaces(database, events, clock, ground.guards());
    this.spending = new TurnSpending(database, messages.budgetNotices(), events, clock);
    this.subAgents = new SubAgentTurns(ground, providers, spending);
    this.pendingCalls = new PendingCalls(database, events, clock);
    this.gateway = ground.gateway(pendingCalls, spaces, subAgents);
    this.servers = ground.remoteServers();
    this.harvest = new WorkReports(database, events, clock, ground.workspaces());
    this.running = new RunningTurns(clock);
    this.subscriptions = new TurnSubscriptions(database, events, clock);
    this.intentions = GoalsAndPlans.of(database, events, clock);
    var farewells =
        new TerminationCleanup(
            ground, messages, spaces, gateway, harvest, intentions, subscriptions, running);
    this.agents = new Agents(database, events, clock, farewells);
    this.transcript = new Transcript(database, clock);
    this.inspection = new AgentInspection(database, messages, events);
    this.reminders = new Reminders(database, events, clock);
    this.memory = Memory.in(database, events, clock, ground.search());
    this.toolbox =
        new ToolPipeline(
            new BuiltInTools(
                    ground,
                    messages,
                    agents,
                    subscriptions,
                    reminders,
                    inspection,
                    spaces,
                    memory,
                    intentions,
                    harvest)
                .toolsets(agent -> toolbox().listedNow(agent)),
            // What comes later cannot take a name.
            List.of(gateway.tools(), gateway.around(servers)),
            gateway.stage(),
            new ToolPipeline.Parts(
                database,
                events,
                transcript,
                new CallLimits(new TokenBuckets(clock)),
                new UnreadMessages(database, clock),
                gateway.answers(),
                ground.telemetry(),
                clock));
    this.forks = new RunForks(database, events, agents, providers);
  }

  /// An engine whose agents think, until it is closed.
  public interface AtWork extends AutoCloseable {
    @Override
    void close();
  }

  /// Lets agents think, at most as many at a time as there are `slots`, until it is closed. `owner`
  /// names this daemon, now and after a restart, and no other that is alive.
  public AtWork start(Slots slots, String owner) {
    return start(slots, owner, DaemonSettings.DEFAULT_LEASE);
  }

  /// With leases that run out after `lease` unless they are renewed.
  public AtWork start(Slots slots, String owner, Duration lease) {
    subAgents.thinkOn(slots);
    toolbox.background().start(owner, lease);
    var watching = servers.start();
    var turns =
        new TurnDispatcher(ground.database(), ground.events(), slots, turnParts(), owner, lease);
    var alarms = new TimedWork(sweeps(), ground.events().bell());
    return () -> {
      alarms.close();
      turns.close();
      toolbox.background().close();
      watching.close();
      providers.close();
    };
  }

  /// What time alone brings about; each says how much it did.
  public List<IntSupplier> sweeps() {
    return List.of(
        messages::expire,
        reminders::fire,
        spaces.turns()::goOnWithout,
        intentions.due()::fire,
        running::interruptOverdue,
        spending::settleLeftBehind,
        gateway.answers()::expire,
        toolbox.background()::sweep,
        providers::rest,
        harvest::gather,
        new CredentialPurge(ground.database(), ground.clock())::sweep,
        new CallKeyPurge(ground.database(), ground.clock())::sweep);
  }

  public TurnParts turnParts() {
    return new TurnParts(
        ground.events(),
        messages.delivery(),
        subscriptions,
        spaces.turns(),
        providers,
        toolbox,
        prompts(),
        transcript,
        spending,
        new ProviderApprovals(ground.events(), pendingCalls, ground.clock()),
        forks,
        running,
        ground.telemetry(),
        ground.clock(),
        ground.pace());
  }

  public EngineDependencies ground() {
    return ground;
  }

  /// Runs `work`, which only reads, on a snapshot of the database.
  public <T> T read(Database.Work<T> work) {
    return ground.database().read(work);
  }

  public EventLog events() {
    return ground.events();
  }

  public QueueStatus outlook() {
    return new QueueStatus(ground.database(), running, ground.clock());
  }

  public Agents agents() {
    return agents;
  }

  public Messages messages() {
    return messages;
  }

  public Spaces spaces() {
    return spaces;
  }

  public Providers providers() {
    return providers;
  }

  public ToolPipeline toolbox() {
    return toolbox;
  }

  public PromptBuilder prompts() {
    return new PromptBuilder(ground.database(), toolbox, ground.clock());
  }

  public PendingCalls pendingCalls() {
    return pendingCalls;
  }

  public CustomTools gateway() {
    return gateway;
  }

  public RemoteServers remoteServers() {
    return servers;
  }

  public Memory memory() {
    return memory;
  }

  public Transcript transcript() {
    return transcript;
  }

  public RunSteps steps() {
    return new RunSteps(ground.database());
  }

  public AgentInspection inspection() {
    return inspection;
  }

  public GoalsAndPlans intentions() {
    return intentions;
  }

  public RunningTurns running() {
    return running;
  }

  public Runs runs() {
    return new Runs(ground.database());
  }

  public RunForks forks() {
    return forks;
  }

  /// Replays use the same slots as turns; the caller closes them.
  public RunReplays replays(Slots slots) {
    return new RunReplays(ground.database(), providers, toolbox, slots);
  }

  public ExternalRuns externalRuns() {
    return new ExternalRuns(ground.database(), ground.clock());
  }

  public TurnCancellation cancellation() {
    return new TurnCancellation(
        ground.database(),
        ground.events(),
        messages.delivery(),
        subscriptions,
        spaces.turns(),
        running,
        ground.clock());
  }

  public Budgets budgets() {
    return new Budgets(ground.database(), ground.events());
  }

  public TurnSpending spending() {
    return spending;
  }

  public Credentials credentials() {
    return new Credentials(ground.database(), ground.events(), ground.clock());
  }

  public TokenRotation rotation() {
    return new TokenRotation(ground.database(), ground.events(), ground.clock());
  }
}

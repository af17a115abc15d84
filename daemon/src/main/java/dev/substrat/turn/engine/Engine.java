package dev.substrat.turn.engine;

import dev.substrat.access.budget.Budgets;
import dev.substrat.access.credential.CredentialPurge;
import dev.substrat.access.credential.Credentials;
import dev.substrat.access.credential.TokenRotation;
import dev.substrat.access.limit.TokenBuckets;
import dev.substrat.memory.MemoryFeatures;
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
import dev.substrat.tool.transcript.CallDetails;
import dev.substrat.tool.transcript.RunSteps;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.toolset.approval.ProviderApprovals;
import dev.substrat.toolset.custom.CustomTools;
import dev.substrat.toolset.remote.RemoteServers;
import dev.substrat.toolset.team.AgentInspection;
import dev.substrat.toolset.team.Reminders;
import dev.substrat.toolset.team.TurnSubscriptions;
import dev.substrat.toolset.workspace.WorkReporter;
import dev.substrat.turn.PeriodicTask;
import dev.substrat.turn.TurnCancellation;
import dev.substrat.turn.TurnDependencies;
import dev.substrat.turn.TurnDispatcher;
import dev.substrat.turn.replay.RunForks;
import dev.substrat.turn.replay.RunReplays;
import dev.substrat.turn.run.EndedTurnDetails;
import dev.substrat.turn.run.ExternalRuns;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.run.TurnSpending;
import dev.substrat.turn.scheduling.QueueStatus;
import dev.substrat.turn.scheduling.RunningTurns;
import dev.substrat.turn.scheduling.Slots;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.IntSupplier;

/// All features on one database, without HTTP. Constructing it starts nothing: its owner calls
/// [#start], or a test drives it step by step.
public final class Engine {
  private final EngineDependencies dependencies;
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
  private final GoalsAndPlans goalsAndPlans;
  private final ToolPipeline pipeline;
  private final RunForks forks;
  private final SubAgentTurns subAgents;
  private final PendingCalls pendingCalls;
  private final CustomTools customTools;
  private final RemoteServers servers;
  private final WorkReporter workReports;
  private final MemoryFeatures memory;

  /// Without endpoints: agents call their tools through their providers only.
  public Engine(EngineDependencies dependencies) {
    this(dependencies, AgentEndpoints.NONE);
  }

  /// With endpoints at which provider programs reach the tools of their agents.
  public Engine(EngineDependencies dependencies, AgentEndpoints endpoints) {
    this(dependencies, endpoints.providers(dependencies));
  }

  /// With providers chosen by the caller.
  public Engine(EngineDependencies dependencies, Providers providers) {
    this.dependencies = dependencies;
    this.providers = providers;
    Database database = dependencies.database();
    EventLog events = dependencies.events();
    InstantSource clock = dependencies.clock();
    this.messages = new Messages(database, events, clock);
    this.spaces = new Spaces(database, events, clock, dependencies.guards());
    this.spending = new TurnSpending(database, messages.budgetNotices(), events, clock);
    this.subAgents = new SubAgentTurns(dependencies, providers, spending);
    this.pendingCalls = new PendingCalls(database, events, clock);
    this.customTools = dependencies.gateway(pendingCalls, spaces, subAgents);
    this.servers = dependencies.remoteServers();
    this.workReports = new WorkReporter(database, events, clock, dependencies.workspaces());
    this.running = new RunningTurns(clock);
    this.subscriptions = new TurnSubscriptions(database, events, clock);
    this.goalsAndPlans = GoalsAndPlans.of(database, events, clock);
    var farewells =
        new TerminationCleanup(
            dependencies,
            messages,
            spaces,
            customTools,
            workReports,
            goalsAndPlans,
            subscriptions,
            running);
    this.agents = new Agents(database, events, clock, farewells);
    this.transcript = new Transcript(database, clock);
    this.inspection = new AgentInspection(database, messages, events);
    this.reminders = new Reminders(database, events, clock);
    this.memory = MemoryFeatures.in(database, events, clock, dependencies.search());
    this.pipeline =
        new ToolPipeline(
            new BuiltInTools(
                    dependencies,
                    messages,
                    agents,
                    subscriptions,
                    reminders,
                    inspection,
                    spaces,
                    memory,
                    goalsAndPlans,
                    workReports)
                .toolsets(agent -> pipeline().listedNow(agent)),
            // What comes later cannot take a name.
            List.of(customTools.tools(), customTools.withMiddleware(servers)),
            customTools.display(),
            new ToolPipeline.PipelineDependencies(
                database,
                events,
                transcript,
                new CallLimits(new TokenBuckets(clock)),
                new UnreadMessages(database, clock),
                customTools.answers(),
                dependencies.telemetry(),
                clock));
    this.forks = new RunForks(database, events, agents, providers);
    events.complete("message_sent", messages.eventDetails());
    events.complete("tool_called", new CallDetails());
    events.complete("turn_ended", new EndedTurnDetails());
  }

  /// A running engine, until it is closed.
  public interface RunningEngine extends AutoCloseable {
    @Override
    void close();
  }

  /// Starts turns, at most as many at a time as there are `slots`, until it is closed. `owner`
  /// identifies this daemon, also after a restart, and no other one.
  public RunningEngine start(Slots slots, String owner) {
    return start(slots, owner, DaemonSettings.DEFAULT_LEASE);
  }

  /// With leases that expire after `lease` unless they are renewed.
  public RunningEngine start(Slots slots, String owner, Duration lease) {
    return start(slots, owner, lease, DaemonSettings.DEFAULT_STOP_GRACE);
  }

  /// Closing it waits up to `stopGrace` for running turns.
  public RunningEngine start(Slots slots, String owner, Duration lease, Duration stopGrace) {
    subAgents.useSlots(slots);
    pipeline.background().start(owner, lease);
    var watching = servers.start();
    var turns =
        new TurnDispatcher(
            dependencies.database(),
            dependencies.events(),
            slots,
            turnParts(),
            owner,
            lease,
            stopGrace);
    var alarms = new PeriodicTask(sweeps(), dependencies.events().commits());
    return () -> {
      // Running turns need timed work until they end: it renews the leases of pending calls.
      turns.close();
      alarms.close();
      pipeline.background().close();
      watching.close();
      providers.close();
    };
  }

  /// Work that becomes due by time; each sweep returns how much it did.
  public List<IntSupplier> sweeps() {
    return List.of(
        messages::expire,
        reminders::fire,
        spaces.turns()::skipOverdue,
        goalsAndPlans.due()::fire,
        running::interruptOverdue,
        spending::settleLeftBehind,
        customTools.answers()::expire,
        pipeline.background()::sweep,
        providers::closeIdle,
        workReports::sendDue,
        new CredentialPurge(dependencies.database(), dependencies.clock())::sweep,
        new CallKeyPurge(dependencies.database(), dependencies.clock())::sweep);
  }

  public TurnDependencies turnParts() {
    return new TurnDependencies(
        dependencies.events(),
        messages.delivery(),
        subscriptions,
        spaces.turns(),
        providers,
        pipeline,
        prompts(),
        transcript,
        spending,
        new ProviderApprovals(dependencies.events(), pendingCalls, dependencies.clock()),
        forks,
        running,
        dependencies.telemetry(),
        dependencies.clock(),
        dependencies.pace());
  }

  public EngineDependencies dependencies() {
    return dependencies;
  }

  /// Runs `work`, which only reads, on a snapshot of the database.
  public <T> T read(Database.TransactionBody<T> work) {
    return dependencies.database().read(work);
  }

  public EventLog events() {
    return dependencies.events();
  }

  public QueueStatus queueStatus() {
    return new QueueStatus(dependencies.database(), running, dependencies.clock());
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

  public ToolPipeline pipeline() {
    return pipeline;
  }

  public PromptBuilder prompts() {
    return new PromptBuilder(dependencies.database(), pipeline, dependencies.clock());
  }

  public PendingCalls pendingCalls() {
    return pendingCalls;
  }

  public CustomTools customTools() {
    return customTools;
  }

  public RemoteServers remoteServers() {
    return servers;
  }

  public MemoryFeatures memory() {
    return memory;
  }

  public Transcript transcript() {
    return transcript;
  }

  public RunSteps steps() {
    return new RunSteps(dependencies.database());
  }

  public AgentInspection inspection() {
    return inspection;
  }

  public GoalsAndPlans goalsAndPlans() {
    return goalsAndPlans;
  }

  public RunningTurns running() {
    return running;
  }

  public Runs runs() {
    return new Runs(dependencies.database());
  }

  public RunForks forks() {
    return forks;
  }

  /// Replays use the same slots as turns; the caller closes them.
  public RunReplays replays(Slots slots) {
    return new RunReplays(dependencies.database(), providers, pipeline, slots);
  }

  public ExternalRuns externalRuns() {
    return new ExternalRuns(dependencies.database(), dependencies.clock());
  }

  public TurnCancellation cancellation() {
    return new TurnCancellation(
        dependencies.database(),
        dependencies.events(),
        messages.delivery(),
        subscriptions,
        spaces.turns(),
        running,
        dependencies.clock());
  }

  public Budgets budgets() {
    return new Budgets(dependencies.database(), dependencies.events());
  }

  public TurnSpending spending() {
    return spending;
  }

  public Credentials credentials() {
    return new Credentials(dependencies.database(), dependencies.events(), dependencies.clock());
  }

  public TokenRotation rotation() {
    return new TokenRotation(dependencies.database(), dependencies.events(), dependencies.clock());
  }
}

package dev.substrat.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.tool.execution.BackgroundCalls;
import dev.substrat.tool.execution.CallAttempt;
import dev.substrat.tool.execution.CallExecutor;
import dev.substrat.tool.execution.CallRecord;
import dev.substrat.tool.execution.CallRecorder;
import dev.substrat.tool.execution.CallRecovery;
import dev.substrat.tool.execution.PendingResults;
import dev.substrat.tool.transcript.Transcript;
import io.opentelemetry.api.trace.SpanKind;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;

/// Pipeline of every tool call: rate limit, find the tool, repair and validate the arguments, then
/// execute and record ([CallExecutor]).
///
/// A failed tool gives the agent an error that it can correct; it never ends the turn. Each call
/// has one row for the call and one for the result, written by [CallRecord] only.
public final class ToolPipeline {
  private final AgentToolResolver resolver;
  private final DeferredToolLoading findTools;
  private final CallDisplay display;
  private final PipelineDependencies parts;
  private final CallRecorder recorder;
  private final BackgroundCalls background;
  private final CallExecutor executor;

  /// A pipeline without tool sources and without a display.
  public ToolPipeline(List<Toolset> toolsets, PipelineDependencies parts) {
    this(toolsets, List.of(), CallDisplay.NONE, parts);
  }

  public ToolPipeline(
      List<Toolset> toolsets,
      List<ToolSource> sources,
      CallDisplay display,
      PipelineDependencies parts) {
    this.findTools = new DeferredToolLoading(parts.database(), parts.events(), this::available);
    this.resolver =
        new AgentToolResolver(
            toolsets, Stream.concat(Stream.of(findTools), sources.stream()).toList());
    this.display = display;
    this.parts = parts;
    var recovery = new CallRecovery(parts.database(), parts.results(), this::require, display);
    this.background = new BackgroundCalls(parts.database(), parts.results(), recovery);
    this.recorder =
        new CallRecorder(
            parts.database(),
            new CallRecord(parts.transcript(), parts.events()),
            parts.unread(),
            display,
            background,
            parts.clock());
    this.executor =
        new CallExecutor(parts.database(), display, recorder, background, parts.clock());
  }

  /// Dependencies of the pipeline.
  public record PipelineDependencies(
      Database database,
      EventLog events,
      Transcript transcript,
      CallLimits limits,
      UnreadSummary.UnreadSource unread,
      PendingResults results,
      Telemetry telemetry,
      InstantSource clock) {}

  /// A result, and the summary of unread inbox events that is sent with it.
  public record ResultWithUnread(ToolResult reply, UnreadSummary unread) {

    /// A recorded answer.
    public static ResultWithUnread recorded(ObjectNode result, JsonNode beside) {
      String hint = beside.path("hint").isTextual() ? beside.path("hint").asText() : null;
      return new ResultWithUnread(
          ToolResult.recorded(result, hint), UnreadSummary.recorded(beside.path("inbox")));
    }

    /// Additions to the tool's own object: a hint and the unread summary. May be empty.
    public ObjectNode beside() {
      var beside = Json.object();
      if (!(reply instanceof ToolResult.Failed) && reply.hint() != null) {
        beside.put("hint", reply.hint());
      }
      if (!unread.isEmpty()) {
        beside.set("inbox", unread.json());
      }
      return beside;
    }
  }

  /// All tools that an agent can call, in a fixed order. Returns the same object until they change.
  public List<Tool> of(Agent agent) {
    return resolver.of(agent).tools();
  }

  /// The tools that are listed for an agent: those it can call, without unlisted ones
  /// ([Toolset#unlisted], [Tool#isListedFor], [DeferredToolLoading]). If the tools of a server are
  /// not known yet, it waits briefly for them. The list is the same object until it changes.
  public List<Tool> listed(Agent agent) {
    return findTools.listed(agent, available(agent));
  }

  /// The same, with tools that an agent with deferred tool loading has not loaded yet.
  public List<Tool> available(Agent agent) {
    return resolver.settled(agent).listedFor(agent);
  }

  /// Like [#listed], without waiting for servers.
  public List<Tool> listedNow(Agent agent) {
    return findTools.listed(agent, resolver.of(agent).listedFor(agent));
  }

  /// The calls that the daemon executes in the background.
  public BackgroundCalls background() {
    return background;
  }

  private Tool require(Agent agent, String name) {
    return resolver.settled(agent).require(name, () -> resolver.missing(agent, name));
  }

  /// See [AgentToolResolver#inputs].
  public SortedMap<String, JsonSchema> inputs(AgentConfig config) {
    return resolver.inputs(config);
  }

  /// The names of all built-in tools.
  public Set<String> builtIn() {
    return resolver.builtIn();
  }

  /// Shows a call of a visible tool while the provider is still writing it.
  public CallDisplay.CallDraft draft(ToolCaller caller, String callId, String name) {
    Tool tool = resolver.of(caller.agent()).byName().get(name);
    return tool != null && tool.isShown()
        ? display.draft(caller, callId, tool)
        : CallDisplay.CallDraft.UNSEEN;
  }

  public ResultWithUnread call(ToolCall call, String name, ObjectNode arguments) {
    ToolCaller caller = call.caller();
    return parts
        .telemetry()
        .inSpan(
            "tool " + name,
            SpanKind.INTERNAL,
            Map.of("substrat.agent", caller.agent().handle(), "substrat.tool", name),
            () -> answer(call, name, arguments));
  }

  private ResultWithUnread answer(ToolCall call, String name, ObjectNode arguments) {
    CallRecord.RecordableCall made = new CallRecord.RecordableCall(call, name, arguments);
    ToolIndex tools = resolver.of(call.caller().agent());
    boolean isKnown = tools.byName().containsKey(name) || resolver.contains(name);
    var refused = parts.limits().refuse(call.caller(), name, isKnown);
    if (refused.isPresent()) {
      return refuse(made, refused.get());
    }
    Tool tool;
    try {
      tools = isKnown ? tools : settled(made);
      tool = tools.require(name, () -> resolver.missing(call.caller().agent(), name));
      made = made.with(tool.repair(arguments));
      if (resolver.contains(name)) {
        made = made.meaning(LenientArguments.of(tool.input().json(), arguments));
      }
      tool.input().require(made.meant());
    } catch (RuntimeException e) {
      return recorder.record(made, CallAttempt.refusal(made, e));
    }
    return executor.execute(tool, made);
  }

  /// See [ToolSource#withheld].
  public Optional<ToolSource.UnavailableTool> withheld(Agent agent, String name) {
    return resolver.withheld(agent, name);
  }

  /// Waits for servers, then checks the fence: the turn may have lost its lease meanwhile.
  private ToolIndex settled(CallRecord.RecordableCall made) {
    ToolIndex tools = resolver.settled(made.call().caller().agent());
    return recorder.fenced(made, _ -> tools);
  }

  /// A rejection by a rate limit depends on the clock, so the record of a turn needs it for replay.
  /// Rejected calls of external agents are not recorded: a commit for each would defeat the limit.
  private ResultWithUnread refuse(CallRecord.RecordableCall made, ToolResult reply) {
    var answer = new ResultWithUnread(reply, UnreadSummary.NONE);
    return made.call().caller().isExternal() ? answer : recorder.recordKnown(made, answer, false);
  }

  /// Records an answer that is known from another run's record. The tool does not run.
  public ResultWithUnread replay(
      ToolCall call, String name, ObjectNode arguments, ResultWithUnread known) {
    return recorder.recordKnown(new CallRecord.RecordableCall(call, name, arguments), known, true);
  }
}

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
import dev.substrat.tool.execution.CallExecutor;
import dev.substrat.tool.execution.CallLimits;
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

/// The one way every tool call takes: limit, find, validate, record, run, record.
///
/// A tool that fails gives an answer the agent can work with; it never ends the turn. Each call has
/// one row for the call and one for the return, written by [CallRecord] and nowhere else.
public final class ToolPipeline {
  private final AgentToolResolver kits;
  private final FindTools deferred;
  private final CallDisplay stage;
  private final Parts parts;
  private final CallRecorder recorder;
  private final BackgroundCalls background;
  private final CallExecutor executor;

  /// With nothing but toolsets, and nobody who looks on.
  public ToolPipeline(List<Toolset> toolsets, Parts parts) {
    this(toolsets, List.of(), CallDisplay.DARK, parts);
  }

  public ToolPipeline(
      List<Toolset> toolsets, List<ToolSource> sources, CallDisplay stage, Parts parts) {
    this.deferred = new FindTools(parts.database(), parts.events(), this::available);
    this.kits =
        new AgentToolResolver(
            toolsets, Stream.concat(Stream.of(deferred), sources.stream()).toList());
    this.stage = stage;
    this.parts = parts;
    var calls = new CallRecord(parts.transcript(), parts.events());
    this.recorder = new CallRecorder(parts.database(), calls, parts.news());
    var recovery = new CallRecovery(parts.database(), parts.results(), this::require, stage);
    this.background = new BackgroundCalls(parts.database(), parts.results(), recovery);
    this.executor = new CallExecutor(parts, stage, calls, recorder, background);
  }

  /// What the pipeline works with.
  public record Parts(
      Database database,
      EventLog events,
      Transcript transcript,
      CallLimits limits,
      UnreadSummary.Source news,
      PendingResults results,
      Telemetry telemetry,
      InstantSource clock) {}

  /// A reply, and what has arrived meanwhile.
  public record Answer(ToolResult reply, UnreadSummary news) {

    /// An answer that was given before, exactly as it was.
    public static Answer recorded(ObjectNode result, JsonNode beside) {
      String hint = beside.path("hint").isTextual() ? beside.path("hint").asText() : null;
      return new Answer(
          ToolResult.recorded(result, hint), UnreadSummary.recorded(beside.path("inbox")));
    }

    /// What the agent gets besides the tool's own object; empty if there is nothing to say.
    public ObjectNode beside() {
      var beside = Json.object();
      if (!(reply instanceof ToolResult.Failed) && reply.hint() != null) {
        beside.put("hint", reply.hint());
      }
      if (!news.isEmpty()) {
        beside.set("inbox", news.json());
      }
      return beside;
    }
  }

  /// All tools that an agent can call, in an order that never changes. The list is the same object
  /// until it does.
  public List<Tool> of(Agent agent) {
    return kits.of(agent).tools();
  }

  /// The tools that an agent is told about: those it can call, without those that are not listed
  /// for it ([Toolset#unlisted], [Tool#isListedFor], [FindTools]). If it is not known yet what some
  /// server offers, it waits a little for that. The list is the same object until it changes.
  public List<Tool> listed(Agent agent) {
    return deferred.listed(agent, available(agent));
  }

  /// The same, with those that an agent with deferred tools has not loaded yet.
  public List<Tool> available(Agent agent) {
    return kits.settled(agent).listedFor(agent);
  }

  /// The same as far as it is known now.
  public List<Tool> listedNow(Agent agent) {
    return deferred.listed(agent, kits.of(agent).listedFor(agent));
  }

  /// Calls that leave the daemon.
  public BackgroundCalls background() {
    return background;
  }

  private Tool require(Agent agent, String name) {
    return kits.settled(agent).require(name, () -> kits.missing(agent, name));
  }

  /// See [AgentToolResolver#inputs].
  public SortedMap<String, JsonSchema> inputs(AgentConfig config) {
    return kits.inputs(config);
  }

  /// The names of all tools that are built in, whoever has them.
  public Set<String> builtIn() {
    return kits.builtIn();
  }

  /// A call that the agent's mind is writing; if it is one to be seen, it is.
  public CallDisplay.Draft draft(ToolCaller caller, String callId, String name) {
    Tool tool = kits.of(caller.agent()).byName().get(name);
    return tool != null && tool.isShown()
        ? stage.draft(caller, callId, tool)
        : CallDisplay.Draft.UNSEEN;
  }

  public Answer call(ToolCall call, String name, ObjectNode arguments) {
    ToolCaller caller = call.caller();
    return parts
        .telemetry()
        .inSpan(
            "tool " + name,
            SpanKind.INTERNAL,
            Map.of("substrat.agent", caller.agent().handle(), "substrat.tool", name),
            () -> answer(call, name, arguments));
  }

  private Answer answer(ToolCall call, String name, ObjectNode arguments) {
    CallRecord.Made made = new CallRecord.Made(call, name, arguments);
    ToolIndex kit = kits.of(call.caller().agent());
    boolean isKnown = kit.byName().containsKey(name) || kits.contains(name);
    var refused = parts.limits().refuse(call.caller(), name, isKnown);
    if (refused.isPresent()) {
      return refuse(made, refused.get());
    }
    Tool tool;
    try {
      kit = isKnown ? kit : settled(made);
      tool = kit.require(name, () -> kits.missing(call.caller().agent(), name));
      made = made.with(tool.repair(arguments));
      if (kits.contains(name)) {
        made = made.meaning(LenientArguments.of(tool.input().json(), arguments));
      }
      tool.input().require(made.meant());
    } catch (RuntimeException e) {
      return recorder.record(made, CallAttempt.refusal(made, e));
    }
    return executor.execute(tool, made);
  }

  /// See [ToolSource#withheld].
  public Optional<ToolSource.Withheld> withheld(Agent agent, String name) {
    return kits.withheld(agent, name);
  }

  /// It may have taken a while, in which a turn is lost or an agent ends.
  private ToolIndex settled(CallRecord.Made made) {
    ToolIndex kit = kits.settled(made.call().caller().agent());
    return recorder.fenced(made, _ -> kit);
  }

  /// A refusal depends on the clock, so a turn's record needs it; a turn makes only so many calls.
  /// What a mind elsewhere tries is not recorded: a limit that costs a commit for each refusal
  /// would protect nobody.
  private Answer refuse(CallRecord.Made made, ToolResult reply) {
    var answer = new Answer(reply, UnreadSummary.NONE);
    return made.call().caller().isExternal() ? answer : recorder.known(made, answer, false);
  }

  /// Gives an answer that is known from another run's record: it is written down, and nothing is
  /// done.
  public Answer replay(ToolCall call, String name, ObjectNode arguments, Answer known) {
    return recorder.known(new CallRecord.Made(call, name, arguments), known, true);
  }
}

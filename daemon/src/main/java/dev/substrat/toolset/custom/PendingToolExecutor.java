package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.toolconfig.CustomToolConfig;
import dev.substrat.team.toolconfig.ExecutionType;
import dev.substrat.team.toolconfig.ToolDisplay;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.toolset.custom.middleware.RedactMiddleware;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Executes a tool whose result arrives later: the call is stored with everything needed to answer
/// it, and the agent continues.
record PendingToolExecutor(
    Database database, PendingCalls calls, CustomToolConfig config, RedactMiddleware redaction)
    implements ToolExecutor {
  private static final Set<String> ASKED_ANYWHERE = Set.of("form", "text", "choice");

  @Override
  public ToolResult run(ToolCall call, ObjectNode arguments) {
    PendingCall kept = database.transact(tx -> open(tx, call, arguments));
    return config.executionType() == ExecutionType.SPACE
        ? new ToolResult.Pending(kept, hint(call))
        : new ToolResult.Pending(kept);
  }

  /// Says who was asked, and where the result arrives.
  private static String hint(ToolCall call) {
    return "A person has been asked to answer, under Approvals in the console or with "
        + "`substrat pending list`. "
        + (call.caller().isExternal()
            ? "The answer will be in check_inbox, as a tool_result."
            : "The answer starts a later turn of yours, as a tool_result.")
        + " Do not wait for it and do not ask again.";
  }

  PendingCall open(Tx tx, ToolCall call, ObjectNode arguments) {
    return calls.open(
        tx,
        new PendingCalls.NewPendingCall(
            call.caller().agent().id().value(),
            call.caller().run().value(),
            config.name(),
            arguments,
            questions(call, arguments),
            patience(),
            display(),
            RunInputEvents.pendingChain(tx, call.caller()),
            new PendingCall.CallOrigin(call.id(), List.copyOf(redaction.keys()))));
  }

  /// The timeout of a tool that hands over is for that; its result may come as long as the address
  /// for it holds.
  private @Nullable Duration patience() {
    if (config.isExternalCallback()) {
      return CallbackUrls.MAX_DURATION;
    }
    Long timeout = config.executionOrNone().timeout();
    return timeout == null ? null : Duration.ofMillis(timeout);
  }

  /// An external agent has a client, and perhaps a person in front of it who can answer there. But
  /// that person cannot be distinguished from the agent, so only questions of information are asked
  /// there: an approval needs a known person.
  private ObjectNode questions(ToolCall call, ObjectNode arguments) {
    var questions = Json.object();
    AnswerForm form = AnswerForm.of(config.name(), display(), arguments);
    boolean mayAskThere =
        config.executionType() == ExecutionType.SPACE
            && call.caller().isExternal()
            && ASKED_ANYWHERE.contains(form.component())
            && redaction.isNone()
            && form.isFlat();
    if (mayAskThere) {
      questions
          .putObject(PendingCallCompletion.ASKED)
          .put("method", "elicitation/create")
          .putObject("params")
          .put("mode", "form")
          .put("message", form.title() + ": " + form.text())
          .set("requestedSchema", form.schema());
    }
    return questions;
  }

  private ObjectNode display() {
    ToolDisplay display = config.displayOrNone();
    var shown =
        Json.object()
            .put("executionType", config.executionType().toString())
            .put("component", display.customUI())
            .put("title", display.title() == null ? config.name() : display.title())
            .put("description", config.descriptionOrName());
    shown.set("inputSchema", config.inputSchema() == null ? Json.object() : config.inputSchema());
    return shown;
  }
}

package dev.substrat.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.mcp.spi.McpTask;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.server.mcp.PendingTasks;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Tools whose result arrives later, stored as real pending calls.
final class DeferredResultTools {
  static final String OWNER = "suite";

  private final Database database;
  private final PendingCalls calls;
  private final PendingTasks tasks;

  DeferredResultTools(Database database, PendingCalls calls) {
    this.database = database;
    this.calls = calls;
    this.tasks = new PendingTasks(database, calls, result -> result, new Ends(calls));
  }

  void register(Fixtures fixtures) {
    fixtures.tool("slow_compute", this::slow);
    fixtures.tool("failing_job", (arguments, contact) -> failing(arguments, contact));
    fixtures.tool("protocol_error_job", (arguments, contact) -> breaking(arguments, contact));
    fixtures.tool(
        "confirm_delete", (arguments, _) -> asking("confirm_delete", arguments, "confirm"));
    fixtures.tool("multi_input", (arguments, _) -> asking("multi_input", arguments, "one", "two"));
    fixtures.tool("test_tool_with_task", this::askThenWork);
  }

  private McpOutcome slow(ObjectNode arguments, ClientChannel contact) {
    int seconds = arguments.path("seconds").asInt();
    if (!contact.client().hasTasks()) {
      return Content.said("computed at once");
    }
    PendingCall call = open("slow_compute", arguments, Json.object());
    later(seconds * 1_000L, call, said("computed " + arguments.path("label").asText()));
    return deferred(call);
  }

  private McpOutcome failing(ObjectNode arguments, ClientChannel contact) {
    contact.client().requireTasks();
    PendingCall call = open("failing_job", arguments, Json.object());
    later(200, call, said("the job failed").put("isError", true));
    return deferred(call);
  }

  private McpOutcome breaking(ObjectNode arguments, ClientChannel contact) {
    contact.client().requireTasks();
    PendingCall call = open("protocol_error_job", arguments, Json.object());
    in(100, () -> database.transact(tx -> calls.fail(tx, call.id(), "it broke")));
    return deferred(call);
  }

  private McpOutcome asking(String tool, ObjectNode arguments, String... names) {
    var questions = Json.object();
    for (String name : names) {
      questions.set(name, ElicitationTools.elicitation("Please say: " + name, name));
    }
    return deferred(open(tool, arguments, questions));
  }

  private McpOutcome askThenWork(ObjectNode arguments, ClientChannel contact) {
    contact.client().requireTasks();
    JsonNode name = contact.answers().at("/user_name/content/name");
    if (name.isMissingNode()) {
      return ElicitationTools.ask(
          "user_name", ElicitationTools.elicitation("What is your name?", "name"));
    }
    PendingCall call = open("test_tool_with_task", arguments, Json.object());
    later(100, call, said("Hello, " + name.asText() + "!"));
    return deferred(call);
  }

  private PendingCall open(String tool, ObjectNode arguments, ObjectNode questions) {
    var opening =
        new PendingCalls.NewPendingCall(
            OWNER, null, tool, arguments, questions, Duration.ofMinutes(10));
    return database.transact(tx -> calls.open(tx, opening));
  }

  private void later(long millis, PendingCall call, ObjectNode result) {
    in(millis, () -> database.transact(tx -> calls.complete(tx, call.id(), result)));
  }

  private static void in(long millis, Runnable work) {
    CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(work);
  }

  private McpOutcome deferred(PendingCall call) {
    return new McpOutcome.TaskStarted(tasks.task(call), said("pending"));
  }

  private static ObjectNode said(String text) {
    var result = Json.object().put("isError", false);
    result.putArray("content").add(Content.text(text));
    return result;
  }

  Optional<McpTask> task(String id) {
    return tasks.find(OWNER, id);
  }

  /// With the last answer the work can be done.
  boolean answer(String id, ObjectNode answers) {
    boolean known = tasks.answer(OWNER, id, answers);
    calls
        .find(OWNER, id)
        .filter(call -> call.status() == PendingCall.PendingCallStatus.PENDING)
        .ifPresent(call -> later(50, call, said("answered: " + call.answers())));
    return known;
  }

  boolean cancel(String id) {
    return tasks.cancel(OWNER, null, id);
  }

  /// With the last answer the work begins; see [#answer].
  private record Ends(PendingCalls calls) implements PendingTasks.TaskCompletionHandler {
    @Override
    public void require(PendingCall call, ObjectNode answers) {}

    @Override
    public void answered(Tx tx, PendingCall call) {}

    @Override
    public void cancelled(Tx tx, PendingCall call, @Nullable RunId run) {
      calls.cancel(tx, call.id());
    }
  }
}

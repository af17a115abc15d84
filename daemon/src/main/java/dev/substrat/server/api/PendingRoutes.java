package dev.substrat.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.toolset.custom.AnswerForm;
import dev.substrat.toolset.custom.CallbackUrls;
import dev.substrat.toolset.custom.CustomTools;
import dev.substrat.toolset.custom.PendingCallAccess;
import dev.substrat.toolset.custom.PendingCallCompletion;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// HTTP routes of pending calls.
public final class PendingRoutes {
  private static final int MAX_PAGE_SIZE = 200;

  private final Database database;
  private final PendingCalls calls;
  private final PendingCallCompletion answers;
  private final CallbackUrls callbacks;

  public PendingRoutes(Database database, PendingCalls calls, CustomTools gateway) {
    this.database = database;
    this.calls = calls;
    this.answers = gateway.answers();
    this.callbacks = gateway.callbacks();
  }

  /// The result of a call, under its id.
  public record CallResultRequest(String callId, JsonNode result) {}

  /// The result of a call, or a refusal with its reason.
  public record AnswerRequest(
      @Nullable JsonNode result,
      @JsonPropertyDescription("true: decline the call.") @Nullable Boolean declined,
      @Nullable String reason,
      @JsonPropertyDescription(
              "argsHash of the call that the person saw. If the call has another argsHash, the"
                  + " request fails with CONFLICT.")
          @Nullable String argsHash) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
                "/api/pending",
                Scope.APPROVALS_READ,
                "List calls that wait for a person or a service, oldest first.",
                this::list)
            .withQuery("agent", "Only calls of this agent.")
            .withQuery("status", "Status: pending (default), resolved or all.")
            .withQuery("byDaemon", "true: also calls that the daemon executes itself.")
            .withQuery("limit", "Maximum number of calls, up to " + MAX_PAGE_SIZE + ".")
            .withQuery("after", "`next` of the previous page."),
        HttpRoute.read(
            "/api/pending/{id}",
            Scope.APPROVALS_READ,
            "Return a pending call, with the question and its form.",
            this::show),
        HttpRoute.write(
            "/api/pending/{id}/answer",
            Scope.APPROVALS_ANSWER,
            "Answer or decline a call.",
            AnswerRequest.class,
            this::answer),
        HttpRoute.write(
            "/api/runs/{id}/tool-results",
            Scope.APPROVALS_ANSWER,
            "Submit the result of a call of a run.",
            CallResultRequest.class,
            this::toolResult),
        HttpRoute.write(
                "/api/callbacks/{id}",
                RouteAccess.PUBLIC,
                "Submit the result of a call at its callback URL, as an external service; the body"
                    + " is the result.",
                null,
                this::callback)
            .withQuery("expires", "Part of the callback URL.")
            .withQuery("signature", "Part of the callback URL."));
  }

  /// A pending call. `outcome` is answered, declined, expired, cancelled or failed. With `byDaemon`
  /// the daemon executes it and no person is asked. `callbackUrl` is shown to the operator only:
  /// everyone who has it can answer as the service until it expires.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record PendingCallView(
      String callId,
      @Nullable String runId,
      String agentId,
      String agent,
      String tool,
      ObjectNode args,
      String argsHash,
      String status,
      @Nullable String outcome,
      @Nullable ObjectNode result,
      @Nullable String spaceId,
      @Nullable String messageId,
      Instant createdAt,
      @Nullable Instant expiresAt,
      @Nullable Instant shownAt,
      @Nullable String answeredBy,
      boolean forService,
      boolean byDaemon,
      @Nullable String callbackUrl,
      AnswerForm form) {}

  /// `next` is the position of the next page, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record PendingCallPage(List<PendingCallView> pending, @Nullable String next) {}

  private HttpReply list(HttpExchange exchange) {
    int limit = exchange.limit(MAX_PAGE_SIZE);
    String after = exchange.query("after").orElse("");
    Boolean isOpen = isOpen(exchange.query("status").orElse("pending"));
    List<PendingCall> found =
        database.read(tx -> {
          String agent =
              exchange
                  .query("agent")
                  .map(name -> AgentTree.require(tx, name).id().value())
                  .orElse(null);
          var filter = new PendingCalls.PendingCallFilter(agent, isOpen, exchange.flag("byDaemon"));
          return PendingCalls.list(tx, exchange.caller(), filter, after, limit);
        });
    calls.shown(found);
    List<String> handles =
        database.read(tx -> found.stream().map(call -> handle(tx, call)).toList());
    List<PendingCallView> views =
        IntStream.range(0, found.size())
            .mapToObj(i -> view(exchange, found.get(i), handles.get(i)))
            .toList();
    return HttpReply.ok(
        new PendingCallPage(views, views.size() < limit ? null : found.getLast().id()));
  }

  private static @Nullable Boolean isOpen(String status) {
    return switch (status) {
      case "pending" -> true;
      case "resolved" -> false;
      case "all" -> null;
      default ->
          throw ErrorCode.INVALID_ARGUMENTS.fault(
              "status must be pending, resolved or all, not \"" + status + "\"",
              "omit the parameter for pending");
    };
  }

  private HttpReply show(HttpExchange exchange) {
    PendingCall call = require(exchange, exchange.name("id"));
    calls.shown(List.of(call));
    return shown(exchange, call.id());
  }

  private HttpReply shown(HttpExchange exchange, String id) {
    PendingCall call = database.<PendingCall>read(tx -> PendingCalls.find(tx, id).orElseThrow());
    return HttpReply.ok(view(exchange, call, database.<String>read(tx -> handle(tx, call))));
  }

  private static String handle(Tx tx, PendingCall call) {
    return AgentTree.find(tx, call.owner()).map(Agent::handle).orElse(call.owner());
  }

  private HttpReply answer(HttpExchange exchange) {
    AnswerRequest answer = exchange.body(AnswerRequest.class);
    PendingCall call = require(exchange, exchange.name("id"));
    boolean declines = Boolean.TRUE.equals(answer.declined());
    if (declines == (answer.result() != null)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "exactly one of /result and /declined is required",
          "send {\"result\": …} or {\"declined\": true, \"reason\": \"…\"}");
    }
    PendingCallCompletion.requireShown(call, answer.argsHash());
    if (answer.result() != null) {
      answers.complete(call.id(), answer.result(), exchange.caller());
    } else {
      answers.decline(call.id(), answer.reason(), exchange.caller());
    }
    return shown(exchange, call.id());
  }

  private HttpReply toolResult(HttpExchange exchange) {
    CallResultRequest result = exchange.body(CallResultRequest.class);
    PendingCall call = require(exchange, result.callId());
    if (!exchange.name("id").equals(call.run())) {
      throw ErrorCode.FORBIDDEN.fault(
          "the call " + call.id() + " was not made in this run",
          "GET /api/pending/" + call.id() + " returns its runId");
    }
    answers.complete(call.id(), result.result(), exchange.caller());
    return shown(exchange, call.id());
  }

  private HttpReply callback(HttpExchange exchange) {
    String id = exchange.name("id");
    var verified =
        callbacks.require(
            id, exchange.number("expires", 0), exchange.query("signature").orElse(""));
    answers.complete(verified, exchange.verifiedJson());
    return HttpReply.noContent();
  }

  private PendingCall require(HttpExchange exchange, String id) {
    return database.read(tx -> PendingCallAccess.requireVisible(tx, exchange.caller(), id));
  }

  private PendingCallView view(HttpExchange exchange, PendingCall call, String handle) {
    PendingCall.CallVisibility sight = call.sight();
    return new PendingCallView(
        call.id(),
        call.run(),
        call.owner(),
        handle,
        call.tool(),
        call.arguments(),
        call.argsHash(),
        call.status().word(),
        outcome(call),
        call.result(),
        sight.space(),
        sight.message(),
        call.createdAt(),
        call.expiresAt(),
        sight.shownAt(),
        sight.answeredBy(),
        isForService(call),
        !call.isAsked(),
        isForService(call) && !call.status().isOver()
            ? callbacks.findUrl(exchange.admission(), call).orElse(null)
            : null,
        AnswerForm.of(call));
  }

  /// A question to a person cannot be answered with a callback URL.
  private static boolean isForService(PendingCall call) {
    return call.sight().display().path("executionType").asText().equals("external");
  }

  private static @Nullable String outcome(PendingCall call) {
    return switch (call.status()) {
      case PENDING, ASKING -> null;
      case COMPLETED ->
          call.result() != null && call.result().path("declined").asBoolean()
              ? "declined"
              : "answered";
      case EXPIRED, CANCELLED, FAILED -> call.status().toString();
    };
  }
}

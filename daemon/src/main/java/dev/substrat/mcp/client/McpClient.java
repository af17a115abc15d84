package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.ProtocolNegotiation.ProtocolEras;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.mcp.wire.HeaderArguments;
import dev.substrat.mcp.wire.HeaderText;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ByteSizeFormatter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Client of one MCP server for one principal: lists tools and calls them.
///
/// Safe for many threads: many concurrent calls, each with its own deadline. Interrupting a waiting
/// thread cancels its call.
///
/// If the server has lost the session, nothing is repeated here, because it may be another server
/// by now.
public final class McpClient implements AutoCloseable {
  private static final int MOST_ROUNDS = 4;

  /// Longer results are more than an agent could read.
  private static final int LONGEST_RESULT = 1 << 20;

  private final RequestChannel conversation;
  private final ServerNotifications notifications;
  private final ProtocolNegotiation greeting;
  private final boolean hasHeaders;
  private final NegotiatedProtocol accord;
  private final AtomicInteger waiting = new AtomicInteger();
  private @Nullable ToolListWatch listening;

  private McpClient(RawConnection line, ProtocolNegotiation greeting, NegotiatedProtocol accord) {
    this.conversation = line.channel();
    this.notifications = line.notifications();
    this.hasHeaders = line.hasHeaders();
    this.greeting = greeting;
    this.accord = accord;
  }

  /// Connection to a server before the handshake.
  record RawConnection(
      RequestChannel channel, ServerNotifications notifications, boolean hasHeaders) {}

  /// Options of a call: progress listener, timeout, and idempotency key.
  public record CallOptions(RemoteProgress progress, Duration timeout, @Nullable String key) {}

  static McpClient connect(
      RawConnection line,
      String version,
      ProtocolEras eras,
      Runnable toolsChanged,
      RemoteDeadline deadline) {
    var greeting = new ProtocolNegotiation(line.channel(), version);
    NegotiatedProtocol accord = greeting.negotiate(eras, deadline);
    var client = new McpClient(line, greeting, accord);
    if (!accord.isModern()) {
      line.notifications().answerWith(line.channel()::answerAside);
    }
    if (accord.notifiesToolChanges()) {
      var wanted = client.dressed(Json.object());
      wanted.putObject("notifications").put("toolsListChanged", true);
      client.listening = new ToolListWatch(line.channel(), wanted, toolsChanged);
    }
    return client;
  }

  /// The negotiated protocol revision.
  public String revision() {
    return accord.revision();
  }

  /// The server's tools in its order, without unsupported ones.
  public List<ToolDefinition> listTools(Duration timeout) {
    RemoteDeadline deadline = RemoteDeadline.in(timeout);
    return new ToolListReader(
            params -> ask("tools/list", params, Map.of(), deadline),
            hasHeaders && accord.isModern())
        .all();
  }

  /// The tool's result: `content`, optionally `structuredContent`, and `isError` if it failed.
  public ObjectNode callTool(ToolDefinition tool, ObjectNode arguments, CallOptions manner) {
    RemoteDeadline deadline = RemoteDeadline.in(manner.timeout());
    long token = conversation.nextId();
    var params = Json.object().put("name", tool.name());
    params.set("arguments", arguments);
    var meta = params.putObject("_meta").put("progressToken", token);
    if (manner.key() != null) {
      meta.put("substrat/idempotencyKey", manner.key());
    }
    Map<String, String> headers = mirrored(tool, arguments);
    notifications.expect(token, manner.progress());
    waiting.incrementAndGet();
    try {
      return inRounds(params, round -> ask("tools/call", round, headers, deadline));
    } finally {
      waiting.decrementAndGet();
      notifications.forget(token);
    }
  }

  /// Whether a call is running.
  public boolean isBusy() {
    return waiting.get() > 0;
  }

  /// Checks whether the server responds. In the modern era `server/discover` is used: it is the
  /// only request that all servers support.
  public void ping(Duration timeout) {
    String method = accord.isModern() ? "server/discover" : "ping";
    ask(method, Json.object(), Map.of(), RemoteDeadline.in(timeout));
  }

  private ObjectNode ask(
      String method, ObjectNode params, Map<String, String> headers, RemoteDeadline deadline) {
    return conversation.ask(method, dressed(params), headers, deadline);
  }

  /// In the modern era every request names its client.
  private ObjectNode dressed(ObjectNode params) {
    if (!accord.isModern()) {
      return params;
    }
    ObjectNode dressed = params.deepCopy();
    dressed.withObjectProperty("_meta").setAll(greeting.meta());
    return dressed;
  }

  /// False once no request can be sent.
  public boolean isOpen() {
    return conversation.isOpen();
  }

  @Override
  public void close() {
    if (listening != null) {
      listening.close();
    }
    conversation.close();
  }

  /// Copies arguments to HTTP headers, as the tool's schema requests.
  private static Map<String, String> mirrored(ToolDefinition tool, ObjectNode arguments) {
    var headers = new HashMap<String, String>();
    HeaderArguments.of(tool.inputSchema())
        .byHeader()
        .forEach((header, pointer) -> {
          JsonNode value = arguments.at(pointer);
          if (value.isTextual() || value.isBoolean() || value.isIntegralNumber()) {
            headers.put(header, HeaderText.encode(value.asText()));
          }
        });
    return headers;
  }

  /// Calls that may need several requests: in the modern era a server can request input, and the
  /// client repeats the request with it.
  ///
  /// Input from a person is not available, so such requests are answered with `cancel`; the server
  /// decides whether to continue.
  private static ObjectNode inRounds(ObjectNode params, UnaryOperator<ObjectNode> ask) {
    ObjectNode asked = params;
    for (int round = 0; round < MOST_ROUNDS; round++) {
      ObjectNode result = ask.apply(asked);
      String type = result.path("resultType").asText("complete");
      switch (type) {
        case "complete" -> {
          return checked(result);
        }
        case "input_required" -> asked = again(params, result);
        default -> throw RemoteFailure.protocol("the server returned an unknown resultType");
      }
    }
    throw inputUnsupported();
  }

  private static ObjectNode checked(ObjectNode result) {
    if (!result.path("content").isArray() && !result.has("structuredContent")) {
      throw RemoteFailure.protocol("the server returned a result without content");
    }
    if (Json.bytes(result).length > LONGEST_RESULT) {
      throw RemoteFailure.because(
          FailureReason.TOO_LARGE,
          "the result is larger than " + ByteSizeFormatter.words(LONGEST_RESULT));
    }
    return result;
  }

  /// The same request with the input that the server requested, as far as available.
  private static ObjectNode again(ObjectNode params, ObjectNode result) {
    ObjectNode next = params.deepCopy();
    if (result.path("requestState").isTextual()) {
      next.put("requestState", result.path("requestState").textValue());
    }
    if (result.path("inputRequests") instanceof ObjectNode questions && !questions.isEmpty()) {
      var answers = next.putObject("inputResponses");
      for (Map.Entry<String, JsonNode> question : questions.properties()) {
        if (!question.getValue().path("method").asText().equals("elicitation/create")) {
          throw inputUnsupported();
        }
        answers.putObject(question.getKey()).put("action", "cancel");
      }
    }
    return next;
  }

  private static RemoteFailure inputUnsupported() {
    return RemoteFailure.because(
        FailureReason.REFUSED, "the server requests user or model input, which is not supported");
  }

  /// Listens for tool list changes of a server, and reconnects when the stream breaks.
  private static final class ToolListWatch implements AutoCloseable {
    /// Statuses of a server that has no such stream.
    private static final Set<Integer> NO_STREAM = Set.of(404, 405, 501);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final RequestChannel conversation;
    private final ObjectNode wanted;
    private final Runnable toolsChanged;
    private final Thread thread;

    /// `wanted` are the parameters of the subscription request, in the era that has one.
    ToolListWatch(RequestChannel conversation, ObjectNode wanted, Runnable toolsChanged) {
      this.conversation = conversation;
      this.wanted = wanted;
      this.toolsChanged = toolsChanged;
      this.thread = Thread.ofVirtual().name("mcp tool list watch").start(this::run);
    }

    private void run() {
      Duration pause = FIRST_PAUSE;
      try {
        while (conversation.isOpen()) {
          long start = System.nanoTime();
          if (!listen()) {
            return;
          }
          boolean lasted = System.nanoTime() - start > LONGEST_PAUSE.toNanos();
          pause = lasted ? FIRST_PAUSE : pause;
          Thread.sleep(pause);
          pause =
              pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                  ? pause.multipliedBy(2)
                  : LONGEST_PAUSE;
          // Notifications may have been missed meanwhile.
          toolsChanged.run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /// False if the server has no stream.
    private boolean listen() throws InterruptedException {
      try {
        return conversation.listen(wanted.deepCopy());
      } catch (RemoteFailure failure) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedException();
        }
        if (failure.reason() == RemoteFailure.FailureReason.SESSION_LOST) {
          // A listener that lists the tools now notices the failure and reconnects.
          toolsChanged.run();
          return false;
        }
        return !hasNoStream(failure);
      }
    }

    /// An overloaded or restarting server has its stream again later.
    private static boolean hasNoStream(RemoteFailure failure) {
      int status = failure.refusal().status();
      return failure.reason() == RemoteFailure.FailureReason.REFUSED
          && (status / 100 == 2 || NO_STREAM.contains(status));
    }

    @Override
    public void close() {
      thread.interrupt();
    }
  }
}

package dev.substrat.provider.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.LaunchParameters;
import dev.substrat.platform.process.ChildProcess.ProcessOutput;
import dev.substrat.protocol.ByteSizeFormatter;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A program that speaks the Agent Client Protocol: JSON-RPC in lines, in both directions. It keeps
/// running between turns and belongs to one turn at a time.
final class AcpProcess implements AutoCloseable {
  private static final long MAX_OUTPUT_BYTES = 64L << 20;
  private static final int MAX_MESSAGES_BETWEEN_TURNS = 10_000;
  private static final Duration MOMENT = Duration.ofMillis(20);
  private static final int NO_METHOD = -32_601;

  private final ChildProcess child;
  private final UnaryOperator<String> redact;
  private long asked;

  private AcpProcess(ChildProcess child, UnaryOperator<String> redact) {
    this.child = child;
    this.redact = redact;
  }

  static AcpProcess start(LaunchParameters launch) throws IOException {
    return new AcpProcess(ChildProcess.start(launch), launch.redact());
  }

  /// Receives notifications and requests while a response is pending.
  interface AcpMessageListener {
    void onNotification(String method, JsonNode params);

    /// Response to a request of the program; null if the method is not supported.
    @Nullable ObjectNode answer(String method, JsonNode params);
  }

  /// The program violated the protocol or returned an error.
  static final class AcpException extends RuntimeException {
    private final int code;

    AcpException(String message, int code) {
      super(message);
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  /// Sends a request and waits for the response; other messages go to `listener`.
  JsonNode ask(String method, ObjectNode params, AcpMessageListener listener)
      throws InterruptedException {
    long id = ++asked;
    var request = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", method);
    request.set("params", params);
    send(request);
    long length = 0;
    while (true) {
      switch (child.take()) {
        case ProcessOutput.OutputLine line -> {
          length += line.text().length();
          if (length > MAX_OUTPUT_BYTES) {
            throw new AcpException(
                "the program wrote more than " + (MAX_OUTPUT_BYTES >> 20) + " MB", 0);
          }
          JsonNode message = parse(redact.apply(line.text()));
          if (message.path("id").asLong(-1) == id && !message.has("method")) {
            return result(message);
          }
          dispatch(message, listener);
        }
        case ProcessOutput.OversizedLine line ->
            throw new AcpException(
                "a line is longer than " + ByteSizeFormatter.words(line.limit()), 0);
        case ProcessOutput.EndOfOutput _ -> throw new AcpException(ending(), 0);
      }
    }
  }

  private String ending() throws InterruptedException {
    String limit = child.stopReason().map(reason -> "; " + reason).orElse("");
    return "the program ended during the turn" + limit + "; " + child.lastWords();
  }

  /// Discards notifications that arrived between turns, and answers requests.
  void clear(AcpMessageListener listener) throws InterruptedException {
    Duration timeout = Duration.ZERO;
    for (int lines = 0; lines < MAX_MESSAGES_BETWEEN_TURNS; lines++) {
      switch (child.take(timeout).orElse(null)) {
        case null -> {
          return;
        }
        case ProcessOutput.OutputLine line -> dispatch(parse(redact.apply(line.text())), listener);
        case ProcessOutput.OversizedLine line ->
            throw new AcpException(
                "a line is longer than " + ByteSizeFormatter.words(line.limit()), 0);
        case ProcessOutput.EndOfOutput _ ->
            throw new AcpException("the program ended between turns", 0);
      }
      // The pipe may contain more than was read so far.
      timeout = MOMENT;
    }
    throw new AcpException("the program writes too much output between turns", 0);
  }

  private static JsonNode result(JsonNode message) {
    JsonNode error = message.path("error");
    if (error.isObject()) {
      String more = error.has("data") ? " " + Json.text(error.path("data")) : "";
      throw new AcpException(error.path("message").asText() + more, error.path("code").asInt());
    }
    return message.path("result");
  }

  private void dispatch(JsonNode message, AcpMessageListener listener) {
    String method = message.path("method").asText();
    if (method.isEmpty()) {
      // Response to a request that is not pending any more.
      return;
    }
    if (!message.has("id")) {
      listener.onNotification(method, message.path("params"));
      return;
    }
    var answer = Json.object().put("jsonrpc", "2.0");
    answer.set("id", message.path("id"));
    ObjectNode result = listener.answer(method, message.path("params"));
    if (result == null) {
      answer
          .putObject("error")
          .put("code", NO_METHOD)
          .put("message", "method not supported: " + method);
    } else {
      answer.set("result", result);
    }
    send(answer);
  }

  private void send(ObjectNode message) {
    child.send(Json.bytes(message));
  }

  /// Lines that are not JSON are ignored.
  private static JsonNode parse(String line) {
    try {
      return Json.parseLenient(line.getBytes(StandardCharsets.UTF_8));
    } catch (Fault notJson) {
      return Json.object();
    }
  }

  boolean hasEnded() throws InterruptedException {
    return child.exit(Duration.ZERO).isPresent();
  }

  @Override
  public void close() {
    child.close();
  }
}

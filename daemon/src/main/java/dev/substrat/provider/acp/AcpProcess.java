package dev.substrat.provider.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.Launch;
import dev.substrat.platform.process.ChildProcess.Output;
import dev.substrat.protocol.Bytes;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A program that speaks the Agent Client Protocol: JSON-RPC in lines, in both directions. It stays
/// from turn to turn, and belongs to one turn at a time.
final class AcpProcess implements AutoCloseable {
  private static final long MOST_OUTPUT = 64L << 20;
  private static final int MOST_UNASKED = 10_000;
  private static final Duration MOMENT = Duration.ofMillis(20);
  private static final int NO_METHOD = -32_601;

  private final ChildProcess child;
  private final UnaryOperator<String> redact;
  private long asked;

  private AcpProcess(ChildProcess child, UnaryOperator<String> redact) {
    this.child = child;
    this.redact = redact;
  }

  static AcpProcess start(Launch launch) throws IOException {
    return new AcpProcess(ChildProcess.start(launch), launch.redact());
  }

  /// What comes in while an answer is waited for.
  interface Listener {
    void hear(String method, JsonNode params);

    /// The answer to what it asks; null if nobody here can do that.
    @Nullable ObjectNode answer(String method, JsonNode params);
  }

  /// It broke the protocol, or said no; what it said is in the message.
  static final class Broken extends RuntimeException {
    private final int code;

    Broken(String message, int code) {
      super(message);
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  /// Asks it something and waits for the answer; what it says meanwhile goes to `ears`.
  JsonNode ask(String method, ObjectNode params, Listener ears) throws InterruptedException {
    long id = ++asked;
    var request = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", method);
    request.set("params", params);
    send(request);
    long heard = 0;
    while (true) {
      switch (child.take()) {
        case Output.Line line -> {
          heard += line.text().length();
          if (heard > MOST_OUTPUT) {
            throw new Broken("it said more than " + (MOST_OUTPUT >> 20) + " MB", 0);
          }
          JsonNode message = parse(redact.apply(line.text()));
          if (message.path("id").asLong(-1) == id && !message.has("method")) {
            return result(message);
          }
          dispatch(message, ears);
        }
        case Output.TooLong line ->
            throw new Broken("a line is longer than " + Bytes.words(line.limit()), 0);
        case Output.End _ -> throw new Broken(ending(), 0);
      }
    }
  }

  private String ending() throws InterruptedException {
    String limit = child.stopReason().map(reason -> "; " + reason).orElse("");
    return "it ended in the middle" + limit + "; " + child.lastWords();
  }

  /// What it says while nobody has asked it anything belongs to nothing that comes later; what it
  /// asks is answered all the same.
  void clear(Listener ears) throws InterruptedException {
    Duration patience = Duration.ZERO;
    for (int lines = 0; lines < MOST_UNASKED; lines++) {
      switch (child.take(patience).orElse(null)) {
        case null -> {
          return;
        }
        case Output.Line line -> dispatch(parse(redact.apply(line.text())), ears);
        case Output.TooLong line ->
            throw new Broken("a line is longer than " + Bytes.words(line.limit()), 0);
        case Output.End _ -> throw new Broken("it ended while it rested", 0);
      }
      // Its pipe may hold more than was read ahead.
      patience = MOMENT;
    }
    throw new Broken("it talks without end, though nobody asked it", 0);
  }

  private static JsonNode result(JsonNode message) {
    JsonNode error = message.path("error");
    if (error.isObject()) {
      String more = error.has("data") ? " " + Json.text(error.path("data")) : "";
      throw new Broken(error.path("message").asText() + more, error.path("code").asInt());
    }
    return message.path("result");
  }

  private void dispatch(JsonNode message, Listener ears) {
    String method = message.path("method").asText();
    if (method.isEmpty()) {
      // The answer to something that nobody waits for any more.
      return;
    }
    if (!message.has("id")) {
      ears.hear(method, message.path("params"));
      return;
    }
    var answer = Json.object().put("jsonrpc", "2.0");
    answer.set("id", message.path("id"));
    ObjectNode result = ears.answer(method, message.path("params"));
    if (result == null) {
      answer.putObject("error").put("code", NO_METHOD).put("message", "we cannot do " + method);
    } else {
      answer.set("result", result);
    }
    send(answer);
  }

  private void send(ObjectNode message) {
    child.send(Json.bytes(message));
  }

  /// What is no JSON is talk beside the protocol.
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

package dev.substrat.provider.llm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.http.client.OutgoingFailure;
import dev.substrat.http.client.OutgoingRequest;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.llm.ModelFailure.Kind;
import dev.substrat.provider.llm.wire.LlmWire;
import dev.substrat.provider.llm.wire.ModelReply;
import dev.substrat.provider.llm.wire.ModelRequest;
import dev.substrat.provider.llm.wire.ReplyListener;
import dev.substrat.provider.llm.wire.ReplyReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// Sends one request to a model API and reads the streamed response. Interrupting the thread
/// cancels the call.
final class ModelClient {
  /// A whole answer; more is no model's.
  private static final long MOST_BYTES = 64L * 1024 * 1024;

  /// From the question to the last word of the answer.
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final int MOST_ERROR_BYTES = 64 * 1024;

  private final GuardedHttpClient outgoing;
  private final LlmWire wire;

  ModelClient(GuardedHttpClient outgoing, LlmWire wire) {
    this.outgoing = outgoing;
    this.wire = wire;
  }

  ModelReply ask(ApiAccess access, ModelRequest question, ReplyListener hearing)
      throws InterruptedException {
    try (OutgoingResponseStream stream = open(access, question)) {
      if (stream.status() != 200) {
        byte[] body = stream.body().readNBytes(MOST_ERROR_BYTES);
        throw new ModelErrorParser(wire, stream, access.secrets().redact(text(body))).trouble();
      }
      requireNoPage(stream, access);
      hearing.accepted();
      return read(stream, wire.reader(hearing));
    } catch (OutgoingFailure failure) {
      throw trouble(failure);
    } catch (IOException e) {
      throw new ModelFailure(Kind.AWAY, String.valueOf(e.getMessage()), null, e);
    }
  }

  /// A server that returns a page is not a model API.
  private static void requireNoPage(OutgoingResponseStream stream, ApiAccess access) {
    String type = stream.header("content-type").orElse("");
    if (type.toLowerCase(Locale.ROOT).startsWith("text/html")) {
      throw ModelFailure.invalid(
          ("%s returned a page of type %s instead of a model response; check "
                  + "/provider/baseUrl")
              .formatted(access.base(), type));
    }
  }

  private OutgoingResponseStream open(ApiAccess access, ModelRequest question) {
    var headers = new HashMap<>(wire.headers(access.key()));
    headers.putAll(Map.of("Content-Type", "application/json", "Accept", "text/event-stream"));
    return outgoing.open(
        new OutgoingRequest(
            "POST",
            wire.address(access.base(), question.model()),
            headers,
            Json.text(wire.body(question)),
            PATIENCE,
            MOST_BYTES));
  }

  /// Once it has begun to answer, whatever goes wrong has cost something.
  private static ModelReply read(OutgoingResponseStream stream, ReplyReader reader)
      throws InterruptedException {
    try {
      readAll(stream, reader);
      return reader.reply();
    } catch (ModelFailure trouble) {
      throw trouble.after(reader.reply());
    } catch (OutgoingFailure failure) {
      throw ModelFailure.interrupted(trouble(failure).words()).after(reader.reply());
    } catch (IOException e) {
      throw ModelFailure.interrupted(String.valueOf(e.getMessage())).after(reader.reply());
    }
  }

  private static void readAll(OutgoingResponseStream stream, ReplyReader reader)
      throws IOException {
    var lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
    // Every API puts each event on one line; the end of a stream tells less than its last event.
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String data = line.startsWith("data:") ? line.substring("data:".length()).strip() : "";
      if (data.startsWith("{")) {
        reader.read(parse(data));
      }
    }
    if (!reader.isComplete()) {
      throw ModelFailure.interrupted("the stream ended early");
    }
  }

  private static JsonNode parse(String data) {
    try {
      return Json.parseLenient(data.getBytes(StandardCharsets.UTF_8));
    } catch (Fault e) {
      throw ModelFailure.interrupted("its output is " + e.message());
    }
  }

  private static ModelFailure trouble(OutgoingFailure failure) throws InterruptedException {
    Kind kind =
        switch (failure.reason()) {
          case CANCELLED -> throw interrupted();
          case BLOCKED, BAD_URL, BAD_REQUEST -> Kind.INVALID;
          case DNS_FAILED, REFUSED, TLS_FAILED, TIMED_OUT, TOO_LARGE, BROKEN -> Kind.AWAY;
        };
    return new ModelFailure(kind, failure.message() + " (" + failure.hint() + ")", null, failure);
  }

  /// Clears the interrupt, so that the turn can be settled.
  private static InterruptedException interrupted() {
    var _ = Thread.interrupted();
    return new InterruptedException("the call was cancelled");
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}

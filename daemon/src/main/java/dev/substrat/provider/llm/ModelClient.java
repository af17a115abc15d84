package dev.substrat.provider.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.http.client.OutgoingFailure;
import dev.substrat.http.client.OutgoingRequest;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.llm.ModelFailure.FailureKind;
import dev.substrat.provider.llm.wire.CallArgumentParser;
import dev.substrat.provider.llm.wire.LlmWire;
import dev.substrat.provider.llm.wire.ModelReply;
import dev.substrat.provider.llm.wire.ModelRequest;
import dev.substrat.provider.llm.wire.ReplyListener;
import dev.substrat.provider.llm.wire.ReplyReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sends one request to a model API and reads the streamed response. Interrupting the thread
/// cancels the call.
final class ModelClient {
  /// Limit of a complete response.
  private static final long MAX_BYTES = 64L * 1024 * 1024;

  /// From the request to the end of the response.
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private static final int MAX_ERROR_BYTES = 64 * 1024;

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
        byte[] body = stream.body().readNBytes(MAX_ERROR_BYTES);
        throw new ModelErrorParser(wire, stream, access.secrets().redact(text(body))).trouble();
      }
      requireNoPage(stream, access);
      hearing.accepted();
      return read(stream, wire.reader(hearing));
    } catch (OutgoingFailure failure) {
      throw trouble(failure);
    } catch (IOException e) {
      throw new ModelFailure(FailureKind.AWAY, String.valueOf(e.getMessage()), null, e);
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
            TIMEOUT,
            MAX_BYTES));
  }

  /// A failure after the response has started has had costs.
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
    // Every API sends each event on one line. The last event, not the end of the stream, says that
    // the response is complete.
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
    FailureKind kind =
        switch (failure.reason()) {
          case CANCELLED -> throw interrupted();
          case BLOCKED, BAD_URL, BAD_REQUEST -> FailureKind.INVALID;
          case DNS_FAILED, REFUSED, TLS_FAILED, TIMED_OUT, TOO_LARGE, BROKEN -> FailureKind.AWAY;
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

  /// Converts an error response of a model API into a failure. `body` contains no secrets any more.
  private record ModelErrorParser(LlmWire wire, int status, Headers headers, String body) {
    private static final int LONGEST_QUOTE = 500;

    ModelErrorParser(LlmWire wire, OutgoingResponseStream stream, String body) {
      this(wire, stream.status(), stream::header, body);
    }

    /// Looks up a header of the response by its name.
    @FunctionalInterface
    interface Headers {
      Optional<String> find(String name);
    }

    ModelFailure trouble() {
      JsonNode error = error();
      String message = error.path("message").asText(body.isBlank() ? "no reason given" : body);
      return new ModelFailure(kind(error), status + ": " + quote(message), retryAfter(), null);
    }

    private JsonNode error() {
      JsonNode whole =
          CallArgumentParser.parse(body).<JsonNode>map(ObjectNode::deepCopy).orElseGet(this::none);
      return whole.path("error").isTextual() ? none() : whole.path("error");
    }

    private JsonNode none() {
      return Json.object();
    }

    private FailureKind kind(JsonNode error) {
      boolean isUnpaid = error.path("code").asText().equals("insufficient_quota");
      boolean isBadKey = body.contains("API_KEY_INVALID") || body.contains("API key not valid");
      return switch (status) {
        case 401, 402, 403 -> FailureKind.LOCKED_OUT;
        case 404 -> FailureKind.NO_MODEL;
        case 408, 429 -> isUnpaid ? FailureKind.LOCKED_OUT : FailureKind.RATE_LIMITED;
        case 413 -> FailureKind.TOO_LONG;
        default -> {
          if (status >= 500) {
            yield FailureKind.AWAY;
          }
          yield wire.isTooLong(error)
              ? FailureKind.TOO_LONG
              : isBadKey ? FailureKind.LOCKED_OUT : FailureKind.INVALID;
        }
      };
    }

    /// In seconds, in milliseconds (a common extension), or as a date by the server's clock.
    private @Nullable Duration retryAfter() {
      try {
        Optional<String> millis = headers.find("retry-after-ms");
        if (millis.isPresent()) {
          return Duration.ofMillis(Math.max(0, Long.parseLong(millis.get().strip())));
        }
        String said = headers.find("retry-after").orElse("").strip();
        if (said.isEmpty()) {
          return null;
        }
        return said.chars().allMatch(Character::isDigit)
            ? Duration.ofSeconds(Long.parseLong(said))
            : between(headers.find("date").orElse(""), said);
      } catch (NumberFormatException | DateTimeException e) {
        return null;
      }
    }

    private static Duration between(String now, String then) {
      Duration wait = Duration.between(time(now), time(then));
      return wait.isNegative() ? Duration.ZERO : wait;
    }

    private static Instant time(String text) {
      return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    }

    private static String quote(String message) {
      String line = message.strip().replaceAll("\\s+", " ");
      return line.length() <= LONGEST_QUOTE ? line : line.substring(0, LONGEST_QUOTE) + "…";
    }
  }
}

package dev.substrat.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SseParser;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// HTTP client for the daemon, with the operator's or another token. Reports every failure as a
/// fault.
public final class DaemonClient {
  /// Timeout for ordinary requests; slow operations report by event. Page size of most lists of the
  /// daemon.
  private static final int LARGEST_PAGE = 200;

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /// Timeout for requests that run a turn: the default turn limit plus a margin.
  private static final Duration LONG = Duration.ofMinutes(11);

  private static final int MAX_EVENT_SIZE = 16 * 1024 * 1024;
  private static final String NOTHING = "";

  private final DaemonAddress address;
  private final String token;
  private final @Nullable String source;

  private DaemonClient(DaemonAddress address, String token, @Nullable String source) {
    this.address = address;
    this.token = token;
    this.source = source;
  }

  public static DaemonClient in(Path data) {
    DaemonAddress address = DaemonAddress.read(data);
    return new DaemonClient(address, address.token(), null);
  }

  /// Uses the operator's token from the data directory.
  public static DaemonClient at(DaemonAddress address) {
    return new DaemonClient(address, address.token(), null);
  }

  /// Uses this token; `source` is the variable or option that it comes from.
  public static DaemonClient at(DaemonAddress address, String token, String source) {
    return new DaemonClient(address, token, source);
  }

  public boolean isRemote() {
    return address.isRemote();
  }

  /// URL of the daemon, without a trailing slash.
  public String url() {
    return address.url().toString().replaceAll("/+$", "");
  }

  public long pid() {
    return address.pid();
  }

  public boolean hasExited() {
    return address.isStale();
  }

  /// True if this client uses the token with this id: `substrat_<id>_<secret>`.
  public boolean usesToken(String tokenId) {
    return !tokenId.isEmpty() && token.startsWith("substrat_" + tokenId + "_");
  }

  public JsonNode read(String target) {
    return ask("GET", target, Map.of(), NOTHING);
  }

  /// What `/readyz` says: `status`, and `reasons` if the daemon cannot work. Empty if the daemon is
  /// older than that route.
  public JsonNode readiness() {
    try (var http =
        HttpCall.send(
            address,
            new HttpCall.HttpRequestParts("GET", "/readyz", headers(Map.of()), NOTHING),
            TIMEOUT)) {
      return switch (http.status()) {
        // An answer here, not a failure.
        case 503 -> JsonTree.parse(http.body().readAllBytes());
        case 404 -> JsonTree.object();
        default -> answer(http);
      };
    } catch (IOException e) {
      throw fault(e);
    }
  }

  public JsonNode post(String target, JsonNode body) {
    return ask("POST", target, Map.of(), JsonTree.text(body));
  }

  /// Reads all pages of a list; `name` is its JSON key.
  public ObjectNode readAll(String target, String name) {
    var whole = JsonTree.object();
    var all = whole.putArray(name);
    @Nullable String after = null;
    do {
      JsonNode page = read(query(target, "after", after));
      page.path(name).forEach(all::add);
      after = page.path("next").textValue();
    } while (after != null);
    return whole;
  }

  /// Reads pages of a list until there are `limit` entries. The position of a page is in the
  /// parameter `cursor`, null for the first; the result has `next` if there may be more.
  public ObjectNode readPages(
      String target, String name, String cursor, @Nullable String start, int limit) {
    var whole = JsonTree.object();
    var all = whole.putArray(name);
    @Nullable String next = start;
    do {
      String size = String.valueOf(Math.min(limit - all.size(), LARGEST_PAGE));
      JsonNode page = read(query(target, "limit", size, cursor, next));
      page.path(name).forEach(all::add);
      next = page.path("next").textValue();
    } while (next != null && all.size() < limit);
    if (next != null) {
      whole.put("next", next);
    }
    return whole;
  }

  /// For requests whose response waits for a turn.
  public JsonNode postAndWait(String target, JsonNode body) {
    return ask(
        new HttpCall.HttpRequestParts("POST", target, headers(Map.of()), JsonTree.text(body)),
        LONG);
  }

  /// Safe to retry: the daemon executes the request once per key.
  public JsonNode post(String target, JsonNode body, String idempotencyKey) {
    return ask("POST", target, Map.of("Idempotency-Key", idempotencyKey), JsonTree.text(body));
  }

  public JsonNode put(String target, JsonNode body) {
    return ask("PUT", target, Map.of(), JsonTree.text(body));
  }

  public JsonNode delete(String target) {
    return ask("DELETE", target, Map.of(), NOTHING);
  }

  public JsonNode delete(String target, JsonNode body) {
    return ask("DELETE", target, Map.of(), JsonTree.text(body));
  }

  /// A path with a typed, encoded last segment.
  public static String path(String fixed, String typed) {
    return fixed + encoded(typed);
  }

  /// A query from alternating names and values; null values are omitted.
  public static String query(String path, @Nullable String... pairs) {
    var target = new StringBuilder(path);
    char mark = path.contains("?") ? '&' : '?';
    for (int i = 0; i + 1 < pairs.length; i += 2) {
      String value = pairs[i + 1];
      if (value != null) {
        target.append(mark).append(pairs[i]).append('=').append(encoded(value));
        mark = '&';
      }
    }
    return target.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private JsonNode ask(String method, String target, Map<String, String> more, String body) {
    return ask(new HttpCall.HttpRequestParts(method, target, headers(more), body), TIMEOUT);
  }

  private JsonNode ask(HttpCall.HttpRequestParts request, Duration timeout) {
    var headers = request.headers();
    headers.put("Accept", "application/json");
    if (!request.body().isEmpty()) {
      headers.put("Content-Type", "application/json");
    }
    try (var http = HttpCall.send(address, request, timeout)) {
      return answer(http);
    } catch (IOException e) {
      throw fault(e);
    }
  }

  private Map<String, String> headers(Map<String, String> more) {
    var headers = new LinkedHashMap<>(more);
    headers.put("Authorization", "Bearer " + token);
    return headers;
  }

  private JsonNode answer(HttpCall http) throws IOException {
    JsonNode json;
    try {
      json = JsonTree.parse(http.body().readAllBytes());
    } catch (JsonProcessingException e) {
      throw notADaemon(http.status(), e);
    }
    if (http.status() / 100 == 2) {
      return json;
    }
    throw refusal(http.status(), json);
  }

  private Fault refusal(int status, JsonNode json) {
    Fault fault = ProblemConverter.fault(status, json);
    if (source == null) {
      return fault;
    }
    String another = "an owner can create a new token: ./substrat token create --person NAME";
    String asOperator = "unset %s to act as the operator".formatted(source);
    if (fault.code() == ErrorCode.UNAUTHORIZED) {
      return new Fault(
          fault.code(),
          "the token in %s is not valid for this daemon".formatted(source),
          isRemote() ? another : another + "; " + asOperator);
    }
    return !isRemote() && fault.hint().equals("use the operator's token")
        ? new Fault(fault.code(), fault.message(), asOperator)
        : fault;
  }

  private Fault notADaemon(int status, IOException cause) {
    return ErrorCode.DAEMON_UNREACHABLE.fault(
        "%s (status %d) is not a Substrat daemon".formatted(address.url(), status),
        "the port may belong to another program; " + address.startHint(),
        cause);
  }

  /// Opens the event stream; `lastSeen` resumes after that event.
  EventStreamConnection events(String target, @Nullable String lastSeen, Duration timeout)
      throws IOException {
    var headers = headers(Map.of("Accept", "text/event-stream"));
    if (lastSeen != null) {
      headers.put("Last-Event-ID", lastSeen);
    }
    var http =
        HttpCall.send(
            address, new HttpCall.HttpRequestParts("GET", target, headers, NOTHING), timeout);
    if (http.status() != 200) {
      try (http) {
        throw refusal(http.status(), JsonTree.parse(http.body().readAllBytes()));
      }
    }
    return new EventStreamConnection(http, new SseParser(http.body(), MAX_EVENT_SIZE));
  }

  /// An open event stream and its connection.
  record EventStreamConnection(HttpCall http, SseParser reader) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      http.close();
    }
  }

  Fault fault(IOException failure) {
    return switch (failure) {
      case ConnectException e -> address.unreachableFault(e);
      case UnknownHostException e ->
          ErrorCode.DAEMON_UNREACHABLE.fault(
              "cannot resolve the host of %s".formatted(address.url()),
              "check the URL and this machine's DNS",
              e);
      case SSLException e ->
          ErrorCode.DAEMON_UNREACHABLE.fault(
              "TLS connection to %s failed: %s".formatted(address.url(), e.getMessage()),
              "check the certificate; a private CA must be in Java's trust store"
                  + " (JAVA_TOOL_OPTIONS=-Djavax.net.ssl.trustStore=FILE)",
              e);
      case SocketTimeoutException e ->
          ErrorCode.TIMEOUT.fault(
              "the daemon at %s did not answer in time".formatted(address.url()),
              "check the daemon's log, and this machine with ./substrat doctor",
              e);
      default ->
          address.isStale()
              ? address.unreachableFault(failure)
              : ErrorCode.DAEMON_UNREACHABLE.fault(
                  "connection to %s lost: %s".formatted(address.url(), failure.getMessage()),
                  "check ./substrat status, then try again",
                  failure);
    };
  }
}

package dev.substrat.http.client;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substrat.http.address.AllowedHosts;
import dev.substrat.platform.telemetry.Telemetry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocketFactory;

/// Guarded HTTP client for tests: loopback is allowed, and names resolve to addresses that the test
/// chooses.
final class TestHttpClient implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofMinutes(2);
  static final int MOST_BYTES = 1 << 20;

  private final Map<String, List<String>> names = new ConcurrentHashMap<>();
  private final Map<String, List<String>> later = new ConcurrentHashMap<>();
  private final AtomicInteger lookups = new AtomicInteger();
  private final Telemetry telemetry = Telemetry.withoutExport();
  private final GuardedHttpClient outgoing;

  TestHttpClient(String... allowed) {
    this((SSLSocketFactory) SSLSocketFactory.getDefault(), allowed);
  }

  TestHttpClient(SSLSocketFactory tls, String... allowed) {
    this.outgoing =
        new GuardedHttpClient(
            AllowedHosts.parse(List.of(allowed)), telemetry, "1.2", this::addresses, () -> tls);
  }

  static TestHttpClient toLoopback() {
    return new TestHttpClient("127.0.0.1");
  }

  List<InetAddress> addresses(String name) throws UnknownHostException {
    lookups.incrementAndGet();
    List<String> addresses = names.get(name);
    List<String> next = later.remove(name);
    if (next != null) {
      names.put(name, next);
    }
    if (addresses == null) {
      throw new UnknownHostException(name);
    }
    return addresses.stream().map(InetAddress::ofLiteral).toList();
  }

  /// Resolves the name to that address from now on.
  TestHttpClient naming(String name, String... addresses) {
    names.put(name, List.of(addresses));
    return this;
  }

  /// The next lookup returns these addresses.
  TestHttpClient then(String name, String... addresses) {
    later.put(name, List.of(addresses));
    return this;
  }

  /// Number of resolutions of a name.
  int lookups() {
    return lookups.get();
  }

  GuardedHttpClient outgoing() {
    return outgoing;
  }

  String metrics() {
    return telemetry.scrape();
  }

  static OutgoingRequest get(String url) {
    return request("GET", url, Map.of(), "");
  }

  static OutgoingRequest request(
      String method, String url, Map<String, String> headers, String body) {
    return new OutgoingRequest(method, url, headers, body, PATIENCE, MOST_BYTES);
  }

  static OutgoingRequest within(Duration deadline, String url) {
    return new OutgoingRequest("GET", url, Map.of(), "", deadline, MOST_BYTES);
  }

  /// The body of a GET.
  String read(String url) {
    return outgoing.send(get(url)).text();
  }

  /// How a GET fails.
  OutgoingFailure failure(String url) {
    return failure(get(url));
  }

  OutgoingFailure failure(OutgoingRequest request) {
    return Objects.requireNonNull(
        catchThrowableOfType(OutgoingFailure.class, () -> outgoing.send(request)));
  }

  @Override
  public void close() {
    outgoing.close();
    telemetry.close();
  }
}

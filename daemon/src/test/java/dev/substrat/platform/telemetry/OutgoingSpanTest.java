package dev.substrat.platform.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.http.client.OutgoingRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Spans of outgoing requests contain no private data.
@Timeout(300)
final class OutgoingSpanTest {

  @Test
  void a_request_span_has_only_host_and_outcome() throws Exception {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer server = HttpServer.create(address, 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(418, -1);
          }
        });
    server.start();
    try (var collector = new FakeOtlpCollector();
        var telemetry =
            Telemetry.from(
                Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    collector.endpoint(),
                    "OTEL_BSP_SCHEDULE_DELAY",
                    "50"));
        var outgoing =
            new GuardedHttpClient(AllowedHosts.parse(List.of("127.0.0.1")), telemetry, "1.2")) {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      outgoing.send(
          new OutgoingRequest(
              "PUT",
              url + "/secret-path?secret-query",
              Map.of("X-Key", "secret-header"),
              "secret-body",
              Duration.ofSeconds(20),
              100));
      var span = collector.spans().poll(120, TimeUnit.SECONDS);
      assertThat(span).isNotNull();
      assertThat(span.name()).isEqualTo("PUT 127.0.0.1");
      assertThat(collector.raw())
          .contains("server.address", "http.response.status_code")
          .doesNotContain("secret");
    } finally {
      server.stop(0);
    }
  }
}

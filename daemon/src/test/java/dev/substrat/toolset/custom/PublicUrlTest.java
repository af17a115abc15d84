package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A daemon behind a public URL: links and callback URLs use it, and requests to it are accepted.
@OnEveryDatabase
@Timeout(300)
final class PublicUrlTest {
  private final TestDatabase place;
  private final FakeService service = new FakeService();
  private final TcpProxy tunnel = new TcpProxy("127.0.0.2");
  private final TestDaemon daemon;

  PublicUrlTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.foundAt(place, tunnel.url());
    tunnel.leadTo(daemon.url());
    var made =
        daemon.post(
            "/api/agents",
            """
            {"name":"ada","provider":{"name":"external"},"tools":[
              {"name":"batch","description":"A job.","executionType":"external",
               "execution":{"url":"%s/jobs","callback":true}},
              {"name":"chore","description":"A job.","executionType":"external"}]}
            """
                .formatted(service.url()));
    assertThat(made.status()).as("%s", made).isEqualTo(201);
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    tunnel.close();
    service.close();
    place.close();
  }

  private String call(String tool) {
    var asked = daemon.post("/api/tools/" + tool + "/call", "{\"agent\":\"ada\",\"arguments\":{}}");
    assertThat(asked.text("status")).as("%s", asked).isEqualTo("pending");
    return asked.text("pendingToolCallId");
  }

  private JsonNode show(String call) {
    return daemon.get("/api/pending/" + call).body();
  }

  /// Like a client that has only the callback URL.
  private static int post(String address, String result) {
    try (var client = new TestClient(address, "")) {
      return client.post("", result).status();
    }
  }

  @Test
  @Requirement("S3-41")
  void a_service_delivers_the_result_to_the_public_callback_url() {
    service.answers("/jobs", 202, "", "");
    String call = call("batch");
    String told = Objects.requireNonNull(service.last().headers().get("substrat-callback-url"));
    assertThat(told).startsWith(tunnel.url() + "/api/callbacks/" + call);
    assertThat(post(told, "{\"rows\":7}")).isEqualTo(204);
    assertThat(show(call).at("/result/rows").asInt()).isEqualTo(7);
    assertThat(post(told, "{\"rows\":8}")).as("it works once").isEqualTo(409);
  }

  @Test
  void the_operator_sees_the_same_callback_url() {
    String call = call("chore");
    String shown = show(call).path("callbackUrl").asText();
    assertThat(shown).startsWith(tunnel.url() + "/api/callbacks/");
    assertThat(post(shown, "{}")).isEqualTo(204);
  }

  @Test
  void sign_in_links_work_at_the_public_url() {
    String link = daemon.post("/api/login-links", "").text("url");
    assertThat(link).startsWith(tunnel.url() + "/login?code=");
    try (var browser = new TestClient(link, "")) {
      assertThat(browser.get("").header("Set-Cookie")).contains("HttpOnly");
    }
  }

  /// Commands on this machine need no way around.
  @Test
  void the_daemon_is_still_reachable_at_its_own_address() {
    assertThat(daemon.url()).startsWith("http://127.0.0.1:");
    assertThat(daemon.read("daemon.json")).contains(daemon.url()).doesNotContain(tunnel.url());
    assertThat(daemon.get("/api/status").text("url")).isEqualTo(daemon.url());
  }
}

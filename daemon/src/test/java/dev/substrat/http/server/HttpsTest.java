package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.server.TlsDaemon;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.TestCertificateAuthority;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.stream.Collectors;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The daemon with its own certificate: the TCP port speaks HTTPS only.
@Timeout(300)
final class HttpsTest {
  @TempDir private static Path directory;
  private static TestCertificateAuthority authority;
  private static TlsDaemon daemon;
  private static TestClient operator;

  @BeforeAll
  static void start() {
    authority = new TestCertificateAuthority(directory);
    daemon = TlsDaemon.with(authority, authority.issue("server", "EC"), directory.resolve("data"));
    operator = daemon.operator();
  }

  @AfterAll
  static void stop() {
    operator.close();
    daemon.close();
  }

  @Test
  void the_address_in_daemon_json_and_in_the_status_is_https() {
    assertThat(daemon.url()).startsWith("https://127.0.0.1:");
    assertThat(Json.own(daemon.read("daemon.json")).path("url").asText()).isEqualTo(daemon.url());
    assertThat(operator.get("/api/status").text("url")).isEqualTo(daemon.url());
  }

  @Test
  void a_client_that_does_not_trust_the_authority_refuses_the_daemon() {
    try (var client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(URI.create(daemon.url() + "/healthz")).build();
      assertThatThrownBy(() -> client.send(request, BodyHandlers.ofString()))
          .isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Test
  void the_port_does_not_speak_plain_http() {
    String reply = RawClient.talk(daemon.url(), "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertThat(reply).doesNotContain("HTTP/1.1", "ok");
  }

  @Test
  void a_large_body_and_an_event_stream_pass_through() throws Exception {
    String text = "a".repeat(500_000);
    operator.post("/api/agents", "{\"name\":\"large\",\"systemPrompt\":\"" + text + "\"}");
    assertThat(operator.get("/api/agents/large").text("systemPrompt")).isEqualTo(text);

    try (var client = authority.client()) {
      var request =
          HttpRequest.newBuilder(URI.create(daemon.url() + "/api/events?after=0"))
              .header("Authorization", "Bearer " + operator.token())
              .header("Accept", "text/event-stream")
              .build();
      var lines = client.send(request, BodyHandlers.ofLines()).body();
      assertThat(lines.limit(20).collect(Collectors.joining("\n"))).contains("agent_created");
      client.shutdownNow();
    }
  }

  @Test
  void a_session_cookie_over_https_is_secure() {
    try (var browser = daemon.as("")) {
      String link = operator.post("/api/login-links", "").text("url");
      assertThat(link).startsWith(daemon.url() + "/login?code=");
      var opened = browser.get(link.substring(daemon.url().length()));
      String cookie = opened.header("Set-Cookie");
      assertThat(cookie).contains("; Secure", "; HttpOnly", "; SameSite=Strict");

      String session = cookie.split(";", 2)[0];
      var page = browser.get("/api/agents", "Cookie", session, "Sec-Fetch-Site", "same-origin");
      assertThat(page.status()).isEqualTo(200);
      Problems.require(browser.get("/api/agents", "Cookie", session), 401, "UNAUTHORIZED");
      assertThat(browser.get("/login").headers().firstValue("Strict-Transport-Security"))
          .as("it would also apply to other servers under this name")
          .isEmpty();
    }
  }

  @Test
  void http_pages_of_the_same_host_are_a_foreign_origin() {
    assertThat(operator.get("/api/agents", "Origin", daemon.url()).status()).isEqualTo(200);
    String plain = daemon.url().replace("https:", "http:");
    Problems.require(operator.get("/api/agents", "Origin", plain), 403, "FOREIGN_ORIGIN");
    Problems.require(
        operator.get("/api/agents", "Origin", "https://evil.example"), 403, "FOREIGN_ORIGIN");
  }

  @Test
  void an_agent_and_a_zoo_client_have_their_tools_over_https() {
    operator.post("/api/agents", "{\"name\":\"mira\",\"provider\":{\"name\":\"external\"}}");
    try (var agent = daemon.as(operator.post("/api/agents/mira/tokens", "{}").text("token"));
        var zoo = daemon.as(operator.post("/api/tokens", "{\"zoo\":true}").text("token"))) {
      assertThat(tools(agent).findValuesAsText("name")).contains("send_message");
      assertThat(tools(zoo).findValuesAsText("name")).contains("agent_zoo_inject");
    }
  }

  private static JsonNode tools(TestClient client) {
    var listed = client.post("/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
    assertThat(listed.status()).as("%s", listed).isEqualTo(200);
    return listed.body().at("/result/tools");
  }

  /// A program on this machine need not trust the certificate, which may not even name 127.0.0.1.
  @Test
  void an_agents_program_reaches_only_its_tools_over_plain_http_on_loopback() {
    operator.post(
        "/api/agents",
        """
        {"name":"noor","provider":{"name":"scripted","command":["sh","-c",
         "read turn; echo \\"{\\\\\\"type\\\\\\":\\\\\\"done\\\\\\",\\\\\\"response\\\\\\":\\\\\\"$SUBSTRAT_MCP_URL\\\\\\"}\\""]}}
        """);
    operator.post("/api/agents/noor/messages", "{\"text\":\"go\"}");
    Await.until(() -> !url(operator.get("/api/inbox").body()).isEmpty());
    URI mcp = URI.create(url(operator.get("/api/inbox").body()));

    assertThat(mcp.getScheme()).isEqualTo("http");
    assertThat(mcp.getHost()).isEqualTo("127.0.0.1");
    assertThat(mcp.getPath()).isEqualTo("/mcp");
    String local = "http://127.0.0.1:" + mcp.getPort();
    try (var client = new TestClient(local, operator.token());
        var stranger = new TestClient(local, "")) {
      Problems.require(
          stranger.post("/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
          401,
          "UNAUTHORIZED");
      Problems.require(client.get("/api/agents"), 404, "NOT_FOUND");
      Problems.require(client.get("/login"), 404, "NOT_FOUND");
    }
  }

  private static String url(JsonNode inbox) {
    return inbox.findValuesAsText("text").stream()
        .filter(text -> text.startsWith("http"))
        .findFirst()
        .orElse("");
  }
}

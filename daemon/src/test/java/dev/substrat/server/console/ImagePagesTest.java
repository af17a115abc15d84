package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Images of tool calls on space pages.
@OnEveryDatabase
@Timeout(300)
final class ImagePagesTest {
  private static final Pattern PICTURE = Pattern.compile("<img src=\"([^\"]*)\" alt=\"([^\"]*)\"");
  private static final String PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  private final TestDatabase place;
  private final TestDaemon daemon;
  private final HttpServer service;
  private final ConsoleClient ana;

  ImagePagesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.reaching(place, Map.of());
    this.service = service();
    this.ana =
        new ConsoleClient(daemon, daemon.post("/api/tokens", "{\"person\":\"ana\"}").text("token"));
  }

  @AfterEach
  void close() throws IOException {
    ana.close();
    daemon.close();
    service.stop(0);
    place.close();
  }

  private static HttpServer service() {
    try {
      var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void answers(String path, String json) {
    service.createContext(
        path,
        exchange -> {
          try (exchange) {
            byte[] reply = json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, reply.length);
            exchange.getResponseBody().write(reply);
          }
        });
  }

  /// An agent that calls `tool` in the space for each message.
  private String pageAfter(String tool, String description) {
    String address = "http://127.0.0.1:" + service.getAddress().getPort();
    Answer made =
        daemon.post(
            "/api/agents",
            """
            {"name":"ada","tools":[%s],"provider":{"name":"scripted","playbook":[{"do":[
              {"call":"enter_space","with":{"spaceId":"studio"}},
              {"call":"%s","with":{"prompt":"a <boat> at sea"}},
              {"call":"send_message","with":{"text":"That was it."}}]}]}}
            """
                .formatted(description.replace("SERVICE", address), tool));
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    daemon.post(
        "/api/spaces",
        "{\"id\":\"studio\",\"name\":\"Studio\",\"kind\":\"private\",\"members\":[\"ada\",\"ana\"]}");
    daemon.post("/api/agents/ada/messages", "{\"text\":\"go on\",\"sync\":false}");
    Await.until(
        () -> ana.page("/spaces/studio").contains("That was it."),
        () -> ana.page("/spaces/studio"));
    return ana.page("/spaces/studio");
  }

  @Test
  @Requirement({"S3-18", "S3-45"})
  void only_members_of_the_space_see_an_image() {
    answers("/v1/images/generations", "{\"data\":[{\"b64_json\":\"" + PNG + "\"}]}");
    String page =
        pageAfter(
            "draw",
            """
            {"name":"draw","description":"Draws.","executionType":"gateway",
             "execution":{"provider":"dall-e","baseUrl":"SERVICE/v1"}}
            """);
    var picture = PICTURE.matcher(page);
    assertThat(picture.find()).as(page).isTrue();
    assertThat(picture.group(2)).isEqualTo("a &lt;boat> at sea");
    String address = picture.group(1);
    assertThat(address).startsWith("/api/attachments/");
    assertThat(page).contains("href=\"" + address + "\"");
    assertThat(picture.find()).as("it is there once").isFalse();

    Answer image = ana.look(address);
    assertThat(image.status()).isEqualTo(200);
    assertThat(image.header("Content-Type")).isEqualTo("image/png");
    assertThat(image.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(image.header("Content-Security-Policy")).contains("default-src 'none'", "sandbox");
    String token = daemon.post("/api/tokens", "{\"person\":\"ben\"}").text("token");
    try (var ben = new ConsoleClient(daemon, token)) {
      assertThat(ben.look(address).status()).isEqualTo(404);
    }
  }

  /// Pages show only stored images, not addresses from results of services.
  @Test
  @Requirement("S3-18")
  void an_image_address_in_a_result_is_not_shown_as_image() {
    var claimed =
        Json.object()
            .put("attachmentId", "../agents\u0000\"><script>")
            .put("url", "https://elsewhere.example/x.svg")
            .put("mediaType", "image/svg+xml");
    answers("/claims", Json.text(claimed));
    String page =
        pageAfter(
            "claim",
            """
            {"name":"claim","description":"Claims.","executionType":"gateway",
             "execution":{"url":"SERVICE/claims"}}
            """);
    assertThat(page).contains("elsewhere.example").doesNotContain("<img", "<script>");
  }

  @Test
  @Requirement("S3-18")
  void a_missing_image_is_not_shown() {
    String id = "01980000-0000-7000-8000-000000000000";
    answers("/claims", Json.text(Json.object().put("attachmentId", id).put("mediaType", "x")));
    String page =
        pageAfter(
            "claim",
            """
            {"name":"claim","description":"Claims.","executionType":"gateway",
             "execution":{"url":"SERVICE/claims"}}
            """);
    assertThat(page).contains(id).doesNotContain("<img");
  }
}

package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestClient;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// HTTP client that acts like a browser with a session: requests pages and submits forms.
final class ConsoleClient implements AutoCloseable {
  private final TestDaemon daemon;
  private final TestClient client;
  private final String cookie;

  ConsoleClient(TestDaemon daemon) {
    this.daemon = daemon;
    this.client = daemon.as("");
    String link = daemon.post("/api/login-links", "").text("url").substring(daemon.url().length());
    this.cookie = client.get(link).header("Set-Cookie").split(";", 2)[0];
  }

  /// Signs in with the token of a person.
  ConsoleClient(TestDaemon daemon, String token) {
    this.daemon = daemon;
    this.client = daemon.as("");
    this.cookie =
        client
            .post(
                "/login",
                form("token", token),
                "Content-Type",
                "application/x-www-form-urlencoded",
                "Origin",
                daemon.url())
            .header("Set-Cookie")
            .split(";", 2)[0];
  }

  Answer look(String path) {
    return client.get(
        path, "Cookie", cookie, "Accept", "text/html", "Sec-Fetch-Site", "same-origin");
  }

  /// HTML of a page; fails unless the status is 200.
  String page(String path) {
    Answer answer = look(path);
    assertThat(answer.status()).as("%s", answer.body().asText()).isEqualTo(200);
    return answer.body().asText();
  }

  /// Submits a form: names and values alternate.
  Answer submit(String path, String... fields) {
    return send(path, daemon.url(), fields);
  }

  Answer send(String path, String origin, String... fields) {
    return client.post(
        path,
        form(fields),
        "Cookie",
        cookie,
        "Accept",
        "text/html",
        "Content-Type",
        "application/x-www-form-urlencoded",
        "Origin",
        origin);
  }

  /// Sends the cookie without the headers of a browser.
  Answer submitFromNowhere(String path, String... fields) {
    return client.post(
        path,
        form(fields),
        "Cookie",
        cookie,
        "Accept",
        "text/html",
        "Content-Type",
        "application/x-www-form-urlencoded",
        "Sec-Fetch-Site",
        "same-origin");
  }

  private static String form(String... fields) {
    return IntStream.range(0, fields.length / 2)
        .mapToObj(i -> encoded(fields[2 * i]) + "=" + encoded(fields[2 * i + 1]))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    client.close();
  }
}

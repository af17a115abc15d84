package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.mcp.server.HeldTurn;
import dev.substrat.platform.json.Json;
import dev.substrat.server.AttackSurface.Caller;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.ToolsetName;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// docs/attack-surface.md is true: every route is requested by every kind of caller and answers as
/// documented.
@Requirement("N7")
@Timeout(300)
final class AttackSurfaceTest {
  private static final Set<Integer> REFUSALS = Set.of(401, 403, 429);
  private static final Path PAGE = Path.of("../docs/attack-surface.md");
  private static final Path SCOPES = Path.of("../docs/tokens.md");
  private static final String TOOLSETS = Json.text(ToolsetName.words());

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<Caller, String> tokens = new EnumMap<>(Caller.class);
  private HeldTurn turn;

  @BeforeEach
  void create_callers() throws Exception {
    agent("mira");
    agent("ada");
    turn = HeldTurn.begin(daemon, "mira", "\"toolsets\":" + TOOLSETS + ",");
    tokens.put(Caller.NONE, "");
    tokens.put(Caller.REVOKED, revoked());
    tokens.put(Caller.OWNER, daemon.token());
    for (Caller role : List.of(Caller.OPERATOR, Caller.MEMBER, Caller.VIEWER)) {
      String name = role.name().toLowerCase(Locale.ROOT) + "-person";
      String word = role.name().toLowerCase(Locale.ROOT);
      created("/api/people", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(name, word));
      tokens.put(role, token("{\"person\":\"%s\"}".formatted(name)));
    }
    tokens.put(Caller.AGENT, created("/api/agents/mira/tokens", "{}").path("token").asText());
    tokens.put(Caller.TURN, turn.client().token());
    tokens.put(Caller.ZOO, token("{\"zoo\":true}"));
    tokens.put(Caller.METRICS, token("{\"scopes\":[\"metrics:read\"]}"));
    tokens.put(
        Caller.OTHER_AGENT,
        token("{\"scopes\":%s}".formatted(Json.text(AttackSurface.forAgent("ada")))));
    signInAll();
  }

  private void signInAll() {
    signIn(Caller.OWNER_SESSION, Caller.OWNER);
    signIn(Caller.OPERATOR_SESSION, Caller.OPERATOR);
    signIn(Caller.MEMBER_SESSION, Caller.MEMBER);
    signIn(Caller.VIEWER_SESSION, Caller.VIEWER);
  }

  /// Opens a session with the token of `opener`.
  private void signIn(Caller session, Caller opener) {
    try (var browser = daemon.as("")) {
      var opened =
          browser.post("/login", Json.text(Map.of("token", tokens.getOrDefault(opener, ""))));
      assertThat(opened.status()).as("%s", opened).isEqualTo(204);
      tokens.put(session, opened.header("Set-Cookie").split(";", 2)[0]);
    }
  }

  @AfterEach
  void stop() throws IOException {
    http.shutdownNow();
    turn.close();
    daemon.close();
    place.close();
  }

  @Test
  void the_page_is_current() throws IOException {
    Map<Caller, List<String>> tools = new EnumMap<>(Caller.class);
    for (Caller caller : List.of(Caller.AGENT, Caller.TURN, Caller.ZOO)) {
      tools.put(caller, tools(caller));
    }
    String text = AttackSurface.page(daemon.routes(), tools);
    if ("renew".equals(System.getProperty("substrat.golden"))) {
      Files.writeString(PAGE, text);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(text);
  }

  @Test
  void the_table_of_scopes_is_current() throws IOException {
    String page = Files.readString(SCOPES);
    String begin = "<!-- scopes: written from the declarations -->\n";
    int start = page.indexOf(begin) + begin.length();
    int end = page.indexOf("<!-- end -->");
    String text = page.substring(0, start) + AttackSurface.scopes() + "\n" + page.substring(end);
    if ("renew".equals(System.getProperty("substrat.golden"))) {
      Files.writeString(SCOPES, text);
    }
    assertThat(Files.readString(SCOPES)).isEqualTo(text);
  }

  /// The expectation is in the page, which people review, and not in the code under test.
  @Test
  void every_route_answers_every_caller_as_documented() throws Exception {
    List<String> page = Files.readAllLines(PAGE);
    var wrong = new ArrayList<String>();
    for (HttpRoute route : daemon.routes()) {
      String start = "| `%s %s` |".formatted(route.method(), route.path());
      String row = page.stream().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
      var cells = List.of(row.split("\\|")).listIterator(3);
      for (Caller caller : Caller.values()) {
        String expected = cells.next().strip();
        String actual = ask(route, caller, expected);
        if (!actual.equals(expected)) {
          wrong.add("%s by %s: %s instead of %s".formatted(start, caller, actual, expected));
        }
      }
      if (route.path().equals("/logout")) {
        signInAll();
      }
    }
    assertThat(wrong).isEmpty();
  }

  /// A rejection by the access check does not depend on the object, so handlers get names of
  /// objects that do not exist; only a caller that must be rejected gets existing ones.
  private String ask(HttpRoute route, Caller caller, String expected) throws Exception {
    String name = expected.equals("403") ? "mira" : "nobody";
    String path =
        route
            .path()
            .replaceAll("(agents|team|workspaces)/\\{\\w+}", "$1/" + name)
            .replaceAll("\\{\\w+}", "nobody");
    var request =
        HttpRequest.newBuilder(URI.create(daemon.url() + path))
            .timeout(Duration.ofMinutes(2))
            .header("Origin", daemon.url())
            .method(route.method(), HttpRequest.BodyPublishers.noBody());
    String token = tokens.getOrDefault(caller, "");
    if (caller.isSession()) {
      request.header("Cookie", token);
    } else if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    var response = http.send(request.build(), BodyHandlers.ofInputStream());
    try (var body = response.body()) {
      if (!REFUSALS.contains(response.statusCode())) {
        return "yes";
      }
      JsonNode problem = Json.parse(body.readAllBytes());
      if (response.statusCode() == 429) {
        // Repeated authentication failures are throttled; only requests without a valid token
        // count.
        return problem.path("code").asText().equals("RATE_LIMITED") ? "401" : "yes";
      }
      return isOfHandler(problem) ? "yes" : String.valueOf(response.statusCode());
    }
  }

  /// Public routes validate their input instead of a token.
  private static boolean isOfHandler(JsonNode problem) {
    return List.of("this is not a token of the operator or a person", "the callback URL is invalid")
        .contains(problem.path("message").asText());
  }

  private List<String> tools(Caller caller) {
    try (var client = daemon.as(tokens.getOrDefault(caller, ""))) {
      return client
          .post("/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}")
          .body()
          .at("/result/tools")
          .valueStream()
          .map(tool -> tool.path("name").asText())
          .toList();
    }
  }

  private void agent(String name) {
    created(
        "/api/agents",
        "{\"name\":\"%s\",\"provider\":{\"name\":\"external\"},\"toolsets\":%s}"
            .formatted(name, TOOLSETS));
  }

  private String revoked() {
    String token = token("{}");
    assertThat(daemon.delete("/api/tokens/" + token.split("_", 3)[1]).status()).isEqualTo(204);
    return token;
  }

  private String token(String options) {
    return created("/api/tokens", options).path("token").asText();
  }

  private JsonNode created(String path, String body) {
    var answer = daemon.post(path, body);
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
    return answer.body();
  }
}

package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.console.ConsoleSection;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.HiddenCharacters;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCall;
import dev.substrat.turn.engine.Engine;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// No page shows a hidden character. The pages are found by following every link from the first
/// one. Every route that answers with a page must be found that way and show hostile text, so a new
/// page fails this test until it is covered.
@OnEveryDatabase
@Timeout(300)
final class HiddenTextPagesTest {
  /// Each kind of hidden character once, between letters that mark its position.
  private static final String HOSTILE =
      "mira\u202egnp\u2066a\u2069b\u200bc\u200dd\u2060e\ufefff\u00adg\u034fh\u061ci\u115fj\u17b4k"
          + "\u180el\u3164m\uffa0n\u2800o\udb40\udc41p\ufe0fq\u009br\ue000s";

  private static final Pattern LINK = Pattern.compile(" href=\"(/[^\"#]*)");

  /// Values that are sent back to the daemon or only read by scripts: not shown, and therefore
  /// exact.
  private static final Pattern EXACT =
      Pattern.compile(
          "(?<= )(?:value|href|action|name|id|for|(?!data-confirm|data-problem)data-[a-z-]+)"
              + "=\"[^\"]*\"|<textarea[^<>]*>.*?(?=</textarea>)",
          Pattern.DOTALL);

  /// Answer programs, not people.
  private static final Pattern FOR_PROGRAMS =
      Pattern.compile("/(api|mcp|assets|metrics|healthz|readyz|\\.well-known)(/.*)?");

  /// These show no text of others, or redirect.
  private static final Set<String> OWN_TEXT_ONLY = Set.of("/", "/login", "/agents/new");

  private final TestDatabase place;
  private final TestDaemon daemon;
  private final ConsoleClient operator;

  HiddenTextPagesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    this.operator = new ConsoleClient(daemon);
  }

  @AfterEach
  void close() throws IOException {
    operator.close();
    daemon.close();
    place.close();
  }

  @Test
  @Requirement("S3-45")
  void no_page_shows_a_hidden_character() {
    fill();
    Map<String, String> pages = crawl();
    assertThat(pages.keySet())
        .containsAll(List.of(ConsoleSection.values()).stream().map(ConsoleSection::path).toList());
    var showing = new TreeSet<String>();
    pages.forEach((path, page) -> {
      String shown = EXACT.matcher(page).replaceAll("");
      assertThat(HiddenCharacters.escape(shown)).as(path).isEqualTo(shown);
      if (shown.contains("\\u{202E}") || shown.contains("\\u202E")) {
        showing.add(path);
      }
    });
    for (HttpRoute route : daemon.routes()) {
      if (route.method().equals("GET") && !FOR_PROGRAMS.matcher(route.path()).matches()) {
        var found = OWN_TEXT_ONLY.contains(route.path()) ? pages.keySet() : showing;
        assertThat(found)
            .as("pages with hostile text: " + route.path())
            .anyMatch(path -> isAt(route, path));
      }
    }
    assertThat(showing).contains("/palette", "/mail?folder=all", "/agents/ada/edit");
  }

  /// Whether this route answers that path; a route with fewer path parameters takes precedence.
  private boolean isAt(HttpRoute route, String address) {
    return daemon.routes().stream()
        .filter(one -> one.method().equals("GET") && isLike(one.path(), address))
        .min(Comparator.comparingInt(one -> one.path().split("\\{").length))
        .filter(route::equals)
        .isPresent();
  }

  private static boolean isLike(String pattern, String address) {
    return address.replaceFirst("\\?.*", "").matches(pattern.replaceAll("\\{\\w+}", "[^/]+"));
  }

  /// Every page that can be reached, by its path.
  private Map<String, String> crawl() {
    var pages = new LinkedHashMap<String, String>();
    var open = new ArrayDeque<>(List.of("/", "/login", "/agents", "/palette"));
    while (!open.isEmpty()) {
      String path = open.removeFirst().replace("&amp;", "&");
      if (pages.containsKey(path) || path.startsWith("/assets") || path.startsWith("/api")) {
        continue;
      }
      Answer answer = operator.look(path);
      assertThat(answer.status()).as(path).isIn(200, 303);
      String page = answer.body().asText();
      pages.put(path, page);
      LINK.matcher(page).results().forEach(link -> open.add(link.group(1)));
      assertThat(pages.size()).as("the pages have an end").isLessThan(500);
    }
    return pages;
  }

  private void fill() {
    ObjectNode ada = Json.object().put("name", HOSTILE).put("handle", "ada");
    ada.put("description", HOSTILE).put("systemPrompt", HOSTILE);
    ada.putArray("toolsets").add("team").add("spaces");
    var skill = ada.putArray("skills").addObject().put("name", HOSTILE);
    skill.put("description", HOSTILE).put("category", HOSTILE);
    ada.putArray("categories").addObject().put("name", HOSTILE);
    var tool = ada.putArray("tools").addObject().put("name", "confirm").put("description", HOSTILE);
    tool.put("executionType", "space").putObject("display").put("customUI", "form");
    ada.putObject("provider").put("name", "external");
    var server = ada.putObject("mcp").putArray("servers").addObject();
    server.put("name", "files").put("command", "/bin/server").putArray("args").add(HOSTILE);
    assertThat(daemon.post("/api/agents", Json.text(ada)).status()).isEqualTo(201);
    daemon.createAgent("grump", "[{\"do\":[{\"fail\":%s}]}]".formatted(Json.text(HOSTILE)));
    daemon.createAgent("echo", "[{\"do\":[{\"say\":\"{{event.text}}\"}]}]");
    var space = Json.object().put("name", HOSTILE).put("id", "deck").put("topic", HOSTILE);
    space.putArray("members").add("ada");
    daemon.post("/api/spaces", Json.text(space));
    daemon.post(
        "/api/people", Json.text(Json.object().put("name", "noor").put("displayName", HOSTILE)));
    String text = Json.text(Json.object().put("text", HOSTILE));
    // Some pages show only the beginning, with a link to the whole text.
    String all = Json.text(Json.object().put("text", HOSTILE + "x".repeat(100_000)));
    daemon.post("/api/spaces/deck/messages", all);
    daemon.post("/api/agents/echo/messages", all);
    daemon.post("/api/spaces/deck/messages", text);
    daemon.post("/api/agents/ada/messages", text);
    daemon.post("/api/agents/grump/messages", text);
    Engine engine = daemon.engine();
    var caller = engine.externalRuns().caller(engine.agents().require("ada"));
    engine
        .pipeline()
        .call(
            new ToolCall(caller, 0, MessageId.random().value(), null),
            "enter_space",
            Json.object().put("spaceId", "deck"));
    ObjectNode call = Json.object().put("agent", "ada");
    call.putObject("arguments").put("question", HOSTILE).put(HOSTILE, HOSTILE);
    assertThat(daemon.post("/api/tools/confirm/call", Json.text(call)).text("status"))
        .isEqualTo("pending");
    Await.until(
        () -> daemon.get("/api/runs?agent=grump").body().toString().contains("\"failed\""),
        () -> daemon.get("/api/runs").body().toPrettyString());
    Await.until(
        () -> !daemon.get("/api/inbox").body().path("messages").isEmpty(),
        () -> daemon.get("/api/inbox").body().toPrettyString());
  }
}

package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Long texts are cut on pages, with a link to the full text.
@OnEveryDatabase
@Timeout(300)
final class LongTextsTest {
  /// A surrogate pair at the position of the cut.
  private static final String LONG =
      "Ahoy **there**. "
          + "x".repeat(3_983)
          + "⚓️🚢"
          + " @mira `y` and so on".repeat(20_000)
          + " the end";

  /// Maximum size of a page.
  private static final int PAGE = 160_000;

  private final TestDatabase place;
  private final TestDaemon daemon;
  private final ConsoleClient visitor;

  LongTextsTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    this.visitor = new ConsoleClient(daemon);
  }

  @AfterEach
  void close() throws IOException {
    visitor.close();
    daemon.close();
    place.close();
  }

  private static String note(String text) {
    return Json.text(Json.object().put("text", text));
  }

  private String small(String path) {
    String page = visitor.page(path);
    assertThat(page.length()).as(path).isLessThan(PAGE);
    return page;
  }

  @Test
  void a_long_message_is_cut_in_lists_and_complete_on_its_page() {
    daemon.post("/api/agents", "{\"name\":\"ada\",\"provider\":{\"name\":\"external\"}}");
    String id = daemon.post("/api/agents/ada/messages", note(LONG)).text("message_id");
    daemon.post("/api/agents/ada/messages", note("a short one"));
    // On PostgreSQL events are readable shortly after the commit.
    Await.until(() -> visitor.page("/team?who=ada").contains("a short one"));

    assertThat(small("/agents/ada"))
        .contains("<strong>there</strong>", "href=\"/mail/" + id + "\">Show all</a>")
        .containsOnlyOnce("Show all");
    assertThat(small("/mail?folder=all")).contains("Ahoy there.");
    small("/agents");
    small("/team?who=ada");
    assertThat(small("/mail/" + id)).contains("/mail/" + id + "/text");
    assertThat(visitor.look("/mail/" + id + "/text").header("Content-Type"))
        .startsWith("text/plain");
    assertThat(visitor.page("/mail/" + id + "/text")).isEqualTo(LONG);
  }

  @Test
  void a_long_turn_is_cut_in_lists_and_on_its_page() {
    var says = Json.object();
    says.putArray("do").addObject().put("say", LONG);
    daemon.createAgent("ada", "[" + Json.text(says) + "]");
    daemon.post("/api/agents/ada/messages", note(LONG));
    Await.until(() ->
        daemon.get("/api/runs?agent=ada").body().at("/runs/0/status").asText().equals("done"));
    small("/runs");
    small("/agents/ada");
    String run = daemon.get("/api/runs?agent=ada").body().at("/runs/0/id").asText();
    small("/runs/" + run);
  }

  @Test
  void a_long_space_message_is_cut_with_a_link_to_the_full_text() {
    daemon.post("/api/spaces", "{\"name\":\"General\"}");
    daemon.post("/api/spaces", "{\"name\":\"Bridge\"}");
    String id = daemon.post("/api/spaces/general/messages", note(LONG)).text("id");
    String whole = "/spaces/general/messages/" + id;

    assertThat(small("/spaces/general")).contains("href=\"" + whole + "\"");
    small("/spaces/general?thread=" + id);
    assertThat(small("/spaces")).contains("Ahoy there.");
    assertThat(visitor.page(whole)).isEqualTo(LONG);
    assertThat(visitor.look("/spaces/bridge/messages/" + id).status()).isEqualTo(404);
    try (var ana =
        new ConsoleClient(
            daemon, daemon.post("/api/tokens", "{\"person\":\"ana\"}").text("token"))) {
      daemon.post("/api/spaces", "{\"name\":\"Cabin\",\"kind\":\"private\"}");
      String secret = daemon.post("/api/spaces/cabin/messages", note("secret")).text("id");
      assertThat(ana.look("/spaces/cabin/messages/" + secret).status()).isEqualTo(404);
    }
  }

  @Test
  void a_cut_question_warns_before_the_decision() {
    daemon.post(
        "/api/agents",
        """
        {"name":"ada","tools":[{"name":"ask","description":"Asks.","executionType":"space",
          "display":{"customUI":"confirmAction"}}]}
        """);
    var question = Json.object().put("agent", "ada");
    question.putObject("arguments").put("text", LONG);
    String call = daemon.post("/api/tools/ask/call", Json.text(question)).text("pendingToolCallId");

    assertThat(small("/approvals"))
        .contains("before you decide", "/approvals/" + call + "/raw", "more characters");
    small("/agents/ada");
    small("/runs");
  }
}

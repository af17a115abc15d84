package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// List of agents.
@OnEveryDatabase
final class AgentPagesTest {
  private final TestDatabase place;
  private final TestDaemon daemon;
  private final ConsoleClient visitor;

  /// Each test starts without agents.
  AgentPagesTest(TestDatabase kind) {
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

  @Test
  void agents_are_searched_by_name_handle_and_description() {
    create("Mira Stone", "Leads the harbor");
    create("ben", "Looks after 100% of the cargo");

    assertThat(cards("")).contains("Mira Stone", "Leads the harbor", ">ben<");
    assertThat(cards("?q=HARBOR")).contains("Mira Stone").doesNotContain(">ben<");
    assertThat(cards("?q=mira-st")).contains("Mira Stone").doesNotContain(">ben<");
    assertThat(cards("?q=100%25")).contains(">ben<").doesNotContain("Mira Stone<");
    assertThat(cards("?q=_")).as("wildcards of SQL").contains("No agents found");
    assertThat(cards("?order=active")).contains("Mira Stone");
    assertThat(cards("?order=waiting")).contains("Mira Stone");
  }

  @Test
  void terminated_agents_are_found_on_request_or_without_active_matches() {
    create("Mira Stone", "");
    create("Old Mira", "");
    create("Ada", "");
    visitor.submit("/agents/old-mira/terminate");
    visitor.submit("/agents/ada/terminate");

    assertThat(cards("?q=mira")).contains("Mira Stone", "1 agent<").doesNotContain("Old Mira");
    assertThat(cards("?q=mira&ended=too")).contains("Mira Stone", "Old Mira", ">terminated<");
    assertThat(cards("?q=ada")).contains("These agents are terminated", ">Ada<", ">terminated<");
    assertThat(cards("")).doesNotContain("Old Mira", "These agents are terminated");
  }

  @Test
  void the_first_visit_shows_the_welcome_page() {
    assertThat(visitor.page("/agents")).contains("Your first team").doesNotContain("0 agents");
  }

  @Test
  void agent_names_are_escaped() {
    create("<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>");

    assertThat(visitor.page("/agents"))
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;img src=x onerror=alert(2)&gt;")
        .doesNotContain("<script>alert", "<img");
  }

  @Test
  void paging_shows_each_agent_once() {
    for (int i = 100; i < 230; i++) {
      create((i % 2 == 0 ? "Twin " : "twin ") + i, "");
    }
    String first = visitor.page("/agents");
    var next = Pattern.compile("rel=\"next\" href=\"([^\"]+)\"").matcher(first);
    assertThat(next.find()).isTrue();
    String second = visitor.page(next.group(1).replace("&amp;", "&"));

    assertThat(Stream.of(first, second).flatMap(AgentPagesTest::ids))
        .hasSize(130)
        .doesNotHaveDuplicates();
    assertThat(second).contains("First page").doesNotContain("rel=\"next\"");
  }

  private static Stream<String> ids(String page) {
    return Pattern.compile("<li class=\"card agent\" id=\"([^\"]+)\"")
        .matcher(page)
        .results()
        .map(match -> match.group(1));
  }

  /// The page without the activity list, which names all agents.
  private String cards(String query) {
    return visitor.page("/agents" + query).split("id=\"feed\"", 2)[0];
  }

  private void create(String name, String description) {
    var config =
        Json.object()
            .put("name", name)
            .put("description", description)
            .set("provider", Json.object().put("name", "external"));
    assertThat(daemon.post("/api/agents", config.toString()).status()).isEqualTo(201);
  }
}

package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.Tx;
import dev.substrat.testkit.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Lists of runs, held messages, messages of an agent and remote servers are read to their end page
/// by page, and many messages are marked as read in several transactions.
@OnEveryDatabase
@Timeout(60)
final class ListPagesTest {
  private static final int ROWS = 7;

  private final TestDatabase place;
  private final TestDaemon daemon;
  private final String ada;

  ListPagesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    this.ada = external("ada");
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void runs_are_paged_newest_first() {
    external("ben");
    String ben = daemon.get("/api/agents/ben").text("id");
    database()
        .run(tx -> {
          for (int i = 0; i < ROWS; i++) {
            run(tx, "run-" + i, i == 3 ? ben : ada, i + 1);
          }
        });

    assertThat(pages("/api/runs", "runs", "id", "before"))
        .containsExactly("run-6", "run-5", "run-4", "run-3", "run-2", "run-1", "run-0");
    assertThat(pages("/api/runs?agent=ada", "runs", "id", "before"))
        .containsExactly("run-6", "run-5", "run-4", "run-2", "run-1", "run-0");
    assertThat(pages("/api/runs?subject=tides", "runs", "id", "before"))
        .containsExactly("run-6", "run-4", "run-2", "run-0");
    assertThat(daemon.get("/api/runs?subject=tides&limit=1").body().at("/usage/turns").asInt())
        .isEqualTo(4);
  }

  @Test
  void messages_of_an_agent_and_held_ones_are_paged() {
    database()
        .run(tx -> {
          for (int i = 0; i < ROWS; i++) {
            boolean isSent = i % 2 == 0;
            message(tx, "m-" + i, isSent ? ada : "operator", isSent ? "operator" : ada, "held");
          }
        });

    assertThat(pages("/api/held", "messages", "message_id", "after"))
        .containsExactly("m-0", "m-1", "m-2", "m-3", "m-4", "m-5", "m-6");
    // Each page is oldest first, and the next page is older.
    assertThat(pages("/api/agents/ada/messages", "messages", "message_id", "before"))
        .containsExactly("m-5", "m-6", "m-3", "m-4", "m-1", "m-2", "m-0");
    assertThat(pages("/api/messages?agent=ada", "messages", "message_id", "before"))
        .containsExactly("m-6", "m-5", "m-4", "m-3", "m-2", "m-1", "m-0");
    assertThat(pages("/api/messages?agent=ada&held=true", "messages", "message_id", "before"))
        .containsExactly("m-6", "m-5", "m-4", "m-3", "m-2", "m-1", "m-0");
  }

  @Test
  void remote_servers_are_paged_and_agents_without_any_are_left_out() {
    for (String name : List.of("bea", "cleo", "dan")) {
      daemon.post(
          "/api/agents",
          """
          {"name":"%s","provider":{"name":"external"},
           "mcp":{"servers":[{"name":"met","url":"https://example.com/mcp"}]}}
          """
              .formatted(name));
    }

    assertThat(pages("/api/mcp-servers", "agents", "agent", "after"))
        .containsExactly("bea", "cleo", "dan");
  }

  @Test
  void summaries_of_agents_have_no_configuration() {
    JsonNode summary = daemon.get("/api/agents?view=summary").body().at("/agents/0");

    assertThat(summary.path("handle").asText()).isEqualTo("ada");
    assertThat(summary.at("/provider/name").asText()).isEqualTo("external");
    assertThat(summary.at("/condition/state").asText()).isEqualTo("idle");
    assertThat(summary.has("systemPrompt")).isFalse();
    assertThat(daemon.get("/api/agents?view=all").status()).isEqualTo(400);
  }

  @Test
  void many_messages_are_marked_as_read_in_several_transactions() {
    database()
        .run(tx -> {
          for (int i = 0; i < 1_200; i++) {
            message(tx, "m-%04d".formatted(i), ada, "operator", null);
          }
        });
    assertThat(unread()).as("counting stops at a thousand").isEqualTo(1_000);

    JsonNode read = daemon.post("/api/inbox/read", "{\"up_to\":\"m-1100\"}").body();

    assertThat(read.path("read").asInt()).isEqualTo(1_101);
    assertThat(unread()).isEqualTo(99);
    // PostgreSQL numbers events shortly after the commit.
    Await.until(() -> readEvents().size() == 3);
    assertThat(readEvents()).containsExactly(500L, 500L, 101L);
  }

  private List<Long> readEvents() {
    return database()
        .read(tx ->
            tx.list(
                "select payload from event where kind = 'inbox_read' order by seq",
                row -> Json.own(row.text("payload"))))
        .stream()
        .map(payload -> payload.path("messages").asLong())
        .toList();
  }

  private long unread() {
    return daemon.get("/api/inbox?limit=1").body().path("unread").asLong();
  }

  /// The ids of all pages of two entries.
  private List<String> pages(String path, String list, String id, String cursor) {
    String target = path + (path.contains("?") ? "&" : "?") + "limit=2";
    var ids = new ArrayList<String>();
    String next = "";
    do {
      JsonNode page =
          daemon.get(next.isEmpty() ? target : target + "&" + cursor + "=" + next).body();
      page.path(list).forEach(entry -> ids.add(entry.path(id).asText()));
      next = page.path("next").asText("");
    } while (!next.isEmpty());
    return ids;
  }

  private String external(String name) {
    return daemon
        .post(
            "/api/agents", "{\"name\":\"%s\",\"provider\":{\"name\":\"external\"}}".formatted(name))
        .text("id");
  }

  private Database database() {
    return daemon.engine().dependencies().database();
  }

  private static void run(Tx tx, String id, String agent, int turn) {
    tx.update(
        """
        insert into run (id, agent_id, turn_no, status, started_at, ended_at, subject)
        values (?, ?, ?, 'done', 1, 2, ?)
        """,
        id,
        agent,
        turn,
        turn % 2 == 1 ? "tides" : null);
  }

  private static void message(
      Tx tx, String id, String from, String to, @Nullable String heldReason) {
    tx.update(
        """
        insert into message (id, sender, recipient, text, sync, depth, status, stored_at,
          held_reason)
        values (?, ?, ?, 'hello', 0, 0, 'stored', 1, ?)
        """,
        id,
        from,
        to,
        heldReason);
  }
}

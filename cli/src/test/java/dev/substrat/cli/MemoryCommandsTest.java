package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Commands for the memory of agents.
final class MemoryCommandsTest extends FakeDaemonCommands {
  private static final String BLOCK =
      """
      {"label":"mood","content":"calm","description":"","limit":4000,"readOnly":false,
       "shared":true,"mayWrite":false,"version":3,"seen":2,"author":"ben",
       "updatedAt":"2026-01-01T12:00:00Z"}
      """;

  @BeforeEach
  void keep() {
    daemon.answers("GET /api/agents/mira/memory/mood", 200, BLOCK);
    daemon.answers("PUT /api/agents/mira/memory/mood", 200, BLOCK);
    daemon.answers("POST /api/agents/mira/memory/mood/undo", 200, BLOCK);
    daemon.answers("DELETE /api/agents/mira/memory/mood", 204, "");
  }

  @Test
  void blocks_and_values_are_listed_together() {
    daemon.answers(
        "GET /api/agents/mira/memory",
        200,
        "{\"blocks\":[%s],\"values\":[{\"key\":\"ship\",\"value\":\"Alma\",\"version\":1}]}"
            .formatted(BLOCK));
    daemon.answers("GET /api/agents/ada/memory", 200, "{\"blocks\":[],\"values\":[]}");

    assertThat(run("memory", "list", "mira").out())
        .containsPattern("mood +shared block, read-only +3 .* calm\n")
        .containsPattern("ship +value +1 .*Alma\n");
    assertThat(run("memory", "list", "ada").out()).startsWith("no memory yet; ");
  }

  @Test
  void a_block_shows_the_version_its_agent_has_seen() {
    assertThat(run("memory", "show", "mira", "mood").out())
        .containsPattern("version +3\n")
        .containsPattern("seen by agent +version 2\n")
        .containsPattern("written by +ben\n")
        .containsPattern("size +4 of 4000 characters\n");
    assertThat(run("memory", "show", "mira", "mood", "--json").out()).contains("\"seen\":2");
    assertThat(run("memory", "show", "mira", "none").code()).isEqualTo(2);
  }

  @Test
  void memory_set_sends_only_given_options() {
    run("memory", "set", "mira", "mood", "calm");
    run("memory", "set", "mira", "mood", "calm", "--read-only", "--limit", "9", "--version", "3");
    run("memory", "set", "mira", "mood", "calm", "--no-read-only", "--why", "spring");
    run("memory", "undo", "mira", "mood");
    run("memory", "delete", "mira", "mood");

    assertThat(daemon.requests())
        .filteredOn(request -> !request.startsWith("GET"))
        .containsExactly(
            "PUT /api/agents/mira/memory/mood {\"content\":\"calm\"}",
            "PUT /api/agents/mira/memory/mood"
                + " {\"content\":\"calm\",\"limit\":9,\"readOnly\":true,\"version\":3}",
            "PUT /api/agents/mira/memory/mood"
                + " {\"content\":\"calm\",\"readOnly\":false,\"reason\":\"spring\"}",
            "POST /api/agents/mira/memory/mood/undo {}",
            "DELETE /api/agents/mira/memory/mood");
  }

  @Test
  void unchanged_content_creates_no_version() {
    assertThat(run("memory", "set", "mira", "mood", "calm", "--why", "spring").err())
        .isEqualTo("content unchanged, so there is no new version, and --why was not saved\n");
    assertThat(run("memory", "set", "mira", "mood", "calm", "--json").err()).isEmpty();
  }

  @Test
  void changing_a_shared_block_names_all_its_agents() {
    String changed = BLOCK.replace("\"label\"", "\"id\":\"b1\",\"label\"").replace(":3,", ":4,");
    daemon.answers("PUT /api/agents/mira/memory/mood", 200, changed);
    daemon.answers("POST /api/agents/mira/memory/mood/undo", 200, changed);
    daemon.answers(
        "GET /api/shared-blocks/b1",
        200,
        "{\"agents\":[{\"agent\":\"ada\"},{\"agent\":\"mira\"}]}");

    String note = "this block is shared; the change applies to ada, mira\n";
    assertThat(run("memory", "set", "mira", "mood", "glad").err()).isEqualTo(note);
    assertThat(run("memory", "undo", "mira", "mood").err()).isEqualTo(note);
    daemon.answers("PUT /api/agents/mira/memory/own", 200, "{\"version\":1,\"shared\":false}");
    assertThat(run("memory", "set", "mira", "own", "mine").err()).as("a new one").isEmpty();
  }

  @Test
  void shared_blocks_are_listed_and_detached() {
    daemon.answers("GET /api/shared-blocks", 200, "{\"blocks\":[]}");
    assertThat(run("memory", "shared").out()).startsWith("no shared blocks; create a block: ");

    daemon.answers(
        "GET /api/shared-blocks",
        200,
        """
        {"blocks":[
          {"id":"b1","label":"plan","version":2,"content":"Sail","agents":[
            {"agent":"ada","mayWrite":true},{"agent":"ben","mayWrite":false}]},
          {"id":"b2","label":"law","agents":[]},{"id":"b3","label":"law","agents":[]}]}
        """);
    assertThat(run("memory", "shared").out())
        .containsPattern("b1 +plan +2 +ada \\(can write\\), ben +Sail\n");
    daemon.answers(
        "DELETE /api/shared-blocks/b1/agents/ada", 200, "{\"id\":\"b1\",\"label\":\"plan\"}");
    assertThat(run("memory", "unshare", "plan", "ada").out()).contains("shared  plan");
    assertThat(run("memory", "unshare", "law", "ada").err())
        .contains("use an id instead of the label: b2, b3");
    assertThat(run("memory", "unshare", "paln", "ada").err())
        .contains("shared block paln not found", "did you mean plan?");
  }

  @Test
  void a_search_without_match_names_the_list_command() {
    daemon.answers("GET /api/agents/mira/passages?q=tide", 200, "{\"passages\":[]}");

    assertThat(run("memory", "search", "mira", "tide").out())
        .startsWith("no match; list all passages: ./substrat memory passages mira");
  }

  @Test
  void the_history_of_a_block_shows_author_and_reason() {
    String version =
        "{\"versions\":[{\"version\":%d,\"content\":\"%s\",\"author\":\"ben\",\"reason\":\"spring\"}]%s}";
    String path = "GET /api/agents/mira/memory/mood/versions";
    daemon.answers(path, 200, version.formatted(2, "calm", ",\"next\":\"2\""));
    daemon.answers(path + "?after=2", 200, version.formatted(1, "glad", ""));

    assertThat(run("memory", "history", "mira", "mood").out())
        .containsPattern("2 .* ben +spring +calm\n1 .* ben +spring +glad\n");
  }

  @Test
  void passages_are_stored_and_found() {
    String found =
        "{\"passages\":[{\"id\":\"7\",\"content\":\"High tide\",\"tags\":[\"sea\",\"log\"],"
            + "\"match\":\"words\",\"score\":0.8321}]}";
    daemon.answers("GET /api/agents/mira/passages?q=high%20tide&tags=sea%2Clog", 200, found);
    daemon.answers("GET /api/agents/mira/passages", 200, "{\"passages\":[]}");
    daemon.answers("POST /api/agents/mira/passages", 201, "{\"id\":\"7\"}");

    assertThat(run("memory", "search", "mira", "high tide", "--tag", "sea", "--tag", "log").out())
        .containsPattern("PASSAGE +MATCH +SCORE +STORED +TAGS +CONTENT\n")
        .containsPattern("7 +words +0\\.83 .* sea log +High tide\n");
    assertThat(run("memory", "search", "--help").out()).contains("OR", "\"high tide\" OR flood");
    assertThat(run("memory", "passages", "mira").out()).startsWith("no passages; ");
    assertThat(run("memory", "add", "mira", "High tide", "--tag", "sea").out())
        .isEqualTo("stored  7\n");
    assertThat(daemon.requests())
        .contains("POST /api/agents/mira/passages {\"content\":\"High tide\",\"tags\":[\"sea\"]}");
  }

  @Test
  void a_shared_block_is_created_with_its_readers_and_writers() {
    daemon.answers(
        "POST /api/shared-blocks",
        201,
        "{\"id\":\"b1\",\"label\":\"plan\",\"agents\":"
            + "[{\"agent\":\"ada\",\"mayWrite\":false},{\"agent\":\"mira\",\"mayWrite\":true}]}");

    var ran = run("memory", "share", "plan", "sail", "--read", "ada", "--write", "mira");

    assertThat(ran.out()).contains("ada\n").contains("mira (can write)\n");
    assertThat(daemon.requests())
        .containsExactly(
            "POST /api/shared-blocks {\"label\":\"plan\",\"content\":\"sail\",\"agents\":"
                + "[{\"agent\":\"ada\",\"mayWrite\":false},{\"agent\":\"mira\",\"mayWrite\":true}]}");
  }
}

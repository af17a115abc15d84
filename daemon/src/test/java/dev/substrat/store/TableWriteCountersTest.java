package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TableWriteCountersTest {
  private final TableWriteCounters changes = new TableWriteCounters();

  @Test
  void the_written_tables_of_a_statement_are_found() {
    assertThat(TableWriteCounters.find("insert into agent (id) values (?)")).contains("agent");
    assertThat(TableWriteCounters.find("update  agent\nset name = ?")).contains("agent");
    assertThat(TableWriteCounters.find("DELETE FROM agent")).contains("agent");
    assertThat(
            TableWriteCounters.find(
                "with gone as (delete from a returning id) insert into b values (1)"))
        .contains("a", "b");
    assertThat(
            TableWriteCounters.find(
                "insert into a values (1) on conflict (id) do update set x = 1"))
        .contains("a");
  }

  @Test
  void only_written_tables_count_as_changed() {
    long agents = changes.of(Set.of("agent"));
    long both = changes.of(Set.of("agent", "run"));
    changes.committed(List.of("update run set status = 'done'"));

    assertThat(changes.of(Set.of("agent"))).isEqualTo(agents);
    assertThat(changes.of(Set.of("agent", "run"))).isNotEqualTo(both);
  }

  @Test
  void an_unknown_statement_counts_as_a_write_to_all_tables() {
    long before = changes.of(Set.of("agent"));
    changes.committed(List.of("reindex"));
    assertThat(changes.of(Set.of("agent"))).isNotEqualTo(before);
  }

  /// A table that changes by itself would be remembered as it was.
  @Test
  void migrations_have_no_triggers_or_cascades() throws IOException {
    try (var files = Files.list(Path.of("src/main/resources/migrations"))) {
      for (Path file : files.toList()) {
        assertThat(Files.readString(file))
            .as(file.toString())
            .doesNotContainIgnoringCase("create trigger")
            .doesNotContainIgnoringCase("cascade");
      }
    }
  }
}

package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.server.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoTest {
  @TempDir private Path data;

  @Test
  void team_harbor_answers_a_question() throws Exception {
    var settings = new DaemonSettings("127.0.0.1", 0, data, null, 1, "warn", Set.of());
    try (var daemon = Daemon.start(settings, Map.of());
        var visitor = visitor(daemon)) {
      var team = new HarborTeam(visitor);
      team.assemble();
      var kinds = new ArrayList<String>();

      var story = team.ask("Can we sail?", event -> kinds.add(event.path("kind").asText()));

      assertThat(story.answer())
          .isEqualTo("Yes, we are ready. ben says: All forty crates are lashed down.");
      assertThat(story.messages()).isEqualTo(8);
      assertThat(kinds).contains("turn_started", "tool_called", "message_sent", "message_replied");
    }
  }

  @Test
  void the_office_reacts_to_an_announcement_and_becomes_idle() throws Exception {
    var settings = new DaemonSettings("127.0.0.1", 0, data, null, 4, "warn", Set.of());
    try (var daemon = Daemon.start(settings, Map.of());
        var visitor = visitor(daemon)) {
      var office = new OfficeTeam(visitor);
      office.assemble();

      OfficeTeam.OfficeResult day = office.post("The Henley order has doubled.", _ -> {});

      assertThat(day.messages()).isGreaterThanOrEqualTo(5);
      assertThat(day.spaces()).isGreaterThanOrEqualTo(2);
      assertThat(day.reactions()).isPositive();
      assertThat(day.memories()).isPositive();
    }
  }

  private DemoClient visitor(Daemon daemon) throws IOException {
    return new DemoClient(daemon.url(), Files.readString(data.resolve("operator.token")).strip());
  }
}

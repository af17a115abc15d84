package dev.substrat.provider.agentcli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.turn.run.Run;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// CLIs that report why they failed: which output counts as an error, and which does not.
@Timeout(300)
final class CliErrorOutputTest {
  @TempDir private Path directory;
  private TestDatabase place;
  private CliTeam team;

  @BeforeEach
  void start() {
    place = TestDatabase.fresh(Dialect.SQLITE);
    team = new CliTeam(place, directory);
  }

  @AfterEach
  void stop() throws IOException {
    team.close();
    place.close();
  }

  @Test
  void unparsed_stdout_is_part_of_the_failure() throws IOException {
    Agent ada =
        team.agent("ada", "list_tools\necho 'the boiler is cold'\nexit 4\n", "format: codex-json");
    team.ask("ada", "go");
    assertThat(team.ended(ada.id()).stopReason())
        .isEqualTo("cli exited with code 4 without a result; stdout: the boiler is cold");
  }

  /// A missing key does not appear by retrying five times.
  @Test
  void a_failed_authentication_of_a_cli_is_not_retried() throws IOException {
    Agent ada = team.agent("ada", "list_tools\necho 'Error 401: invalid api key' >&2\nexit 1\n");

    Message question = team.ask("ada", "go");
    Run run = team.ended(ada.id());

    assertThat(run.stopReason())
        .startsWith("cli is not authenticated; configure an API key or log in");
    assertThat(team.engine().messages().require(question.id()).status())
        .isEqualTo(Message.MessageStatus.DEAD);
  }

  /// A file may be called so, and a line may have that number.
  @Test
  void a_crash_that_mentions_an_authentication_file_is_retried() throws IOException {
    Agent ada =
        team.agent(
            "ada", "list_tools\necho 'cannot parse src/authentication.ts, line 401' >&2\nexit 1\n");

    Message question = team.ask("ada", "go");

    assertThat(team.ended(ada.id()).stopReason())
        .startsWith("cli exited with code 1 without a result; stderr: cannot parse");
    team.await(() -> team.engine().runs().newest(ada.id(), 10).size() > 1);
    assertThat(team.engine().messages().require(question.id()).status())
        .isNotEqualTo(Message.MessageStatus.DEAD);
  }

  /// Some print that they have no access among their lines, but not in their form.
  @Test
  void an_error_on_stdout_counts_like_one_on_stderr() throws IOException {
    Agent ada =
        team.agent(
            "ada", "list_tools\necho 'Error 401: invalid api key'\nexit 1\n", "format: codex-json");

    team.ask("ada", "go");

    assertThat(team.ended(ada.id()).stopReason())
        .isEqualTo(
            "cli is not authenticated; configure an API key or log in: cli exited with code 1 without a"
                + " result; stdout: Error 401: invalid api key");
  }

  /// Output of a tool, complete or cut off, is not about the CLI's own authentication.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"ping\",\"read\":\"HTTP 401 Unauthorized\"}",
        "{\"type\":\"ping\",\"read\":\"HTTP 401 Unauthorized"
      })
  void tool_output_is_not_mistaken_for_an_error_of_the_cli(String line) throws IOException {
    Agent ada =
        team.agent(
            "ada", "list_tools\necho '%s'\nkill -9 $$\n".formatted(line), "format: codex-json");

    Message question = team.ask("ada", "go");

    assertThat(team.ended(ada.id()).stopReason())
        .isEqualTo("cli exited with code 137 without a result; stdout: " + line);
    assertThat(team.engine().messages().require(question.id()).status())
        .isNotEqualTo(Message.MessageStatus.DEAD);
  }
}

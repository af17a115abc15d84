package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// However a program's turn ends, none of its processes remains.
@OnEveryDatabase
@Timeout(300)
final class CommandTerminationTest {
  /// A child, a child in a session of its own, and an orphan of an orphan; then it hangs. The pipe
  /// hands the test their numbers.
  private static final String FAMILY =
      """
      read -r turn
      sleep 1000 &
      child=$!
      setsid sleep 1000 &
      session=$!
      orphan=$( (sleep 1000 >/dev/null & echo $!) )
      echo "$$ $child $session $orphan" > family
      """;

  private final TestTeam team;
  @TempDir private Path directory;

  CommandTerminationTest(TestDatabase place) {
    // One slot: if it is free again, the turn is over.
    this.team = new TestTeam(place.dialect(), 1);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void cancelling_a_turn_kills_all_processes_of_a_program() throws Exception {
    List<Long> family = start(FAMILY + "wait\n");

    team.cancellation.cancel(
        new Principal.OperatorPrincipal(), team.runs.newest(null, 1).getFirst());

    awaitFreeSlot();
    assertThat(family).noneMatch(CommandTerminationTest::isRunning);
  }

  @Test
  void a_turn_timeout_kills_all_processes_of_a_program() throws Exception {
    List<Long> family = start(FAMILY + "wait\n");

    team.clock.pass(Duration.ofMinutes(11));
    team.running.interruptOverdue();

    awaitFreeSlot();
    assertThat(family).noneMatch(CommandTerminationTest::isRunning);
  }

  @Test
  void stopping_the_daemon_kills_all_processes_of_a_program() throws Exception {
    List<Long> family = start(FAMILY + "wait\n");

    team.stop();

    assertThat(family).noneMatch(CommandTerminationTest::isRunning);
  }

  /// Background processes keep the output open; the turn must not wait for them.
  @Test
  void background_processes_of_a_program_end_with_its_turn() throws Exception {
    List<Long> family = start(FAMILY + "echo '{\"type\":\"done\",\"response\":\"bye\"}'\n");

    team.await(() -> team.runs.newest(null, 1).getFirst().status().equals("done"));

    assertThat(family).noneMatch(CommandTerminationTest::isRunning);
  }

  @Test
  void a_program_that_does_not_exit_after_done_is_killed() throws Exception {
    List<Long> family = start(FAMILY + "echo '{\"type\":\"done\",\"response\":\"bye\"}'\nwait\n");

    team.await(() -> team.runs.newest(null, 1).getFirst().status().equals("done"));

    assertThat(family).noneMatch(CommandTerminationTest::isRunning);
  }

  private List<Long> start(String script) throws Exception {
    Files.writeString(directory.resolve("ada.sh"), script);
    Path pipe = directory.resolve("family");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    team.agent(
        "{name: ada, provider: {name: scripted, command: [sh, ada.sh], directory: %s}}"
            .formatted(Json.text(directory.toString())));
    team.ask("ada", "go");
    String numbers =
        CompletableFuture.supplyAsync(() -> read(pipe)).get(120, TimeUnit.SECONDS).strip();
    List<Long> family = Stream.of(numbers.split(" ")).map(Long::valueOf).toList();
    assertThat(family).hasSize(4);
    return family;
  }

  private void awaitFreeSlot() {
    team.agent("{name: ben, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
    assertThat(team.answer(team.ask("ben", "ready?"))).isEqualTo("aye");
  }

  /// A process that exited but was not reaped by its parent does not count as running.
  private static boolean isRunning(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    } catch (IOException e) {
      return false;
    }
  }

  private static String read(Path pipe) {
    try {
      return Files.readString(pipe);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}

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

/// However a program's turn ends, nothing that it started is left.
@OnEveryDatabase
@Timeout(60)
final class CommandDeathTest {
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

  CommandDeathTest(TestDatabase place) {
    // One slot: if it is free again, the turn is over.
    this.team = new TestTeam(place.dialect(), 1);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void cancelling_kills_the_whole_family() throws Exception {
    List<Long> family = start(FAMILY + "wait\n");

    team.cancellation.cancel(new Principal.Operator(), team.runs.newest(null, 1).getFirst());

    awaitFreeSlot();
    assertThat(family).noneMatch(CommandDeathTest::isRunning);
  }

  @Test
  void so_does_a_turn_that_takes_too_long() throws Exception {
    List<Long> family = start(FAMILY + "wait\n");

    team.clock.pass(Duration.ofMinutes(11));
    team.running.interruptOverdue();

    awaitFreeSlot();
    assertThat(family).noneMatch(CommandDeathTest::isRunning);
  }

  @Test
  void and_the_end_of_the_daemon() throws Exception {
    List<Long> family = start(FAMILY + "wait\n");

    team.stop();

    assertThat(family).noneMatch(CommandDeathTest::isRunning);
  }

  /// Those it leaves hold its output open; their end must not be waited for.
  @Test
  void what_a_program_leaves_behind_goes_with_it() throws Exception {
    List<Long> family = start(FAMILY + "echo '{\"type\":\"done\",\"response\":\"bye\"}'\n");

    team.await(() -> team.runs.newest(null, 1).getFirst().status().equals("done"));

    assertThat(family).noneMatch(CommandDeathTest::isRunning);
  }

  @Test
  void one_that_will_not_go_after_its_last_word_is_helped() throws Exception {
    List<Long> family = start(FAMILY + "echo '{\"type\":\"done\",\"response\":\"bye\"}'\nwait\n");

    team.await(() -> team.runs.newest(null, 1).getFirst().status().equals("done"));

    assertThat(family).noneMatch(CommandDeathTest::isRunning);
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
        CompletableFuture.supplyAsync(() -> read(pipe)).get(30, TimeUnit.SECONDS).strip();
    List<Long> family = Stream.of(numbers.split(" ")).map(Long::valueOf).toList();
    assertThat(family).hasSize(4);
    return family;
  }

  private void awaitFreeSlot() {
    team.agent("{name: ben, provider: {name: scripted, playbook: [{do: [{say: aye}]}]}}");
    assertThat(team.answer(team.ask("ben", "ready?"))).isEqualTo("aye");
  }

  /// One that has ended but was not buried by its parent runs no more.
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

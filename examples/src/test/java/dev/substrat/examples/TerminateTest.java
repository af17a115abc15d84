package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.examples.CommandLineFixture.CommandOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `./substrat agent terminate`, with complete command lines.
final class TerminateTest {
  @TempDir private Path folder;
  private CommandLineFixture desk;

  @BeforeEach
  void start() throws IOException {
    desk = new CommandLineFixture(Files.createDirectory(folder.resolve("data")));
    desk.apply("agents: [{name: Zed, children: [{name: Ada, children: [{name: Ben}]}]}]");
  }

  @AfterEach
  void stop() {
    desk.close();
  }

  @Test
  void terminating_several_agents_asks_for_confirmation() {
    CommandOutcome no = desk.onTerminal("n\n", "agent", "terminate", "zed");
    assertThat(no.err())
        .contains("Terminate zed and the 2 below it (ada, ben)? [y/N]", "nothing changed");
    assertThat(desk.handles()).hasSize(3);

    assertThat(desk.onTerminal("y\n", "agent", "terminate", "Zed").out())
        .isEqualTo("terminated Zed and the 2 below it (ada, ben)\n");
    assertThat(desk.handles()).isEmpty();
  }

  @Test
  void a_single_agent_or_yes_or_a_script_needs_no_confirmation() {
    assertThat(desk.onTerminal("", "agent", "terminate", "ben").out())
        .isEqualTo("terminated ben\n");
    assertThat(desk.onTerminal("", "agent", "terminate", "ada", "--yes").out())
        .isEqualTo("terminated ada\n");
    assertThat(desk.run("agent", "terminate", "zed").out()).isEqualTo("terminated zed\n");
    assertThat(desk.handles()).isEmpty();
  }

  @Test
  void a_terminated_agent_can_be_shown_and_declared_again() {
    desk.run("send", "ben", "hello", "--wait");
    desk.run("agent", "terminate", "zed");

    assertThat(desk.run("run", "list", "--agent", "ben").out()).contains("ben", "done");
    assertThat(desk.run("agent", "list", "--all").out()).contains("ben", "terminated");
    assertThat(desk.apply("agents: [{name: Zed, handle: zed}]").err())
        .contains("INVALID_CONFIG", "omit the handle, or use zed-2, which is free");
    assertThat(desk.apply("agents: [{name: Zed}]").lines()).contains("created zed-2");
    assertThat(desk.run("send", "Zed", "hello", "--wait").code()).isZero();
  }
}

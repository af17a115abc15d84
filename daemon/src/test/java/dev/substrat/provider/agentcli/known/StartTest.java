package dev.substrat.provider.agentcli.known;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderCapabilities.Injection;
import dev.substrat.provider.agentcli.AgentCli;
import dev.substrat.provider.agentcli.CliAssignment;
import dev.substrat.provider.agentcli.CliLaunch;
import dev.substrat.provider.agentcli.ToolEndpoint;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.testkit.Requirement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// How each CLI is started: what it must know is there, and what others must not see is not.
final class StartTest {
  private static final String TOKEN = "substrat_0001_secret";
  private static final String KEY = "sk-secret";
  private static final String SESSION = "0b54f8b4-7d7e-4f0e-9d41-2e5f6d1b6a11";

  static Stream<AgentCli> clis() {
    return KnownClis.all().stream();
  }

  @ParameterizedTest
  @MethodSource("clis")
  @Requirement({"S0-6", "S0-31", "S1-6"})
  void the_server_is_registered_for_this_turn_only(AgentCli cli) {
    CliLaunch start =
        cli.start(assignment(null, new ToolEndpoint.Http("http://127.0.0.1:7420/mcp", TOKEN)));

    assertThat(start.words()).first().isEqualTo("agent");
    assertThat(String.join(" ", start.words())).doesNotContain(TOKEN).doesNotContain(KEY);
    assertThat(all(start)).contains("http://127.0.0.1:7420/mcp", TOKEN);
    assertThat(start.files().keySet())
        .as("in its own home")
        .noneMatch(name -> name.startsWith("/"));
  }

  @ParameterizedTest
  @MethodSource("clis")
  @Requirement({"S1-2", "S1-5"})
  void or_over_stdio_with_identity_in_the_words(AgentCli cli) {
    var bridge = List.of("/opt/substrat/substrat", "mcp", "--agent", "0007", "--token-file", "/t");

    CliLaunch start = cli.start(assignment(null, new ToolEndpoint.Stdio(bridge)));

    assertThat(all(start)).contains(bridge).doesNotContain(TOKEN);
  }

  @ParameterizedTest
  @MethodSource("clis")
  void it_is_told_who_it_is_and_what_is_new(AgentCli cli) {
    CliLaunch start =
        cli.start(assignment(null, new ToolEndpoint.Http("http://127.0.0.1/mcp", TOKEN)));

    assertThat(start.input()).contains("greet bob");
    assertThat(all(start) + start.input()).contains("You are ada.");
  }

  @ParameterizedTest
  @MethodSource("clis")
  @Requirement({"S0-34", "S1-21"})
  void a_later_turn_names_the_conversation(AgentCli cli) {
    var door = new ToolEndpoint.Http("http://127.0.0.1/mcp", TOKEN);

    assertThat(cli.start(assignment(SESSION, door)).words().toString()).contains(SESSION);
    assertThat(cli.start(assignment(null, door)).words().toString()).doesNotContain(SESSION);
  }

  /// A machine takes no word that is longer than 128 KiB.
  @ParameterizedTest
  @MethodSource("clis")
  void however_much_it_has_to_know_of_itself(AgentCli cli) {
    String system = "You are ada. " + "潮".repeat(70_000);

    CliLaunch start =
        cli.start(
            assignment(
                null,
                new ToolEndpoint.Http("http://127.0.0.1/mcp", TOKEN),
                new Prompt(system, "greet bob")));

    assertThat(start.words())
        .allMatch(word -> word.getBytes(StandardCharsets.UTF_8).length <= 100_000);
    assertThat(all(start) + start.input()).contains(system);
    assertThat(start.input()).contains("greet bob");
  }

  @ParameterizedTest
  @MethodSource("clis")
  void each_says_what_it_can(AgentCli cli) {
    ProviderCapabilities can = cli.capabilities();

    assertThat(can.nativeFiles() && can.mcpHttp() && can.mcpStdio() && can.resume()).isTrue();
    assertThat(can.longLived()).as("one process for each turn").isFalse();
    assertThat(can.needsNetwork()).isTrue();
    assertThat(can.injection()).isEqualTo(Injection.RESUME);
    assertThat(can.usage()).isEqualTo(!cli.name().equals("copilot"));
    assertThat(can.partialText())
        .isEqualTo(List.of("copilot", "gemini-cli", "goose").contains(cli.name()));
    assertThat(can.toolNamePattern()).contains("substrat").endsWith("{tool}");
  }

  private static String all(CliLaunch start) {
    return start.words() + "\n" + start.environment() + "\n" + start.files();
  }

  private static CliAssignment assignment(@Nullable String session, ToolEndpoint door) {
    return assignment(session, door, new Prompt("You are ada.", "greet bob"));
  }

  private static CliAssignment assignment(
      @Nullable String session, ToolEndpoint door, Prompt prompt) {
    return new CliAssignment(
        List.of("agent"),
        List.of(),
        Path.of("/home/ada"),
        Path.of("/home/ada/work"),
        false,
        "m1",
        "http://127.0.0.1:9/v1",
        KEY,
        prompt,
        session,
        "5ca01202-c4b5-4e5d-ae71-9d5fdc6e2f73",
        door);
  }
}

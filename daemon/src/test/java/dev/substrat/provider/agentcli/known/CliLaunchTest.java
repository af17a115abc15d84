package dev.substrat.provider.agentcli.known;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderCapabilities.EventInjection;
import dev.substrat.provider.agentcli.AgentCli;
import dev.substrat.provider.agentcli.CliLaunch;
import dev.substrat.provider.agentcli.CliTurnParameters;
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

/// Command line and files of each CLI: they contain what it needs, and no secret that others can
/// see.
final class CliLaunchTest {
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
        cli.start(
            assignment(null, new ToolEndpoint.HttpEndpoint("http://127.0.0.1:7420/mcp", TOKEN)));

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
  void the_stdio_server_gets_its_identity_as_arguments(AgentCli cli) {
    var bridge = List.of("/opt/substrat/substrat", "mcp", "--agent", "0007", "--token-file", "/t");

    CliLaunch start = cli.start(assignment(null, new ToolEndpoint.StdioEndpoint(bridge)));

    assertThat(all(start)).contains(bridge).doesNotContain(TOKEN);
  }

  @ParameterizedTest
  @MethodSource("clis")
  void the_system_prompt_and_the_turn_prompt_are_passed(AgentCli cli) {
    CliLaunch start =
        cli.start(assignment(null, new ToolEndpoint.HttpEndpoint("http://127.0.0.1/mcp", TOKEN)));

    assertThat(start.input()).contains("greet bob");
    assertThat(all(start) + start.input()).contains("You are ada.");
  }

  @ParameterizedTest
  @MethodSource("clis")
  @Requirement({"S0-34", "S1-21"})
  void a_later_turn_names_the_conversation(AgentCli cli) {
    var door = new ToolEndpoint.HttpEndpoint("http://127.0.0.1/mcp", TOKEN);

    assertThat(cli.start(assignment(SESSION, door)).words().toString()).contains(SESSION);
    assertThat(cli.start(assignment(null, door)).words().toString()).doesNotContain(SESSION);
  }

  /// Linux limits an argument to 128 KiB.
  @ParameterizedTest
  @MethodSource("clis")
  void a_long_system_prompt_is_passed_within_the_argument_limit(AgentCli cli) {
    String system = "You are ada. " + "潮".repeat(70_000);

    CliLaunch start =
        cli.start(
            assignment(
                null,
                new ToolEndpoint.HttpEndpoint("http://127.0.0.1/mcp", TOKEN),
                new Prompt(system, "greet bob")));

    assertThat(start.words())
        .allMatch(word -> word.getBytes(StandardCharsets.UTF_8).length <= 100_000);
    assertThat(all(start) + start.input()).contains(system);
    assertThat(start.input()).contains("greet bob");
  }

  @ParameterizedTest
  @MethodSource("clis")
  void capabilities_are_declared(AgentCli cli) {
    ProviderCapabilities can = cli.capabilities();

    assertThat(can.nativeFiles() && can.mcpHttp() && can.mcpStdio() && can.resume()).isTrue();
    assertThat(can.longLived()).as("one process for each turn").isFalse();
    assertThat(can.needsNetwork()).isTrue();
    assertThat(can.injection()).isEqualTo(EventInjection.RESUME);
    assertThat(can.usage()).isEqualTo(!cli.name().equals("copilot"));
    assertThat(can.partialText())
        .isEqualTo(List.of("copilot", "gemini-cli", "goose").contains(cli.name()));
    assertThat(can.toolNamePattern()).contains("substrat").endsWith("{tool}");
  }

  private static String all(CliLaunch start) {
    return start.words() + "\n" + start.environment() + "\n" + start.files();
  }

  private static CliTurnParameters assignment(@Nullable String session, ToolEndpoint door) {
    return assignment(session, door, new Prompt("You are ada.", "greet bob"));
  }

  private static CliTurnParameters assignment(
      @Nullable String session, ToolEndpoint door, Prompt prompt) {
    return new CliTurnParameters(
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

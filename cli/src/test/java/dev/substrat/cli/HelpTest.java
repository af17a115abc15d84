package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HelpTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "up",
        "demo",
        "status",
        "doctor",
        "console",
        "stop",
        "agent",
        "agent create",
        "agent list",
        "agent show",
        "agent tree",
        "agent terminate",
        "agent clone",
        "agent export",
        "agent import",
        "agent templates",
        "agent template",
        "agent template save",
        "agent template delete",
        "apply",
        "export",
        "send",
        "message",
        "message show",
        "inbox",
        "space",
        "space create",
        "space list",
        "space show",
        "space read",
        "space post",
        "space react",
        "space members",
        "space add",
        "space remove",
        "space topic",
        "space set",
        "space release",
        "goal",
        "goal list",
        "goal set",
        "goal delete",
        "tool",
        "tool list",
        "tool show",
        "tool call",
        "plan",
        "plan list",
        "plan set",
        "plan delete",
        "run",
        "run list",
        "run show",
        "run cancel",
        "run replay",
        "run fork",
        "memory",
        "memory list",
        "memory show",
        "memory set",
        "memory undo",
        "memory history",
        "memory delete",
        "memory passages",
        "memory search",
        "memory add",
        "memory share",
        "memory shared",
        "memory unshare",
        "watch",
        "connect",
        "mcp",
        "token",
        "token create",
        "token list",
        "token rotate",
        "token revoke",
        "completion"
      })
  void help_starts_with_examples_and_names_the_global_options(String command) {
    var ran = CliOutput.of((command + " --help").split(" "));

    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .startsWith("EXAMPLES\n  ")
        .contains("./substrat " + command)
        .contains("--json")
        .contains("--data");
  }

  @Test
  void the_first_page_fits_on_a_screen_and_lists_everything() {
    var ran = CliOutput.of("--help");

    assertThat(ran.out()).startsWith("EXAMPLES\n  ./substrat demo");
    assertThat(ran.out().lines()).as("a tall window").hasSizeLessThanOrEqualTo(48);
    assertThat(ran.out()).contains("  up ", "  demo ", "  doctor ", "  agent ", "  completion ");
    assertThat(CliOutput.of()).isEqualTo(ran);
  }

  @Test
  void the_version_is_the_one_that_was_built() {
    assertThat(CliOutput.of("--version").out()).matches("substrat \\d+\\.\\d+\\.\\d+.*\n");
  }

  @Test
  void completion_knows_nouns_verbs_and_options() {
    assertThat(CliOutput.of("completion").out())
        .contains(
            "complete -F",
            "agent",
            "terminate",
            "--toolsets",
            "--prune",
            "cursor",
            "--scope",
            "--once",
            "--slots",
            "--host",
            "--allow-host",
            "--allow-env",
            "--public-url",
            "--tls-cert",
            "--tls-key");
  }

  @Test
  void the_commands_page_lists_every_command() throws IOException {
    String page = Files.readString(Path.of("../docs/commands.md"));
    CommandCatalog.groups().stream()
        .flatMap(group -> CommandCatalog.names(group).stream())
        .forEach(name -> assertThat(page).containsPattern("(?m)^\\| `" + name + "[ `]"));
  }

  @Test
  void help_and_version_work_as_commands() {
    assertThat(CliOutput.of("help")).isEqualTo(CliOutput.of("--help"));
    assertThat(CliOutput.of("--json", "help", "agent", "create"))
        .isEqualTo(CliOutput.of("agent", "create", "--help"));
    assertThat(CliOutput.of("help", "up").out()).contains("--slots");
    assertThat(CliOutput.of("version")).isEqualTo(CliOutput.of("--version"));
    assertThat(CliOutput.of("help", "frobnicate").code()).isEqualTo(2);
    assertThat(CliOutput.of("version", "--json").out())
        .matches("\\{\\s*\"version\" *: *\"\\d.*\"\\s*}\n");
    assertThat(CliOutput.of("--version", "--json")).isEqualTo(CliOutput.of("version", "--json"));
  }

  @Test
  void help_for_an_unknown_command_is_an_error() {
    for (String help : List.of("--help", "-h")) {
      assertThat(CliOutput.of("agnet", help))
          .satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err()).contains("unknown command 'agnet'", "did you mean agent?");
          });
    }
    assertThat(CliOutput.of("--data", "/x", "agent", "creat", "--help").err())
        .contains("unknown command 'creat'", "did you mean create?");
    assertThat(CliOutput.of("help", "agent", "creat").code()).isEqualTo(2);
    assertThat(CliOutput.of("send", "mira", "--help").code()).isZero();
  }
}

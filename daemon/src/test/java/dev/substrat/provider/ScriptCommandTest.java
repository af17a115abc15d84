package dev.substrat.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.scripted.ScriptedProvider;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Validation of a scripted agent's command when the agent is created.
final class ScriptCommandTest {
  private final Providers providers =
      new Providers(List.of(new ScriptedProvider(), new ExternalProvider()));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {name: scripted, command: [sh], playbook: []}          | playbook or a command
          {name: scripted, command: [sh], playbookFile: x.yaml}  | playbook or a command
          {name: scripted, command: []}                          | 1 to 64 words
          {name: scripted, command: ['']}                        | 1 to 64 words
          {name: scripted, command: [no-such-program]}           | program not found: no-such-program
          {name: scripted, command: [./no-such-program]}         | program not found: ./no-such-program
          {name: scripted, command: [/etc/passwd]}               | program not found: /etc/passwd
          {name: scripted, command: [sh], directory: here}       | absolute
          {name: scripted, command: [sh], directory: /nowhere/}  | directory not found: /nowhere
          {name: scripted, directory: /}                         | only allowed with a command
          {name: external, command: [sh]}                        | external agent has no command
          """)
  void mistakes_are_reported_when_the_agent_is_created(String provider, String why) {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> prepare(provider))
        .satisfies(fault -> assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG))
        .satisfies(fault -> assertThat(fault.message()).contains(why));
  }

  @Test
  void a_program_is_found_by_name_and_in_its_directory(@TempDir Path directory) throws IOException {
    Path program = Files.writeString(directory.resolve("agent.sh"), "#!/bin/sh\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    String where = Json.text(directory.toString());

    prepare("{name: scripted, command: [./agent.sh, x], directory: " + where + "}");
    prepare("{name: scripted, command: [" + Json.text(program.toString()) + "]}");
    assertThat(prepare("{name: scripted, command: [sh, agent.sh]}").directory())
        .as("kept, so that later turns run where the first one did")
        .isEqualTo(Path.of("").toAbsolutePath().toString());
  }

  private ProviderConfig prepare(String provider) {
    var config = Json.as(Yaml.own("{name: ada, provider: " + provider + "}"), AgentConfig.class);
    var agentProvider = providers.prepare(config).provider();
    assertThat(agentProvider).isNotNull();
    return agentProvider;
  }
}
